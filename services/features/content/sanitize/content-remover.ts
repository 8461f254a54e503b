import { tagsRemovedWithContent } from './rules.ts';
import { quoteName, type WarningCode, type WarningCollector } from './warnings.ts';

export interface UnclosedElement {
  tag: string;
  offset: number;
}

/** Tracks which parts of the source are inside a refused element that is removed with its content. */
export interface ContentRemover {
  /**
   * Called for every start tag; returns false while content is being removed. HTML inside `svg` or `math` ends the
   * removal.
   */
  admits(tag: string): boolean;
  /** Called at the end of a start tag that was refused. */
  startRefused(tag: string, offset: number, isSelfClosing: boolean): void;
  /** Called for every end tag; returns true if it belongs to removed content. */
  endTag(tag: string): boolean;
  isRemoving(): boolean;
  /** Called at the end of the source; returns the element that is still open. */
  finish(): UnclosedElement | null;
}

const removedWithContent = new Set(tagsRemovedWithContent);
const foreignTags = new Set(['svg', 'math']);
/** HTML elements that end foreign content wherever they occur (HTML standard, tree construction). */
const breakoutTags = new Set(
  `b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr
  ol p pre ruby s small span strong strike sub sup table tt u ul var`.split(/\s+/),
);
/** Elements of foreign content that may contain HTML. */
const htmlHolders = new Set(['foreignobject', 'desc', 'mi', 'mo', 'mn', 'ms', 'mtext', 'annotation-xml']);
/** The tokenizer reads these as text up to their end tag, or to the end of the source. */
const textOnlyTags = new Set([
  'script',
  'style',
  'iframe',
  'noembed',
  'noframes',
  'textarea',
  'title',
  'xmp',
  'plaintext',
]);

/** Creates the tracker for one source text. */
export function createContentRemover(
  warnings: WarningCollector,
  neverClosed: ReadonlyMap<string, number>,
): ContentRemover {
  let removing: { tag: string; offset: number; depth: number; holders: number } | null = null;

  return {
    admits(tag) {
      if (!removing) return true;
      if (!foreignTags.has(removing.tag) || removing.holders > 0 || !breakoutTags.has(tag)) return false;
      removing = null;
      return true;
    },

    startRefused(tag, offset, isSelfClosing) {
      if (removing) {
        if (tag === removing.tag && !isSelfClosing) removing.depth++;
        else if (htmlHolders.has(tag) && !isSelfClosing) removing.holders++;
        return;
      }
      const isEmpty = isSelfClosing && foreignTags.has(tag);
      const takesContent = removedWithContent.has(tag) && !isEmpty && offset < (neverClosed.get(tag) ?? Infinity);
      if (takesContent) removing = { tag, offset, depth: 1, holders: 0 };
      const isEmptied = isEmpty || takesContent;
      const what = `Removed <${quoteName(tag)}>${isEmptied ? ' and what it contained' : ' and kept any text in it'}`;
      warnings.add(codeFor(tag), what, offset);
    },

    endTag(tag) {
      if (!removing) return false;
      if (tag === removing.tag && --removing.depth === 0) removing = null;
      else if (htmlHolders.has(tag) && removing.holders > 0) removing.holders--;
      return true;
    },

    isRemoving: () => removing !== null,

    finish() {
      if (!removing || !textOnlyTags.has(removing.tag)) return removing;
      const what = `Removed everything after <${removing.tag}>, which is never closed`;
      warnings.add(codeFor(removing.tag), what, removing.offset);
      return null;
    },
  };
}

function codeFor(tag: string): WarningCode {
  if (tag === 'script') return 'script_removed';
  return tag === 'iframe' ? 'iframe_removed' : 'element_removed';
}
