import { expect, test } from '@jest/globals';
import { etagOf } from '../../../services/core/etag.ts';
import { created, json, list, noContent, ok, Reply, raw } from '../../../services/core/reply.ts';

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
