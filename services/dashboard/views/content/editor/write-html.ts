import type { Node } from '@tiptap/pm/model';
import { escapeText, escapeValue, setAttributes } from './attributes.ts';
import { tightParents } from './elements.ts';
import { writeInline } from './write-inline.ts';

/** Characters that the sanitizer removes: controls, noncharacters and lone surrogates. A form feed becomes a space. */
const removedCharacters = /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\p{Noncharacter_Code_Point}\p{Surrogate}]/gu;

/** Writes documents as the sanitizer would, so that storing them changes nothing. */
export interface HtmlWriter {
  /** Top-level nodes that did not change since they were read are written with their source text. */
  write(doc: Node): string;
}

/** Creates a writer. `sources` has the source text of each top-level node of `doc`, the document that was read from `html`. */
export function createHtmlWriter(read?: { doc: Node; html: string; sources: readonly string[] }): HtmlWriter {
  const sources = new WeakMap<Node, string>();
  read?.sources.forEach((text, index) => void sources.set(read.doc.child(index), text));
  const written = new WeakMap<Node, string>();
  const writeTopLevel = (node: Node, doc: Node, index: number): string => {
    if (isBarePossible(node, doc)) return writeBlock(node, doc, index);
    const known = written.get(node) ?? writeBlock(node, doc, index);
    written.set(node, known);
    return known;
  };
  return {
    write(doc) {
      const isUnchanged = read && doc.childCount === read.doc.childCount && doc.eq(read.doc);
      if (isUnchanged) return read.html;
      let out = '';
      for (let index = 0; index < lastShown(doc); index++) {
        const node = doc.child(index);
        const source = sources.get(node);
        const isSourceFit = source !== undefined && (!isBarePossible(node, doc) || isBare(doc, index));
        if (isSourceFit) out += source;
        else out += (out === '' || out.endsWith('\n') ? '' : '\n') + clean(writeTopLevel(node, doc, index));
      }
      return out;
    },
  };
}

/** The number of top-level nodes without the empty new paragraphs at the end. */
function lastShown(doc: Node): number {
  let count = doc.childCount;
  while (count > 0 && isEmptyNew(doc.child(count - 1))) count--;
  return count;
}

const isEmptyNew = ({ type, childCount, attrs }: Node): boolean =>
  type.name === 'paragraph' && childCount === 0 && attrs['wrapper'] !== 'p' && attrs['html'] === '';

const clean = (html: string): string =>
  html
    .replace(/\f/g, ' ')
    .replace(removedCharacters, '')
    .replace(/\u00a0/g, '&nbsp;');

const writeBlocks = (parent: Node): string => {
  const parts: string[] = [];
  parent.forEach((node, _offset, index) => void parts.push(writeBlock(node, parent, index)));
  return parts.join('');
};

const isText = ({ type }: Node): boolean => type.name === 'paragraph' || type.name === 'component';

/** Whether a paragraph could stand without `<p>`: it was read so, or it is new in a list item or a cell. */
function isBarePossible({ type, attrs }: Node, parent: Node): boolean {
  if (type.name !== 'paragraph' || attrs['html'] !== '') return false;
  return attrs['wrapper'] === 'none' || (attrs['wrapper'] === null && tightParents.has(parent.type.name));
}

/** Whether a paragraph is written without `<p>`: text beside it would become one with it. */
function isBare(parent: Node, index: number): boolean {
  const node = parent.child(index);
  if (!isBarePossible(node, parent)) return false;
  const isBeside = (other: number) => other >= 0 && other < parent.childCount && isText(parent.child(other));
  return !isBeside(index - 1) && !isBeside(index + 1);
}

const element = (tag: string, attributes: string, content: string): string =>
  `<${tag}${attributes}>${content}</${tag}>`;

function writeBlock(node: Node, parent: Node, index: number): string {
  const attrs = node.attrs as Record<string, string>;
  const html = attrs['html'] ?? '';
  switch (node.type.name) {
    case 'paragraph':
      return isBare(parent, index) ? writeInline(node) : element('p', html, writeInline(node));
    case 'heading':
      return element(`h${attrs['level']}`, html, writeInline(node));
    case 'line':
      return element(attrs['tag']!, html, writeInline(node));
    case 'horizontalRule':
      return `<hr${html}>`;
    case 'blockquote':
      return element('blockquote', html, writeBlocks(node));
    case 'container':
      return element(attrs['tag']!, html, writeBlocks(node));
    case 'bulletList':
      return element('ul', html, writeBlocks(node));
    case 'orderedList':
      return element('ol', writeStart(html, Number(node.attrs['start'])), writeBlocks(node));
    case 'listItem':
      return element('li', html, writeBlocks(node));
    case 'codeBlock':
      return writeCode(node);
    case 'table':
      return element('table', html, attrs['lead'] + writeRows(node));
    case 'component':
      return element(
        'x-component',
        setAttributes(html, { handle: attrs['handle'] ?? null, vars: attrs['vars'] ?? null }),
        '',
      );
    case 'opaqueBlock':
      return attrs['source']!;
    default:
      throw new Error(`A document has no block "${node.type.name}".`);
  }
}

const writeStart = (html: string, start: number): string =>
  / start="/.test(html) || start === 1 ? html : setAttributes(html, { start: String(start) });

function writeCode({ attrs, textContent }: Node): string {
  const { html, isPlain, codeHtml, language } = attrs;
  const text = escapeText(textContent);
  if (isPlain && !language) return element('pre', html, text.startsWith('\n') ? `\n${text}` : text);
  const attributes = language ? ` class="language-${escapeValue(language)}"` : codeHtml;
  return element('pre', html, element('code', attributes, text));
}

/** A new row belongs to the group of the row before it; a first row of header cells alone makes a `<thead>`. */
function writeRows(table: Node): string {
  let out = '';
  let open = 'none';
  table.forEach((row, _offset, index) => {
    const group = groupOf(row, index === 0 ? undefined : open);
    if (group !== open) {
      if (open !== 'none') out += `</${open}>`;
      if (group !== 'none') out += `<${group}>`;
      open = group;
    }
    out += element('tr', row.attrs['html'], writeCells(row));
  });
  return open === 'none' ? out : `${out}</${open}>`;
}

function groupOf(row: Node, before: string | undefined): string {
  const isHeader = row.children.every(({ type }) => type.name === 'tableHeader');
  const own: string | null = row.attrs['group'];
  if (own !== null && !(own === 'none' && before !== undefined && before !== 'none')) return own;
  if (before === undefined) return isHeader ? 'thead' : 'tbody';
  return before === 'thead' ? 'tbody' : before;
}

const writeCells = (row: Node): string =>
  row.children
    .map((cell) => {
      const { html, colspan, rowspan } = cell.attrs;
      const spans = {
        colspan: colspan === 1 ? null : String(colspan),
        rowspan: rowspan === 1 ? null : String(rowspan),
      };
      return element(cell.type.name === 'tableHeader' ? 'th' : 'td', setAttributes(html, spans), writeBlocks(cell));
    })
    .join('');
