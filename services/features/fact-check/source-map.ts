import type { WantedLink } from './sources.ts';
import type { TextBlock } from './text/html-text.ts';
import type { Statement } from './text/statements.ts';

/** The links that each sentence is based on. */
export interface SourceMap {
  /** Number of distinct web links in the text. */
  linkCount: number;
  /** Returns the links to fetch, first those that one of these sentences is based on. */
  listWanted(statements: readonly Statement[]): WantedLink[];
  /** Returns the links of a sentence, nearest first. */
  listFor(statement: Statement): string[];
}

const maxSourcesPerSentence = 5;
/** The beginning of a line that only names sources. */
const sourceLine =
  /^[\s([–—-]*(?:sources?|via|references?|see|read more|more|quellen?|mehr|siehe|références?|voir|fuentes?|ver)\b/i;

/**
 * Finds the web links of a text. A sentence is based on the links in it, then on the others of its paragraph, then on
 * those of a line of sources right below. Links inside the site have no scheme and are ignored.
 */
export function createSourceMap(blocks: readonly TextBlock[], maxLinks: number): SourceMap {
  const written = new Map<string, string>();
  for (const { url } of blocks.flatMap((block) => block.links)) {
    const key = toKey(url);
    if (key !== null && !written.has(key)) written.set(key, url.trim());
  }
  const toWritten = (url: string) => written.get(toKey(url) ?? '') ?? [];

  function listFor(statement: Statement): string[] {
    const block = blocks[statement.block];
    const next = blocks[statement.block + 1];
    const below = next && (sourceLine.test(next.text) || block?.quoted) ? next.links : [];
    const links = [...statement.links, ...(block?.links ?? []), ...below].flatMap(({ url }) => toWritten(url));
    return [...new Set(links)].slice(0, maxSourcesPerSentence);
  }

  function listWanted(statements: readonly Statement[]): WantedLink[] {
    const sources = new Set(statements.flatMap(listFor));
    const others = [...written.values()].filter((url) => !sources.has(url));
    const links = [
      ...[...sources].map((url) => ({ url, isSource: true })),
      ...others.map((url) => ({ url, isSource: false })),
    ];
    return links.slice(0, maxLinks);
  }

  return { linkCount: written.size, listWanted, listFor };
}

/** Normalizes a link, so that different spellings are equal; null for anything but a web link. */
function toKey(url: string): string | null {
  const trimmed = url.trim();
  if (!/^(?:https?:|\/\/)/i.test(trimmed)) return null;
  const parsed = URL.parse(trimmed, 'https://site.invalid/');
  if (!parsed) return trimmed;
  parsed.hash = '';
  return parsed.href;
}
