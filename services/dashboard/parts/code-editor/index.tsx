import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { lazy, Suspense } from 'react';
import { Pending } from '../pending.tsx';
import type { CodeFault, CodeLanguage } from './types.ts';

export type { CodeFault, CodeLanguage } from './types.ts';

export interface CodeEditorProps {
  /** The name of the text for screen readers. */
  label: string;
  language: CodeLanguage;
  value: string;
  onChange?: (value: string) => void;
  isReadOnly?: boolean;
  /** Shown at their lines. Memoize the list: a new one replaces what is shown. */
  faults?: readonly CodeFault[];
  /** More of the editor, such as completions. Memoize it. */
  extensions?: Extension;
  /** Called with the editor once it is shown; returns what is called when it is gone. Memoize it. */
  onReady?: (view: EditorView) => () => void;
}

const Editor = lazy(() => import('./editor.tsx'));

/** An editor of code with highlighting, completion and faults at their lines. Its code is loaded when it is first shown. */
export const CodeEditor = (props: CodeEditorProps) => (
  <Suspense fallback={<Pending />}>
    <Editor {...props} />
  </Suspense>
);

export interface CodeComparisonProps {
  label: string;
  language: CodeLanguage;
  before: string;
  after: string;
}

const Comparison = lazy(() => import('./comparison.tsx'));

/** Two versions of a code in one text: removed lines, added lines, and what is around them. */
export const CodeComparison = (props: CodeComparisonProps) => (
  <Suspense fallback={<Pending />}>
    <Comparison {...props} />
  </Suspense>
);
