import { useQuery } from '@tanstack/react-query';
import { dataOf, rest } from '../../app/api.ts';

/** A name that templates can use. */
interface GuideName {
  name: string;
  where?: string;
  signature?: string;
  answers?: string;
  members?: readonly string[];
  options?: Readonly<Record<string, string>>;
}

/** What the authoring guide of a site says about templates. */
export interface TemplateGuide {
  variables: readonly GuideName[];
  functions: readonly GuideName[];
  twig: Readonly<Record<'tags' | 'filters' | 'functions' | 'tests', readonly string[]>>;
  components: readonly { handle: string; type: string }[];
}

/** The part of the authoring guide that completion reads. */
export const useTemplateGuide = (site: string) =>
  useQuery({
    queryKey: ['template-guide', site],
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<TemplateGuide> => {
      const guide = await dataOf(
        rest.GET('/sites/{site}/authoring-guide', {
          params: { path: { site }, query: { fields: ['shell', 'site'] } },
          signal,
        }),
      );
      // the document describes these members as open records
      const shell = guide.shell as unknown as Omit<TemplateGuide, 'components'>;
      return {
        variables: shell.variables,
        functions: shell.functions,
        twig: shell.twig,
        components: guide.site.components,
      };
    },
  });

/** A name with what the guide says about it. */
export interface Suggestion {
  label: string;
  type: 'variable' | 'function' | 'keyword' | 'property' | 'text';
  detail?: string;
  info?: string;
}

/** Members of Twig's own variable of a loop. */
const loopMembers = ['index', 'index0', 'revindex', 'revindex0', 'first', 'last', 'length', 'parent'];

const infoOf = ({ answers, where, options }: GuideName): string =>
  [where && `In ${where}.`, answers, ...Object.entries(options ?? {}).map(([name, text]) => `${name}: ${text}`)]
    .filter(Boolean)
    .join('\n');

/** Names without a description. */
export const suggestionsOf = (names: readonly string[], type: Suggestion['type']): Suggestion[] =>
  names.map((label) => ({ label, type }));

const withInfo = (one: GuideName, type: Suggestion['type']): Suggestion => ({
  label: one.name,
  type,
  ...(one.signature === undefined ? {} : { detail: one.signature.slice(one.name.length) }),
  info: infoOf(one),
});

/** Whether a variable exists in a template: `where` names templates, or says `every template`. */
function isIn({ where = '' }: GuideName, file: string): boolean {
  if (!/\.twig/.test(where) || file.includes('/') || file === 'base.twig') return true;
  const isNamed = where.split(', ').includes(file);
  const isOfType = where.includes('{type}') && !['home.twig', 'archive.twig', '404.twig'].includes(file);
  return isNamed || isOfType;
}

/** One suggestion for each name: a variable with several meanings has all of them as its text. */
function unique(suggestions: readonly Suggestion[]): Suggestion[] {
  const byLabel = new Map<string, Suggestion>();
  for (const one of suggestions) {
    const known = byLabel.get(one.label);
    const info = [known?.info, one.info].filter(Boolean).join('\n');
    byLabel.set(one.label, known ? { ...known, info } : one);
  }
  return [...byLabel.values()];
}

/** The variables and functions of a template. */
export function namesIn(guide: TemplateGuide, file: string): Suggestion[] {
  const own = new Set(guide.functions.map(({ name }) => name));
  return unique([
    ...guide.variables.filter((one) => isIn(one, file)).map((one) => withInfo(one, 'variable')),
    { label: 'loop', type: 'variable', info: 'In a for loop: where it is.' },
    ...guide.functions.map((one) => withInfo(one, 'function')),
    ...suggestionsOf(
      guide.twig.functions.filter((name) => !own.has(name)),
      'function',
    ),
  ]);
}

/** The members of a variable in a template. */
export function membersOf(guide: TemplateGuide, file: string, variable: string): Suggestion[] {
  if (variable === 'loop') return suggestionsOf(loopMembers, 'property');
  const found = guide.variables.filter((one) => one.name === variable && isIn(one, file));
  return suggestionsOf([...new Set(found.flatMap(({ members }) => members ?? []))], 'property');
}
