import { describe, expect, test } from '@jest/globals';
import { namesTag } from '../../../services/core/etag.ts';
import { mayUseRange, parseRange } from '../../../services/edge/conditional.ts';

describe('Range', () => {
  test.each([
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=0-99', { first: 0, last: 99 }],
    ['bytes=0-1000', { first: 0, last: 99 }],
    ['bytes=90-', { first: 90, last: 99 }],
    ['bytes=-10', { first: 90, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
    ['Bytes=5-6', { first: 5, last: 6 }],
    ['bytes= 5-6 ', { first: 5, last: 6 }],
    ['bytes=99-99', { first: 99, last: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=100-200', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=99999999999999999999-', 'unsatisfiable'],
    ['bytes=0-99999999999999999999', { first: 0, last: 99 }],
    ['bytes=6-5', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes=0x1-5', 'whole'],
    ['bytes=1-2abc', 'whole'],
    ['items=0-1', 'whole'],
    ['bytes=0-1,5-6', 'whole'],
    ['bytes', 'whole'],
    ['', 'whole'],
  ])('%p of 100 bytes is %p', (header, result) => {
    expect(parseRange(header, 100)).toEqual(result);
  });

  test('nothing of an empty body can be served', () => {
    expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable');
    expect(parseRange('bytes=-5', 0)).toBe('unsatisfiable');
  });
});

describe('If-None-Match', () => {
  test.each([
    ['"abc"', true],
    ['W/"abc"', true],
    ['*', true],
    ['"x", "abc"', true],
    ['"x" , W/"abc" ,"y"', true],
    ['"x,y", "abc"', true],
    ['"abcd"', false],
    ['abc', false],
    ['"abc-br"', false],
    ['', false],
    ['"*"', false],
  ])('%p against "abc" is %p', (header, result) => {
    expect(namesTag(header, '"abc"')).toBe(result);
  });
});

describe('If-Match, by the strong comparison', () => {
  test.each([
    ['"abc"', true],
    ['*', true],
    ['W/"x", "abc"', true],
    ['W/"abc"', false],
    ['W/"abc", "x"', false],
    ['W/"abc", "abc"', true],
  ])('%p against "abc" is %p', (header, result) => {
    expect(namesTag(header, '"abc"', 'strong')).toBe(result);
  });
});

describe('If-Range', () => {
  test('a range is served without it, or under the same strong tag', () => {
    expect(mayUseRange(undefined, '"abc"')).toBe(true);
    expect(mayUseRange('"abc"', '"abc"')).toBe(true);
  });

  test('a weak tag, another tag and a date get the whole', () => {
    expect(mayUseRange('W/"abc"', '"abc"')).toBe(false);
    expect(mayUseRange('"def"', '"abc"')).toBe(false);
    expect(mayUseRange('Wed, 21 Oct 2015 07:28:00 GMT', '"abc"')).toBe(false);
  });
});
