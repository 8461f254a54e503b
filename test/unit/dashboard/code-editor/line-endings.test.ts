import { EditorState } from '@codemirror/state';
import { expect, test } from '@jest/globals';
import { isSameText, textOf } from '../../../../services/dashboard/parts/code-editor/line-endings.ts';

test.each(['a\nb\n', 'a\r\nb\r\n', 'a\rb\r', 'a', ''])('a file is unchanged when it is opened: %j', (text) => {
  const { doc } = EditorState.create({ doc: text });
  expect([isSameText(doc, text), textOf(doc, text)]).toEqual([true, text]);
});

test('an edited file keeps its line ending', () => {
  const before = 'a\r\nb\r\n';
  const state = EditorState.create({ doc: before });
  const { doc } = state.update({ changes: { from: 1, insert: '\nc' } }).state;
  expect([isSameText(doc, before), textOf(doc, before)]).toEqual([false, 'a\r\nc\r\nb\r\n']);
});
