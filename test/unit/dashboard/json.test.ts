import { expect, test } from '@jest/globals';
import { isSameJson, mergeEdits } from '../../../services/dashboard/parts/json.ts';

test('the order of members makes no difference, the order of a list does', () => {
  expect(isSameJson({ a: { x: 1, y: [1, 2] }, b: null }, { b: null, a: { y: [1, 2], x: 1 } })).toBe(true);
  expect(isSameJson([1, 2], [2, 1])).toBe(false);
  expect(isSameJson({ a: null }, {})).toBe(false);
});

test('what was edited here is kept over a change of somebody else, and what was not edited is theirs', () => {
  const before = { name: 'Old', css: 'p {}', schema: { a: 1, b: 2 } as object };
  const mine = { name: 'Old', css: 'mine', schema: { b: 2, a: 1 } as object };
  const theirs = { name: 'Theirs', css: 'theirs', schema: { c: 3 } as object };
  expect(mergeEdits(before, mine, theirs)).toEqual({ name: 'Theirs', css: 'mine', schema: { c: 3 } });
});
