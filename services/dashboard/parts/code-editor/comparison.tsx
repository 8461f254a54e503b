import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { Sheet } from '../sheet.tsx';
import sheet from './code-editor.css?url';
import type { CodeComparisonProps } from './index.tsx';
import { languageSupport } from './languages.ts';
import { contentAttributes, readingSetup } from './setup.ts';

/** The comparison itself, which is loaded when it is first shown. */
export default function Comparison({ label, language, before, after }: CodeComparisonProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new EditorView({
      parent: element.current!,
      state: EditorState.create({
        doc: after,
        extensions: [
          readingSetup(),
          languageSupport(language),
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of(contentAttributes(label)),
          unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } }),
        ],
      }),
    });
    return () => view.destroy();
  }, [label, language, before, after]);
  return (
    <>
      <Sheet url={sheet} />
      <div ref={element} className="code-editor" data-comparison />
    </>
  );
}
