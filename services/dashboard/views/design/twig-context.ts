/** What a name at the end of a text can be. */
export interface TwigContext {
  kind: 'tag' | 'filter' | 'test' | 'member' | 'name' | 'template' | 'asset' | 'component';
  /** How many characters of it are there already. */
  typed: number;
  /** Of a member: the variable that it belongs to. */
  of?: string;
}

/** How many characters before the cursor are read. */
const lookBack = 2_000;
/** What a string that is not closed yet contains, by the code before it. */
const openStrings: readonly [TwigContext['kind'], RegExp][] = [
  ['template', /\b(?:include|extends|embed|import|from|source|use)\s*\(?\s*(?:\[[^\]]*)?["']([^"']*)$/],
  ['asset', /\basset\(\s*["']([^"']*)$/],
  ['component', /\bcomponent\(\s*["']([^"']*)$/],
];
const quoted = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/gs;

/** Returns the text of the tag that is open at the end of `before`, from its opening brace; null outside tags and in comments. */
function openTag(before: string): string | null {
  const text = before.slice(-lookBack);
  const start = Math.max(text.lastIndexOf('{{'), text.lastIndexOf('{%'));
  if (start < 0 || text.lastIndexOf('{#') > text.lastIndexOf('#}')) return null;
  const tag = text.slice(start);
  return tag.replace(quoted, '').includes(tag[1] === '{' ? '}}' : '%}') ? null : tag;
}

/** Returns what is being written at the end of `before`, in a template; null where Twig has no names. */
export function twigContext(before: string): TwigContext | null {
  const tag = openTag(before);
  if (tag === null) return null;
  for (const [kind, pattern] of openStrings) {
    const typed = pattern.exec(tag)?.[1];
    if (typed !== undefined) return { kind, typed: typed.length };
  }
  const rest = tag.replace(quoted, '');
  if (/["']/.test(rest)) return null;
  const [typed] = /[\w]*$/.exec(tag)!;
  const head = rest.slice(0, rest.length - typed.length);
  const found = (kind: TwigContext['kind']) => ({ kind, typed: typed.length });
  if (/^\{%[-~]?\s*$/.test(head)) return found('tag');
  if (/\|\s*$/.test(head)) return found('filter');
  if (/\bis\s+(?:not\s+)?$/.test(head)) return found('test');
  const of = /([\w.]+)\.$/.exec(head)?.[1];
  if (of !== undefined) return { ...found('member'), of };
  return /^\d/.test(typed) ? null : found('name');
}
