import { tagsRemovedWithContent } from './rules.ts';
import { quoteName, type WarningCode, type WarningCollector } from './warnings.ts';

export interface UnclosedElement {
  tag: string;
  offset: number;
}

/** Follows refused elements and says which part of the source lies inside one that goes with its content. */
export interface ContentRemover {
  /** Called for every start tag; false while content is being removed. HTML inside `svg` or `math` ends the removal. */
  admits(tag: string): boolean;
  /** Called at the end of a start tag that was refused. */
  startRefused(tag: string, offset: number, isSelfClosing: boolean): void;
  /** Called for every end tag; true when it belonged to removed content. */
  endTag(tag: string): boolean;
  isRemoving(): boolean;
  /** At the end of the source: the element that is still open. */
  finish(): UnclosedElement | null;
}

const removedWithContent = new Set(tagsRemovedWithContent);
const foreignTags = new Set(['svg', 'math']);
/** HTML elements that end foreign content wherever they stand, as the HTML standard lists them. */
const breakoutTags = new Set(
  `b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr
  ol p pre ruby s small span strong strike sub sup table tt u ul var`.split(/\s+/),
);
/** Inside these, foreign content holds HTML that belongs to it. */
const htmlHolders = new Set(['foreignobject', 'desc', 'mi', 'mo', 'mn', 'ms', 'mtext', 'annotation-xml']);
/** The tokenizer itself reads these to their end tag, or to the end of the text. */
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

/** Creates the follower for one source text. */
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
