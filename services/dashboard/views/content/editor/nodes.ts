import { Extension, type GlobalAttributes, Mark, mergeAttributes, Node } from '@tiptap/core';
import { Code } from '@tiptap/extension-code';
import { CodeBlock } from '@tiptap/extension-code-block';
import { Link } from '@tiptap/extension-link';
import { ListItem } from '@tiptap/extension-list';
import { Paragraph } from '@tiptap/extension-paragraph';
import { isAllowedLink } from './urls.ts';

// What stored HTML has beyond the documents of TipTap's own extensions. Nodes and marks keep the attributes that the editor does not edit in
// `html` (attributes.ts). They are not put into the editor's page, where a class or an id of an article could change the dashboard.

/** Returns an attribute of an element of a page. The tests of documents run without a browser and its types. */
export const attributeOf = (element: object, name: string): string | null =>
  (element as { getAttribute(name: string): string | null }).getAttribute(name);

/** An attribute of the document that the page of the editor does not show. */
export const hidden = <Value>(value: Value) => ({
  default: value,
  rendered: false,
  keepOnSplit: false,
  parseHTML: () => null,
});

/** Carries `html` through copy and paste inside the editor. Texts from elsewhere lose it (paste.ts). */
const carried = {
  default: '',
  keepOnSplit: false,
  parseHTML: (element: object) => attributeOf(element, 'data-fs-html') ?? '',
  renderHTML: ({ html }: Record<string, unknown>): Record<string, unknown> | null =>
    html ? { 'data-fs-html': html } : null,
};

/** Gives every node and mark `html`; marks of several elements also have `tag`. */
export const SourceAttributes = Extension.create({
  name: 'sourceAttributes',
  addGlobalAttributes(): GlobalAttributes {
    const blocks = ['paragraph', 'heading', 'blockquote', 'bulletList', 'orderedList', 'listItem', 'codeBlock'];
    const tables = ['table', 'tableRow', 'tableCell', 'tableHeader'];
    const others = ['horizontalRule', 'hardBreak', 'image', 'container', 'line', 'component'];
    const marks = ['link', 'bold', 'italic', 'underline', 'strike', 'code', 'span'];
    return [
      { types: [...blocks, ...tables, ...others, ...marks], attributes: { html: carried } },
      { types: ['bold', 'italic', 'strike'], attributes: { tag: hidden(null) } },
    ];
  },
});

/** `wrapper`: `p` with the element, `none` without, null for a new paragraph, which has it unless it is all of a list item or a cell. */
export const SourceParagraph = Paragraph.extend({
  addAttributes() {
    return { wrapper: { ...hidden(null), keepOnSplit: true } };
  },
});

/** HTML allows any block as the first of an item. */
export const SourceListItem = ListItem.extend({ content: 'block+' });

/** Code may be bold or a link. */
export const SourceCode = Code.extend({ excludes: 'code' });

/** `isPlain`: `<pre>` without `<code>`. `codeHtml`: the attributes of `<code>` but for the language. */
export const SourceCodeBlock = CodeBlock.extend({
  addAttributes() {
    return { ...this.parent?.(), isPlain: hidden(false), codeHtml: hidden('') };
  },
});

export const SourceLink = Link.extend({
  addAttributes() {
    return { href: { default: null } };
  },
}).configure({ openOnClick: false, defaultProtocol: 'https', isAllowedUri: (url) => isAllowedLink(url) });

/** Elements around text that have no button. Several may be inside one another. */
export const Span = Mark.create({
  name: 'span',
  excludes: '',
  addAttributes() {
    return { tag: hidden('span') };
  },
  parseHTML() {
    return ['sub', 'sup', 'kbd', 'mark', 'small', 'abbr', 'cite', 'q', 'ins'].map((tag) => ({ tag, attrs: { tag } }));
  },
  renderHTML: ({ mark, HTMLAttributes }) => [mark.attrs['tag'] as string, HTMLAttributes, 0],
});

export const Container = Node.create({
  name: 'container',
  group: 'block',
  content: 'block+',
  addAttributes() {
    return { tag: hidden('div') };
  },
  parseHTML() {
    return [{ tag: 'figure', attrs: { tag: 'figure' } }];
  },
  renderHTML: ({ node, HTMLAttributes }) => [
    'div',
    mergeAttributes(HTMLAttributes, { 'data-tag': node.attrs['tag'] }),
    0,
  ],
});

export const Line = Node.create({
  name: 'line',
  group: 'block',
  content: 'inline*',
  defining: true,
  addAttributes() {
    return { tag: hidden('figcaption') };
  },
  parseHTML() {
    return [{ tag: 'figcaption', attrs: { tag: 'figcaption' } }];
  },
  renderHTML: ({ node, HTMLAttributes }) => [
    'div',
    mergeAttributes(HTMLAttributes, { 'data-tag': node.attrs['tag'] }),
    0,
  ],
});

/** HTML that the editor does not edit: shown as a card and written back as it was. */
const opaque = (name: 'opaqueBlock' | 'opaqueInline', tag: 'div' | 'span') =>
  Node.create({
    name,
    group: name === 'opaqueBlock' ? 'block' : 'inline',
    inline: name === 'opaqueInline',
    atom: true,
    selectable: true,
    draggable: true,
    addAttributes() {
      return {
        source: {
          default: '',
          parseHTML: (element: object) => attributeOf(element, 'data-fs-source') ?? '',
          renderHTML: ({ source }: Record<string, unknown>) => ({ 'data-fs-source': source }),
        },
      };
    },
    parseHTML: () => [{ tag: `${tag}[data-fs-source]`, priority: 60 }],
    renderHTML: ({ node, HTMLAttributes }) => [
      tag,
      { ...HTMLAttributes, class: 'editor-opaque' },
      /^<([a-z0-9-]+)/.exec(node.attrs['source'] as string)?.[1] ?? 'html',
    ],
  });

export const OpaqueBlock = opaque('opaqueBlock', 'div');
export const OpaqueInline = opaque('opaqueInline', 'span');
