import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import { twigLanguage } from '../../parts/code-editor/twig.ts';
import { membersOf, namesIn, type Suggestion, suggestionsOf, type TemplateGuide } from './guide.ts';
import { type TwigContext, twigContext } from './twig-context.ts';

/** What completion in a template knows. */
export interface TwigHelp {
  /** The path of the template. */
  file: string;
  guide: TemplateGuide;
  /** The paths of the shell. */
  paths: readonly string[];
}

const isTemplate = (path: string): boolean => path.endsWith('.twig');

function suggest({ file, guide, paths }: TwigHelp, { kind, of = '' }: TwigContext): readonly Suggestion[] {
  switch (kind) {
    case 'tag':
      return suggestionsOf(guide.twig.tags, 'keyword');
    case 'filter':
      return suggestionsOf(guide.twig.filters, 'function');
    case 'test':
      return suggestionsOf(guide.twig.tests, 'keyword');
    case 'member':
      return membersOf(guide, file, of);
    case 'name':
      return namesIn(guide, file);
    case 'template':
      return suggestionsOf(paths.filter(isTemplate), 'text');
    case 'asset':
      return suggestionsOf(
        paths.filter((path) => !isTemplate(path)),
        'text',
      );
    case 'component':
      return guide.components.map(({ handle, type }) => ({ label: handle, type: 'text' as const, detail: type }));
  }
}

/** Completes names of the authoring guide, and paths and handles in strings. */
const complete =
  (help: TwigHelp) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const context = twigContext(state.sliceDoc(0, pos));
    const isAsked = explicit || context?.kind === 'member' || (context?.typed ?? 0) > 0;
    if (!context || !isAsked) return null;
    const options = suggest(help, context).map(({ info, ...one }) => ({ ...one, ...(info ? { info } : {}) }));
    const isPath = ['template', 'asset', 'component'].includes(context.kind);
    return options.length === 0
      ? null
      : { from: pos - context.typed, options, validFor: isPath ? /^[^'"]*$/ : /^\w*$/ };
  };

/** Shows what the guide says about the name under the pointer. */
const hints = ({ file, guide }: TwigHelp) =>
  hoverTooltip((view, pos) => {
    const word = view.state.wordAt(pos);
    if (!word) return null;
    const name = view.state.sliceDoc(word.from, word.to);
    const kind = twigContext(view.state.sliceDoc(0, word.to))?.kind;
    const found = kind === 'name' ? namesIn(guide, file).find(({ label, info }) => label === name && info) : undefined;
    if (!found) return null;
    return {
      pos: word.from,
      end: word.to,
      create() {
        const dom = document.createElement('div');
        dom.className = 'code-hint';
        const code = document.createElement('code');
        code.textContent = name + (found.detail ?? '');
        dom.append(code, found.info!);
        return { dom };
      },
    };
  });

/** What the editor of a template has in addition: completion and hints from the authoring guide. */
export const twigHelp = (help: TwigHelp): Extension => [
  twigLanguage.data.of({ autocomplete: complete(help) }),
  hints(help),
];
