import { blockTags, tablePartTags, voidTags } from './rules.ts';

// The part of the HTML standard's tree construction that concerns allowed elements: which ones implicitly close others,
// and which children a table may have.

export const blocks = new Set<string>(blockTags);
export const tableParts = new Set<string>(tablePartTags);
export const voids = new Set(voidTags);
export const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const rowGroups = new Set(['table', 'thead', 'tbody', 'tfoot']);
/** These may contain only parts of a table; a browser moves anything else in front of the table. */
export const tableFrames = new Set([...rowGroups, 'tr', 'colgroup']);
export const parentsOfPart: Record<string, ReadonlySet<string>> = {
  caption: new Set(['table']),
  colgroup: new Set(['table']),
  col: new Set(['colgroup', 'table']),
  thead: new Set(['table']),
  tbody: new Set(['table']),
  tfoot: new Set(['table']),
  tr: rowGroups,
  td: new Set(['tr', ...rowGroups]),
  th: new Set(['tr', ...rowGroups]),
};
export const endTagOptional = new Set(['p', 'li', 'dd', 'dt', 'rt', 'rp', ...tablePartTags]);
/** A new list item closes the open one across any element except these. */
export const itemBoundaries = new Set<string>(
  [...blockTags, ...tablePartTags].filter((tag) => !/^(?:address|div|p|li|dd|dt)$/.test(tag)),
);
