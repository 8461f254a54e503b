import type { Mark, Node } from '@tiptap/pm/model';
import { escapeText, setAttributes } from './attributes.ts';
import { markTags } from './elements.ts';
import { isAllowedImage, isAllowedLink } from './urls.ts';

/** Writes what a line of text consists of. Of several marks the one that reaches farthest is outermost. */
export function writeInline(parent: Node): string {
  const nodes = parent.children;
  const open: Mark[] = [];
  let out = '';
  const closeTo = (depth: number) => {
    while (open.length > depth) out += `</${tagOf(open.pop()!)}>`;
  };
  nodes.forEach((node, index) => {
    const marks = node.marks.filter(isWritten);
    const kept = open.findIndex((mark) => !mark.isInSet(marks));
    closeTo(kept === -1 ? open.length : kept);
    const added = marks.filter((mark) => !mark.isInSet(open));
    const reach = new Map(added.map((mark) => [mark, reachOf(mark, nodes, index)]));
    for (const mark of added.sort((a, b) => reach.get(b)! - reach.get(a)!)) {
      out += `<${tagOf(mark)}${attributesOf(mark)}>`;
      open.push(mark);
    }
    out += writeNode(node);
  });
  closeTo(0);
  return out;
}

/** The index of the first node, from `index` on, that does not have the mark. */
function reachOf(mark: Mark, nodes: readonly Node[], index: number): number {
  let end = index;
  while (end < nodes.length && mark.isInSet(nodes[end]!.marks)) end++;
  return end;
}

/** A link that the sanitizer would empty is written as its text. */
const isWritten = ({ type, attrs }: Mark): boolean =>
  type.name !== 'link' || attrs['href'] === null || isAllowedLink(attrs['href']);

const tagOf = ({ type, attrs }: Mark): string => attrs['tag'] ?? markTags[type.name]![0]!;

const attributesOf = ({ type, attrs }: Mark): string =>
  type.name === 'link' ? setAttributes(attrs['html'], { href: attrs['href'] }) : attrs['html'];

function writeNode({ type, attrs, text }: Node): string {
  switch (type.name) {
    case 'text':
      return escapeText(text!);
    case 'hardBreak':
      return `<br${attrs['html']}>`;
    case 'image':
      return attrs['src'] === null || isAllowedImage(attrs['src'])
        ? `<img${setAttributes(attrs['html'], { src: attrs['src'], alt: attrs['alt'] })}>`
        : '';
    case 'opaqueInline':
      return attrs['source'];
    default:
      throw new Error(`A line has no node "${type.name}".`);
  }
}
