// How elements of stored HTML and nodes of the editor correspond. The reader and the writer use these tables; an element that is in none of
// them becomes an opaque node, which keeps its source text.

/** Elements with blocks inside that have no meaning for editing. */
export const containerTags: readonly string[] = [
  ...['address', 'article', 'aside', 'details', 'div', 'figure', 'footer', 'header', 'main', 'nav', 'section'],
];

/** Elements with text inside that are neither a paragraph nor a heading. */
export const lineTags: readonly string[] = ['figcaption', 'summary'];

/** The mark of the editor for each element that has a button; the first element of a mark is the one that the button makes. */
export const markTags: Readonly<Record<string, readonly string[]>> = {
  link: ['a'],
  bold: ['strong', 'b'],
  italic: ['em', 'i'],
  underline: ['u'],
  strike: ['s', 'del'],
  code: ['code'],
};

/** Elements around text without a button: they keep their text editable and their place. */
export const spanTags: readonly string[] = [
  ...['abbr', 'bdi', 'bdo', 'cite', 'data', 'dfn', 'ins', 'kbd', 'mark', 'q', 'samp', 'small', 'span', 'sub', 'sup'],
  ...['time', 'var'],
];

export const markOfTag: ReadonlyMap<string, string> = new Map(
  Object.entries(markTags).flatMap(([mark, tags]) => tags.map((tag) => [tag, mark] as const)),
);

/** Elements that are part of a line of text, beyond those with marks. */
export const inlineTags: ReadonlySet<string> = new Set([
  ...markOfTag.keys(),
  ...spanTags,
  ...['br', 'wbr', 'img', 'picture', 'source', 'audio', 'video', 'track', 'ruby', 'rt', 'rp', 'x-component'],
]);

/** Row groups of tables in the order in which rows follow each other. */
export const rowGroupTags: readonly string[] = ['thead', 'tbody', 'tfoot'];

/** Where a paragraph has no `<p>`: text directly in a list item or a cell. */
export const tightParents: ReadonlySet<string> = new Set(['listItem', 'tableCell', 'tableHeader']);
