import type { JSONContent } from '@tiptap/core';
import { type ChildNode, Element, Text } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { readAttributeText } from './attributes.ts';
import { containerTags, inlineTags, lineTags } from './elements.ts';
import { readInline } from './read-inline.ts';
import { readTable } from './read-table.ts';
import { elementsOf, filled, isBlank, type Source } from './source.ts';

/** The nodes of a document, at least one, and the source text of each of its top-level nodes with the white space before it. */
export interface ReadDocument {
  content: JSONContent[];
  sources: string[];
}

/** Whether the node and everything inside is part of a line of text. */
const isInline = (node: ChildNode): boolean =>
  !(node instanceof Element) || (inlineTags.has(node.name) && node.children.every(isInline));

/**
 * Reads stored HTML, which the sanitizer wrote. What a document of the editor cannot represent becomes an opaque node with its source text, so
 * that nothing is lost (docs/decisions/0265).
 */
export function readHtml(html: string): ReadDocument {
  const root = parseDocument(html, { withStartIndices: true, withEndIndices: true });
  const source: Source = {
    textOf: (node) => html.slice(node.startIndex!, node.endIndex! + 1),
    attributesOf: (element) => readAttributeText(/^<[^>]*>/.exec(html.slice(element.startIndex!))![0]),
    readBlocks: (nodes) => readBlocks(nodes, source).map(({ node }) => node),
  };
  const blocks = readBlocks(root.children, source);
  const ends = blocks.map(({ last }, index) => (index === blocks.length - 1 ? html.length : last.endIndex! + 1));
  const sources = ends.map((end, index) => html.slice(index === 0 ? 0 : ends[index - 1], end));
  const content = blocks.map(({ node }) => node);
  return { content: content.length > 0 ? content : [{ type: 'paragraph' }], sources };
}

interface Block {
  node: JSONContent;
  /** Where the source text of the block ends. */
  last: ChildNode;
}

function readBlocks(nodes: readonly ChildNode[], source: Source): Block[] {
  const blocks: Block[] = [];
  let run: ChildNode[] = [];
  const endRun = () => {
    blocks.push(...readRun(run, source));
    run = [];
  };
  for (const node of nodes) {
    if (isInline(node)) run.push(node);
    else {
      endRun();
      blocks.push({ node: readBlock(node as Element, source), last: node });
    }
  }
  endRun();
  return blocks;
}

/** Reads inline nodes that no block of their own contains: components, or a paragraph without `<p>`. */
function readRun(run: readonly ChildNode[], source: Source): Block[] {
  const last = run.findLast((node) => !isBlank(node));
  if (!last) return [];
  const components = elementsOf(run);
  if (components?.every(({ name, children }) => name === 'x-component' && children.length === 0))
    return components.map((element) => ({ node: readComponent(element, source), last: element }));
  return [{ node: { type: 'paragraph', attrs: { wrapper: 'none' }, content: readInline(run, source) }, last }];
}

const readComponent = (element: Element, source: Source): JSONContent => ({
  type: 'component',
  attrs: {
    handle: element.attribs['handle'] ?? null,
    vars: element.attribs['vars'] ?? null,
    html: source.attributesOf(element),
  },
});

function readBlock(element: Element, source: Source): JSONContent {
  return readKnownBlock(element, source) ?? { type: 'opaqueBlock', attrs: { source: source.textOf(element) } };
}

function readKnownBlock(element: Element, source: Source): JSONContent | undefined {
  const { name, children } = element;
  const html = source.attributesOf(element);
  const lines = (type: string, attrs: object = {}) =>
    children.every(isInline) ? { type, attrs: { ...attrs, html }, content: readInline(children, source) } : undefined;
  const blocks = (type: string, attrs: object = {}) => ({
    type,
    attrs: { ...attrs, html },
    content: filled(source.readBlocks(children)),
  });
  if (name === 'p') return lines('paragraph', { wrapper: 'p' });
  if (/^h[1-6]$/.test(name)) return lines('heading', { level: Number(name[1]) });
  if (lineTags.includes(name)) return lines('line', { tag: name });
  if (name === 'hr') return { type: 'horizontalRule', attrs: { html } };
  if (name === 'blockquote') return blocks('blockquote');
  if (containerTags.includes(name)) return blocks('container', { tag: name });
  if (name === 'ul' || name === 'ol') return readList(element, html, source);
  if (name === 'pre') return readCode(element, html, source);
  if (name === 'table') return readTable(element, html, source);
  return undefined;
}

function readList(element: Element, html: string, source: Source): JSONContent | undefined {
  const items = elementsOf(element.children);
  if (!items || items.length === 0 || items.some(({ name }) => name !== 'li')) return undefined;
  const content = items.map((item) => ({
    type: 'listItem',
    attrs: { html: source.attributesOf(item) },
    content: filled(source.readBlocks(item.children)),
  }));
  if (element.name === 'ul') return { type: 'bulletList', attrs: { html }, content };
  const { start = '1' } = element.attribs;
  return { type: 'orderedList', attrs: { html, start: /^-?\d{1,9}$/.test(start) ? Number(start) : 1 }, content };
}

function readCode(element: Element, html: string, source: Source): JSONContent | undefined {
  const [only] = element.children;
  const code = element.children.length === 1 && only instanceof Element && only.name === 'code' ? only : undefined;
  const holder = code ?? element;
  if (!holder.children.every((node) => node instanceof Text)) return undefined;
  const text = holder.children.map((node) => (node as Text).data).join('');
  const codeHtml = code ? source.attributesOf(code) : '';
  const language = /^ class="language-([^\s"&]+)"$/.exec(codeHtml)?.[1] ?? null;
  return {
    type: 'codeBlock',
    // a browser ignores a line break after `<pre>`
    attrs: { html, isPlain: !code, codeHtml: language === null ? codeHtml : '', language },
    content: textContent(code ? text : text.replace(/^\n/, '')),
  };
}

const textContent = (text: string): JSONContent[] => (text === '' ? [] : [{ type: 'text', text }]);
