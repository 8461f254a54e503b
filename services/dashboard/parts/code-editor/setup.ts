import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view';
import { appearance } from './appearance.ts';

/** The name of the text, and the tab stop of what scrolls, which tools find only as an attribute. */
export const contentAttributes = (label: string) => ({ 'aria-label': label, tabindex: '0' });

/** What a text that is only read has, such as one side of a comparison. */
export const readingSetup = (): Extension => [
  lineNumbers(),
  highlightSpecialChars(),
  bracketMatching(),
  EditorView.lineWrapping,
  keymap.of([...searchKeymap, ...foldKeymap]),
  appearance(),
];

/** What every editor of code has. Tab moves the focus, as everywhere; Ctrl+] and Ctrl+[ indent. */
export const editingSetup = (): Extension => [
  lintGutter(),
  lineNumbers(),
  foldGutter(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  dropCursor(),
  EditorState.allowMultipleSelections.of(true),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion({ icons: false }),
  rectangularSelection(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  EditorView.lineWrapping,
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...completionKeymap,
    ...lintKeymap,
  ]),
  appearance(),
];
