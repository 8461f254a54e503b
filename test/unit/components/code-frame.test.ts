import { expect, test } from '@jest/globals';
import { codeFrame } from '../../../services/engines/components/code-frame.ts';
import { nestsBrackets, nestsCode } from '../../../services/engines/components/nesting.ts';

test.each([
  ['one', 1, '1 | one\n  | ^'],
  ['one\ntwo', 2, '2 | two\n  | ^'],
  ['one\r\ntwo\rthree', 3, '3 | three\n  | ^'],
  ['one\n', 2, '2 | \n  | ^'],
  ['one', 2, ''],
  ['one', 0, ''],
])('the line of %j with number %i is shown with a mark', (source, line, frame) => {
  expect(codeFrame(source, line, 1)).toBe(frame);
});

test('a long line is cut to what is around the mark', () => {
  expect(codeFrame(`${'a'.repeat(500)}b${'c'.repeat(500)}`, 1, 501)).toBe(
    `1 | ${'a'.repeat(49)}b${'c'.repeat(50)}\n  | ${' '.repeat(49)}^`,
  );
});

test.each([
  ['([{'.repeat(4), true],
  ['([{}])'.repeat(9), false],
  ['a=>'.repeat(11), true],
  [`${'a=>'.repeat(9)};${'a=>'.repeat(9)}`, false],
  ['! ~'.repeat(6), true],
  ['!a~b'.repeat(9), false],
])('%j nests more than 10 deep: %p', (source, deep) => {
  expect(nestsCode(source, 10)).toBe(deep);
});

test('brackets that close nothing do not make room for others', () => {
  expect(nestsBrackets(`${'}'.repeat(20)}${'{'.repeat(11)}`, 10)).toBe(true);
});
