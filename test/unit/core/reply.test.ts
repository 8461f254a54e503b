import { expect, test } from '@jest/globals';
import { etagOf } from '../../../services/core/etag.ts';
import { LargeText } from '../../../services/core/large-list.ts';
import { created, json, list, noContent, ok, Reply, raw, rawLarge } from '../../../services/core/reply.ts';

test('a body is serialised once, however often its bytes are asked for', () => {
  let serialised = 0;
  const reply = created({
    id: '1',
    toJSON() {
      serialised++;
      return { id: '1' };
    },
  });
  expect(reply.bytes).toBe(reply.bytes);
  expect([String(reply.bytes), serialised]).toEqual(['{"success":true,"data":{"id":"1"}}', 1]);
  expect(reply.headers).toEqual({
    'Content-Type': 'application/json; charset=utf-8',
    ETag: etagOf('{"success":true,"data":{"id":"1"}}'),
  });
  expect(serialised).toBe(1);
});

test('records keep the members that are asked for', () => {
  const fields = new Set(['id']);
  expect(String(ok({ id: '1', name: 'x' }).keepFields(fields).bytes)).toBe('{"success":true,"data":{"id":"1"}}');
  const page = { page: 1, per_page: 20 };
  expect(JSON.parse(String(list([{ id: '1', name: 'x' }], 21, page).keepFields(fields).bytes))).toEqual({
    success: true,
    data: [{ id: '1' }],
    pagination: { total: 21, page: 1, per_page: 20, total_pages: 2 },
  });
});

test('a list with records to come has no bytes and no entity tag', () => {
  const rest = [{ bytes: 1, read: async () => [{ id: '2' }] }];
  const pagination = { total: 2, page: 1, per_page: 20, total_pages: 1 };
  const reply = new Reply(200, { kind: 'list', items: [{ id: '1' }], rest, pagination });
  expect([reply.bytes, reply.headers.ETag]).toEqual([null, undefined]);
  expect(reply.large).toMatchObject({ items: [{ id: '1' }], pagination });
});

test('bytes go out as they are, under the headers that they came with', () => {
  const reply = raw(200, 'ok\n', { 'Content-Type': 'text/plain' });
  expect([reply.status, String(reply.bytes), reply.headers]).toEqual([200, 'ok\n', { 'Content-Type': 'text/plain' }]);
  expect([noContent().status, noContent().bytes, noContent().headers]).toEqual([204, null, {}]);
  expect(json(404, { success: false }, {}).headers).toEqual({ 'Content-Type': 'application/json; charset=utf-8' });
});

const unread = (hash: string) =>
  new LargeText({ hash, encoding: 'utf8', open: () => Promise.reject(new Error('it was read')) });
const record = (body: unknown, title = 'T') => ({ id: '1', title, body });
const tagOf = (data: object) => ok(data).headers['ETag'];

test('a record with a large text has an entity tag that changes with the text and with the other members, unread', () => {
  const data = record(unread('a'));
  const reply = ok(data);
  expect([reply.bytes, reply.large]).toEqual([null, { record: data }]);
  expect(reply.headers['ETag']).toMatch(/^"[\w-]+"$/);
  expect(tagOf(record(unread('a')))).toBe(reply.headers['ETag']);
  expect(tagOf(record(unread('b')))).not.toBe(reply.headers['ETag']);
  expect(tagOf(record(unread('a'), 'U'))).not.toBe(reply.headers['ETag']);
});

test('a large text that is not asked for leaves the record as small as it is', () => {
  const reply = ok(record(unread('a'))).keepFields(new Set(['id', 'title']));
  expect([String(reply.bytes), reply.large]).toEqual(['{"success":true,"data":{"id":"1","title":"T"}}', undefined]);
});

// rule: beyond.1
test('a record has one entity tag, whichever of its members are shown', () => {
  for (const data of [{ id: '1', title: 'T' }, record(unread('a'))]) {
    const tags = [undefined, new Set(['id']), new Set(['title'])].map(
      (fields) => ok(data).keepFields(fields).headers['ETag'],
    );
    expect(tags).toEqual(Array(3).fill(tagOf(data)));
  }
});

test('a reply that shows more or less than the record has the tag that it is given', () => {
  expect(created({ id: '1', secret: 's' }, '"given"').headers['ETag']).toBe('"given"');
  expect(ok({ id: '1' }, '"given"').keepFields(new Set(['id'])).headers['ETag']).toBe('"given"');
});

test('a record of millions of characters is written in parts, without an entity tag; one of a million as a whole', () => {
  const batch = ok({ results: Array.from({ length: 30 }, () => 'x'.repeat(100_000)) });
  expect([batch.bytes, batch.headers]).toEqual([null, { 'Content-Type': 'application/json; charset=utf-8' }]);
  expect(ok({ code: 'x'.repeat(1_000_000) }).large).toBeUndefined();
});

test('large bytes are announced with their length, a stored body without', () => {
  const body = { bytes: 3, pieces: [] };
  const reply = rawLarge(200, body, { 'Content-Type': 'text/plain' });
  expect([reply.bytes, reply.large]).toEqual([null, body]);
  expect(reply.headers).toEqual({ 'Content-Type': 'text/plain', 'Content-Length': '3' });
  expect(rawLarge(200, { segments: [] }, {}).headers).toEqual({});
});
