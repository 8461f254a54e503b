import {
  blocks,
  endTagOptional,
  headings,
  itemBoundaries,
  parentsOfPart,
  tableFrames,
  tableParts,
  voids,
} from './nesting.ts';
import { limits } from './rules.ts';
import type { WarningCollector } from './warnings.ts';

/** Writes elements and text so that every browser parses the result into exactly this tree. */
export interface TreeWriter {
  open(tag: string, attributes: string, offset: number, voidForm?: string): void;
  close(tag: string, offset: number): void;
  text(text: string, offset: number): void;
  /** Closes what is still open and returns the HTML with the source form of every void tag, in order. */
  finish(offset: number): { html: string; voidForms: string[] };
}

const isItem = (tag: string) => tag === 'li';
const isTerm = (tag: string) => tag === 'dd' || tag === 'dt';
const isTable = (tag: string) => tag === 'table';
const isRubyPart = (tag: string) => tag === 'rt' || tag === 'rp';
const isEndedInRuby = (tag: string) => isRubyPart(tag) || tag === 'p' || isItem(tag) || isTerm(tag);
const isWhiteSpace = (text: string) => /^[ \t\n\r\f]*$/.test(text);
const escapeText = (text: string) =>
  !/[&<>]/.test(text) ? text : text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** Creates a writer that reports every repair to `warnings`. */
export function createTreeWriter(warnings: WarningCollector): TreeWriter {
  const out: string[] = [];
  const voidForms: string[] = [];
  const stack: string[] = [];
  /** The number of open elements by name, to see without a search that none is open. */
  const openCounts = new Map<string, number>();
  /** For each open element, whether its end tag came while a block inside was open: then it closes with that block. */
  const ending: boolean[] = [];
  const flattened = new Map<string, number>();
  let elements = 0;
  let isFull = false;

  const top = () => stack[stack.length - 1] ?? '';
  const isOpen = (tag: string) => (openCounts.get(tag) ?? 0) > 0;

  /** Counts one element; past the limit everything is closed and only text is written. */
  function admit(offset: number): boolean {
    if (elements < limits.maxElements) elements++;
    else if (!isFull) {
      isFull = true;
      while (stack.length > 0) pop();
      warnings.add(
        'nesting_flattened',
        `Removed all tags after ${limits.maxElements} elements, kept their text`,
        offset,
      );
    }
    return !isFull;
  }

  function push(tag: string, attributes: string, offset: number): void {
    if (!admit(offset)) return;
    out.push(`<${tag}${attributes}>`);
    stack.push(tag);
    openCounts.set(tag, (openCounts.get(tag) ?? 0) + 1);
    ending.push(false);
  }

  function pop(): void {
    const tag = stack.pop() as string;
    openCounts.set(tag, (openCounts.get(tag) ?? 1) - 1);
    out.push(`</${tag}>`);
    ending.pop();
    if (ending[ending.length - 1]) pop();
  }

  /** Closes every element from the innermost down to `index`. */
  function popTo(index: number, offset: number): void {
    while (stack.length > index) {
      const inner = stack.length > index + 1 ? top() : '';
      if (inner && !endTagOptional.has(inner)) warnings.add('markup_repaired', `Closed an unclosed <${inner}>`, offset);
      pop();
    }
  }

  /**
   * Returns the index of the innermost open element that satisfies `isMatch`, or -1; does not look beyond one that
   * satisfies `isBoundary`.
   */
  function find(isMatch: (tag: string) => boolean, isBoundary: (tag: string) => boolean): number {
    for (let index = stack.length - 1; index >= 0; index--) {
      const tag = stack[index] as string;
      if (isMatch(tag)) return index;
      if (isBoundary(tag)) return -1;
    }
    return -1;
  }

  /** Closes the innermost match; `isRepair` if HTML does not allow omitting that end tag. */
  function end(
    isMatch: (tag: string) => boolean,
    isBoundary: (tag: string) => boolean,
    offset: number,
    isRepair = false,
  ) {
    const index = find(isMatch, isBoundary);
    if (index === -1) return;
    if (isRepair) warnings.add('markup_repaired', `Closed <${stack[index]}> before the next one`, offset);
    popTo(index, offset);
  }

  /** Closes what prevents the part from standing in the innermost table; returns false outside a table. */
  function prepareTablePart(tag: string, offset: number): boolean {
    const table = stack.lastIndexOf('table');
    if (table === -1) return false;
    const parent = find(
      (name) => parentsOfPart[tag]!.has(name),
      () => false,
    );
    popTo(parent + 1, offset);
    if ((tag === 'td' || tag === 'th') && top() !== 'tr') {
      warnings.add('markup_repaired', `Put <${tag}> into a table row`, offset);
      push('tr', '', offset);
    }
    return true;
  }

  function enterCell(offset: number): void {
    warnings.add('markup_repaired', `Put content directly inside <${top()}> into a table cell`, offset);
    if (top() === 'colgroup') pop();
    if (top() !== 'tr') push('tr', '', offset);
    push('td', '', offset);
  }

  function closeIncompatible(tag: string, offset: number): void {
    if (tag === 'li' && isOpen('li')) end(isItem, (name) => itemBoundaries.has(name) || isTerm(name), offset);
    if (isTerm(tag)) end(isTerm, (name) => itemBoundaries.has(name) || isItem(name), offset);
    if (blocks.has(tag) && isOpen('p')) end((name) => name === 'p', isTable, offset);
    if (headings.has(tag) && headings.has(top())) end((name) => headings.has(name), isTable, offset, true);
    if (tag === 'a' && isOpen('a')) end((name) => name === 'a', isTable, offset, true);
    if (tag === 'rt' || tag === 'rp') {
      const isEnding = isOpen('ruby') ? isEndedInRuby : isRubyPart;
      while (isEnding(top())) end(isEnding, isTable, offset, !isOpen('ruby'));
    }
  }

  /**
   * Returns whether a tag exceeds the depth limit. Parts of a table are exempt: the depth of their table limits them.
   */
  function isTooDeep(tag: string, offset: number): boolean {
    if (stack.length < limits.maxDepth || voids.has(tag) || tableParts.has(tag)) return false;
    warnings.add(
      'nesting_flattened',
      `Removed tags nested deeper than ${limits.maxDepth} levels, kept their text`,
      offset,
    );
    flattened.set(tag, (flattened.get(tag) ?? 0) + 1);
    return true;
  }

  return {
    open(tag, attributes, offset, voidForm = '>') {
      if (isFull) return;
      if (tableParts.has(tag)) {
        if (!prepareTablePart(tag, offset)) {
          return warnings.add('element_removed', `Removed <${tag}> outside a table and kept its content`, offset);
        }
      } else {
        if (tableFrames.has(top())) enterCell(offset);
        closeIncompatible(tag, offset);
      }
      if (isFull || isTooDeep(tag, offset)) return;
      if (!voids.has(tag)) return push(tag, attributes, offset);
      if (!admit(offset)) return;
      out.push(`<${tag}${attributes} />`);
      voidForms.push(voidForm);
    },

    close(tag, offset) {
      if (isFull) return;
      if (tag === 'br') {
        warnings.add('markup_repaired', 'Read </br> as <br>', offset);
        return this.open('br', '', offset);
      }
      const flattenedCount = flattened.get(tag) ?? 0;
      if (flattenedCount > 0) {
        flattened.set(tag, flattenedCount - 1);
        return;
      }
      const index = find(
        (name) => name === tag || (headings.has(tag) && headings.has(name)),
        (name) => isTable(name) || (tag === 'li' && (name === 'ul' || name === 'ol')),
      );
      if (index === -1) return warnings.add('markup_repaired', `Removed </${tag}> without a start tag`, offset);
      const isInline = !blocks.has(tag) && !tableParts.has(tag);
      if (isInline && stack.slice(index).some((name) => blocks.has(name))) {
        warnings.add('markup_repaired', `Moved </${tag}> behind the block it crossed`, offset);
        ending[index] = true;
        return;
      }
      if (stack[index] !== tag) warnings.add('markup_repaired', `Closed <${stack[index]}> at </${tag}>`, offset);
      popTo(index, offset);
    },

    text(text, offset) {
      if (tableFrames.has(top()) && !isWhiteSpace(text)) enterCell(offset);
      out.push(escapeText(text));
    },

    finish(offset) {
      if (stack.length > 0) {
        const outermost = stack[0] as string;
        if (!endTagOptional.has(outermost)) {
          warnings.add('markup_repaired', `Closed an unclosed <${outermost}>`, offset);
        }
        popTo(0, offset);
      }
      return { html: out.join(''), voidForms };
    },
  };
}
