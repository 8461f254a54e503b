import type { JSONContent } from '@tiptap/core';
import { type ChildNode, Element, Text } from 'domhandler';

/** What the readers of elements share: the source text of elements, and the reader of blocks. */
export interface Source {
  /** The source text of a node. */
  textOf(node: ChildNode): string;
  /** The attributes of an element, as its start tag has them. */
  attributesOf(element: Element): string;
  readBlocks(nodes: readonly ChildNode[]): JSONContent[];
}

/** Whether a node is white space. */
export const isBlank = (node: ChildNode): boolean => node instanceof Text && /^[ \t\n\r\f]*$/.test(node.data);

/** The elements among nodes; undefined if there is other text. */
export function elementsOf(nodes: readonly ChildNode[]): Element[] | undefined {
  const elements = nodes.filter((node) => !isBlank(node));
  return elements.every((node): node is Element => node instanceof Element) ? elements : undefined;
}

/** A block needs at least one block inside. */
export const filled = (blocks: JSONContent[]): JSONContent[] =>
  blocks.length > 0 ? blocks : [{ type: 'paragraph', attrs: { wrapper: 'none' } }];
