import { type AnyExtension, Extension, type NodeViewRenderer } from '@tiptap/core';
import { NodeSelection, Plugin } from '@tiptap/pm/state';
import type { EditorDialog } from './dialogs.tsx';
import { readImageUrl } from './media.ts';
import { strings } from './strings.ts';
import { mediaIdOf } from './urls.ts';

type Open = (dialog: EditorDialog) => void;

/** Shows images of the library by the URL of a variant. */
const imageView =
  (site: string): NodeViewRenderer =>
  ({ node }) => {
    const dom = document.createElement('img');
    let { src, alt } = node.attrs as { src: string | null; alt: string | null };
    const show = () => {
      dom.alt = alt ?? '';
      dom.title = '';
      const wanted = src ?? '';
      if (mediaIdOf(wanted) === undefined) dom.src = wanted;
      else
        readImageUrl(site, wanted).then(
          (url) => {
            // another image may have been chosen meanwhile
            if (src === wanted) dom.src = url;
          },
          () => {
            if (src === wanted) dom.title = strings.missingImage;
          },
        );
    };
    show();
    return {
      dom,
      update(next) {
        if (next.type !== node.type) return false;
        if (next.attrs['src'] !== src || next.attrs['alt'] !== alt) {
          ({ src, alt } = next.attrs as { src: string | null; alt: string | null });
          show();
        }
        return true;
      },
    };
  };

/** Shows a component as a card with its handle and its variables. */
const componentView =
  (open: Open): NodeViewRenderer =>
  ({ node, getPos }) => {
    const dom = document.createElement('div');
    dom.className = 'editor-component';
    const label = document.createElement('span');
    const vars = document.createElement('small');
    const edit = document.createElement('button');
    edit.type = 'button';
    edit.textContent = strings.edit;
    edit.addEventListener('click', () => open({ kind: 'component', at: getPos()! }));
    dom.append(label, vars, edit);
    const show = ({ handle, vars: text }: Record<string, unknown>) => {
      label.textContent = strings.componentCard(String(handle));
      vars.textContent = text === null ? '' : String(text);
      edit.setAttribute('aria-label', `${strings.edit}: ${label.textContent}`);
    };
    show(node.attrs);
    return {
      dom,
      stopEvent: (event) => event.target === edit,
      update(next) {
        if (next.type !== node.type) return false;
        show(next.attrs);
        return true;
      },
    };
  };

/** Opens the dialog of the selected image or component with Enter, or with a double click. */
const openSelected = (open: Open) =>
  new Plugin({
    props: {
      handleKeyDown(view, event) {
        const { selection } = view.state;
        if (event.key !== 'Enter' || !(selection instanceof NodeSelection)) return false;
        return openNode(open, selection.node.type.name, selection.from);
      },
      handleDoubleClickOn: (_view, _pos, node, nodePos) => openNode(open, node.type.name, nodePos),
    },
  });

function openNode(open: Open, name: string, at: number): boolean {
  if (name !== 'image' && name !== 'component') return false;
  open({ kind: name, at });
  return true;
}

/** How the editor's page shows images and components of the site. */
export const createNodeViews = (site: string, open: Open): AnyExtension =>
  Extension.create({
    name: 'nodeViews',
    addProseMirrorPlugins() {
      const { editor } = this;
      const view = (renderer: NodeViewRenderer) => (node: never, _view: never, getPos: never) =>
        renderer({ editor, node, getPos } as never);
      const nodeViews = { image: view(imageView(site)), component: view(componentView(open)) };
      return [new Plugin({ props: { nodeViews: nodeViews as never } }), openSelected(open)];
    },
  });
