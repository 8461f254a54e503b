import { expect, test } from '@jest/globals';
import { LargeText } from '../../../services/core/large-list.ts';
import { toWire } from '../../../services/gateway/envelope.ts';

const textOf = (hash: string) =>
  new LargeText({ hash, bytes: 1, encoding: 'utf8', read: () => Promise.reject(new Error('it was read')) });
const record = (body: unknown, title = 'T') => ({ id: '1', title, body });
const wireOf = (data: object, fields?: ReadonlySet<string>) => toWire({ kind: 'record', status: 200, data }, fields);
const tagOf = (data: object) => wireOf(data).headers.ETag;

test('a record with a large text has an entity tag that changes with the text and with the other members, unread', () => {
  const data = record(textOf('a'));
  const { body, large, headers } = wireOf(data);
  expect([body, large]).toEqual([null, { record: data }]);
  expect(headers.ETag).toMatch(/^"[\w-]+"$/);
  expect(tagOf(record(textOf('a')))).toBe(headers.ETag);
  expect(tagOf(record(textOf('b')))).not.toBe(headers.ETag);
  expect(tagOf(record(textOf('a'), 'U'))).not.toBe(headers.ETag);
});

test('a large text that is not asked for leaves the record as small as it is', () => {
  const { body, large } = wireOf(record(textOf('a')), new Set(['id', 'title']));
  expect([body, large]).toEqual(['{"success":true,"data":{"id":"1","title":"T"}}', undefined]);
});

test('a record of millions of characters is written in parts, one of a million as a whole', () => {
  expect(wireOf({ results: Array.from({ length: 30 }, () => 'x'.repeat(100_000)) })).toMatchObject({
    body: null,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  });
  expect(wireOf({ code: 'x'.repeat(1_000_000) }).large).toBeUndefined();
});

test('large bytes are announced with their length', () => {
  const body = { bytes: 3, pieces: [] };
  expect(toWire({ kind: 'raw', status: 200, body, contentType: 'text/plain' })).toEqual({
    status: 200,
    headers: { 'Content-Type': 'text/plain', 'Content-Length': '3' },
    body: null,
    large: body,
  });
});
