import { expect, test } from '@jest/globals';
import { isTagList, namesTag } from '../../../services/core/etag.ts';

test.each(['*', ' * ', '"a"', '""', 'W/"a"', '"a","b"', '"a" , W/"b"', ', "a",, "b" ,', '"a,b"', '"\u00e9"'])(
  'If-Match takes %j',
  (header) => expect(isTagList(header)).toBe(true),
);

test.each([
  '',
  ' ',
  ',',
  'a',
  '"a',
  'a"',
  '"a" "b"',
  '"a", *',
  '*, "a"',
  '**',
  'w/"a"',
  'W/a',
  '"a"b',
  '"a\tb"',
  '"a";q=1',
])('If-Match takes no %j', (header) => expect(isTagList(header)).toBe(false));

test('a long list of tags is read in linear time', () => {
  const tags = Array.from({ length: 500 }, (_, index) => `"${index}"`).join(' , ');
  expect([isTagList(tags), isTagList(`${tags} x`)]).toEqual([true, false]);
  expect(isTagList(`${' \t,'.repeat(3000)}"a`)).toBe(false);
});

test('a tag is named by a list with it, weak or not, and by *', () => {
  for (const header of ['"a"', 'W/"a"', '"b", "a"', '*'])
    expect([header, namesTag(header, '"a"')]).toEqual([header, true]);
  for (const header of ['"b"', '"ab"', 'a']) expect([header, namesTag(header, '"a"')]).toEqual([header, false]);
});
