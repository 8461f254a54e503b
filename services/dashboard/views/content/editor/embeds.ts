import { Node } from '@tiptap/core';

/** An image in a line of text. `src` is a URL or `media:{id}` (spec: Media item). */
export const Image = Node.create({
  name: 'image',
  group: 'inline',
  inline: true,
  draggable: true,
  addAttributes() {
    return { src: { default: '' }, alt: { default: null } };
  },
  parseHTML: () => [{ tag: 'img[src]:not([src^="data:"]):not([src^="file:"])' }],
  renderHTML: ({ HTMLAttributes }) => ['img', HTMLAttributes],
});

/** A component of the site, `<x-component>`. `vars` is its JSON text. */
export const Component = Node.create({
  name: 'component',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes() {
    return { handle: { default: null }, vars: { default: null } };
  },
  parseHTML: () => [{ tag: 'x-component[handle]' }],
  renderHTML: ({ HTMLAttributes }) => ['x-component', HTMLAttributes],
});
