import { Editor, type JSONContent } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { useEffect, useRef, useState } from 'react';
import { notifyProblem } from '../../../parts/notify.ts';
import { type EditorDialog, EditorDialogs } from './dialogs.tsx';
import { documentExtensions, editingExtensions } from './extensions.ts';
import { createNodeViews } from './node-views.ts';
import { cleanPastedHtml } from './paste.ts';
import { readHtml } from './read-html.ts';
import { strings } from './strings.ts';
import { Toolbar } from './toolbar.tsx';
import { createHtmlWriter } from './write-html.ts';

const isImage = ({ type }: File): boolean => type.startsWith('image/');

/** The first image among dropped or pasted files. Word processors add a picture of the text, which is not what is meant. */
function imageOf(data: DataTransfer | null): File | undefined {
  if (!data || data.types.includes('text/html')) return undefined;
  return [...data.files].find(isImage);
}

/** Creates the editor of a body in an element. `open` shows a dialog. */
function createEditor(
  element: HTMLElement,
  site: string,
  content: JSONContent[],
  open: (dialog: EditorDialog) => void,
): Editor {
  const editor: Editor = new Editor({
    element,
    injectCSS: false,
    content: { type: 'doc', content },
    extensions: [...documentExtensions, ...editingExtensions, createNodeViews(site, open)],
    editorProps: {
      attributes: {
        'aria-label': strings.body,
        'aria-multiline': 'true',
        'aria-placeholder': strings.bodyHint,
        role: 'textbox',
        class: 'rich-text-page',
      },
      transformPastedHTML: cleanPastedHtml,
      handlePaste: (_view, event) => openImage(imageOf(event.clipboardData)),
      handleDrop(view, event) {
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
        return openImage(imageOf(event.dataTransfer), at);
      },
    },
    onContentError: ({ error }) => notifyProblem(error),
  });
  const openImage = (file: File | undefined, at?: number): boolean => {
    if (!file) return false;
    if (at !== undefined) editor.commands.setTextSelection(at);
    open({ kind: 'image', file });
    return true;
  };
  return editor;
}

/** What a page does with the editor of a body. */
export interface RichTextHandle {
  /** The HTML of the document as it is stored. */
  read(): string;
  focus(): void;
}

/**
 * The editor of a body. `html` is read once; give the component another `key` to show another body. `onChange` is called for every edit, and
 * `onReady` with what reads the document: writing it for every letter would be slow.
 */
export default function RichText({
  site,
  html,
  onReady,
  onChange,
  isReadOnly = false,
}: {
  site: string;
  html: string;
  onReady: (handle: RichTextHandle) => void;
  onChange: () => void;
  isReadOnly?: boolean;
}) {
  const element = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor>();
  const [dialog, setDialog] = useState<EditorDialog>();
  const initial = useRef({ html, onReady, onChange });
  initial.current.onChange = onChange;
  useEffect(() => {
    const { html: stored, onReady: ready } = initial.current;
    const { content, sources } = readHtml(stored);
    const created = createEditor(element.current!, site, content, setDialog);
    const writer = createHtmlWriter({ doc: created.state.doc, html: stored, sources });
    let last: Node | undefined;
    ready({ read: () => writer.write(last ?? created.state.doc), focus: () => created.commands.focus('start') });
    created.on('update', () => initial.current.onChange());
    setEditor(created);
    return () => {
      // what was typed is saved after the page is left
      last = created.state.doc;
      created.destroy();
    };
  }, [site]);
  useEffect(() => {
    if (editor && editor.isEditable === isReadOnly) editor.setEditable(!isReadOnly, false);
  }, [editor, isReadOnly]);
  return (
    <div className="rich-text">
      {editor && !isReadOnly && <Toolbar editor={editor} open={setDialog} />}
      <div ref={element} />
      {editor && dialog && (
        <EditorDialogs
          key={dialog.kind}
          site={site}
          editor={editor}
          dialog={dialog}
          onClose={() => {
            setDialog(undefined);
            editor.commands.focus();
          }}
        />
      )}
    </div>
  );
}
