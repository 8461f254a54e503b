import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { Sheet } from '../sheet.tsx';
import sheet from './code-editor.css?url';
import type { CodeEditorProps } from './index.tsx';
import { languageSupport } from './languages.ts';
import { isSameText, textOf } from './line-endings.ts';
import { contentAttributes, editingSetup } from './setup.ts';
import type { CodeFault } from './types.ts';

/** The place of a fault in a text: its column or its whole line. Lines that the text no longer has are the last one. */
function toDiagnostic(doc: Text, { line, column, message, severity = 'error' }: CodeFault): Diagnostic {
  const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
  const start = column === undefined ? from : Math.min(from + Math.max(0, column - 1), to);
  return { from: start, to, severity, message };
}

const readOnly = (isReadOnly: boolean): Extension => EditorState.readOnly.of(isReadOnly);

/** The editor itself, which is loaded when it is first shown. */
export default function Editor(props: CodeEditorProps) {
  const { language, value, isReadOnly = false, faults, extensions, onReady } = props;
  const element = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const parts = useRef({ language: new Compartment(), readOnly: new Compartment(), more: new Compartment() });
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const { language: ofLanguage, readOnly: ofReading, more } = parts.current;
    const first = latest.current;
    const created = new EditorView({
      parent: element.current!,
      state: EditorState.create({
        doc: first.value,
        extensions: [
          // what the page adds has precedence over the common keys
          more.of(first.extensions ?? []),
          editingSetup(),
          ofLanguage.of(languageSupport(first.language)),
          ofReading.of(readOnly(first.isReadOnly ?? false)),
          EditorView.contentAttributes.of(() => contentAttributes(latest.current.label)),
          EditorView.updateListener.of(({ docChanged, state }) => {
            const { value: present, onChange } = latest.current;
            if (docChanged && !isSameText(state.doc, present)) onChange?.(textOf(state.doc, present));
          }),
        ],
      }),
    });
    view.current = created;
    return () => created.destroy();
  }, []);
  useEffect(() => {
    const { state } = view.current!;
    if (isSameText(state.doc, value)) return;
    view.current!.dispatch({ changes: { from: 0, to: state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    view.current!.dispatch({ effects: parts.current.language.reconfigure(languageSupport(language)) });
  }, [language]);
  useEffect(() => {
    view.current!.dispatch({ effects: parts.current.readOnly.reconfigure(readOnly(isReadOnly)) });
  }, [isReadOnly]);
  useEffect(() => {
    view.current!.dispatch({ effects: parts.current.more.reconfigure(extensions ?? []) });
  }, [extensions]);
  useEffect(() => {
    const { state } = view.current!;
    view.current!.dispatch(
      setDiagnostics(
        state,
        (faults ?? []).map((fault) => toDiagnostic(state.doc, fault)),
      ),
    );
  }, [faults]);
  useEffect(() => onReady?.(view.current!), [onReady]);
  return (
    <>
      <Sheet url={sheet} />
      <div ref={element} className="code-editor" />
    </>
  );
}
