import type { JSONContent } from '@tiptap/core';
import { type ChildNode, Element, Text } from 'domhandler';
import { markOfTag, markTags, spanTags } from './elements.ts';
import type { Source } from './source.ts';

type Mark = NonNullable<JSONContent['marks']>[number] & { attrs: Record<string, unknown> };

/** Whether an element has something that a reader sees; one that has not would vanish with its text. */
const hasContent = (node: ChildNode): boolean =>
  node instanceof Text ? node.data !== '' : node instanceof Element && (isLeaf(node) || node.children.some(hasContent));

const isLeaf = ({ name }: Element): boolean => !markOfTag.has(name) && !spanTags.includes(name);

/** Reads what a line of text consists of. White space that browsers show as one space becomes one. */
export function readInline(nodes: readonly ChildNode[], source: Source): JSONContent[] {
  const content = nodes.flatMap((node) => readNode(node, [], source));
  const start = content.findIndex((node) => !isSpace(node));
  const shown = start === -1 ? [] : content.slice(start, content.findLastIndex((node) => !isSpace(node)) + 1);
  trim(shown, 0, /^ /);
  trim(shown, shown.length - 1, / $/);
  return shown;
}

const isSpace = ({ type, text }: JSONContent): boolean => type === 'text' && text === ' ';

function trim(content: JSONContent[], index: number, pattern: RegExp): void {
  const node = content[index];
  if (node?.type === 'text') content[index] = { ...node, text: node.text!.replace(pattern, '') };
}

function readNode(node: ChildNode, marks: readonly Mark[], source: Source): JSONContent[] {
  const own = marks.length > 0 ? { marks: marks.map((mark) => ({ ...mark })) } : {};
  if (node instanceof Text)
    return node.data === '' ? [] : [{ type: 'text', text: node.data.replace(/[ \t\n\r\f]+/g, ' '), ...own }];
  if (!(node instanceof Element)) return [];
  const html = source.attributesOf(node);
  if (node.name === 'br') return [{ type: 'hardBreak', attrs: { html }, ...own }];
  if (node.name === 'img') {
    const { src = null, alt = null } = node.attribs;
    return [{ type: 'image', attrs: { src, alt, html }, ...own }];
  }
  const mark = hasContent(node) ? readMark(node, html, marks) : undefined;
  if (!mark) return [{ type: 'opaqueInline', attrs: { source: source.textOf(node) }, ...own }];
  const isRepeated = marks.some((other) => JSON.stringify(other) === JSON.stringify(mark));
  const inside = isRepeated ? marks : [...marks, mark];
  return node.children.flatMap((child) => readNode(child, inside, source));
}

/** The mark of an element. An element inside one of its kind becomes a `span` mark, of which a text may have several. */
function readMark(element: Element, html: string, marks: readonly Mark[]): Mark | undefined {
  const { name } = element;
  if (isLeaf(element)) return undefined;
  const type = markOfTag.get(name);
  if (type === undefined || marks.some((mark) => mark.type === type))
    return { type: 'span', attrs: { tag: name, html } };
  const attrs: Record<string, unknown> = { html };
  if (type === 'link') attrs['href'] = element.attribs['href'] ?? null;
  if (markTags[type]!.length > 1) attrs['tag'] = name;
  return { type, attrs };
}
