import { expect, test } from '@jest/globals';
import {
  type Chunk,
  inPieces,
  LargeText,
  planPage,
  readWholePage,
  wholeListBytes,
} from '../../../services/core/large-list.ts';
import { jsonOfList, openLargeTexts, partsOf } from '../../../services/gateway/large-reply.ts';

const pagination = { total: 3, page: 1, per_page: 20, total_pages: 1 };
const noMemory = { hold: async () => undefined };

/** Creates a text that is read in pieces of this many bytes, which may split characters. */
const divided = (text: string, bytes: number): LargeText => {
  const whole = Buffer.from(text);
  return textOf(
    Array.from({ length: Math.ceil(whole.length / bytes) }, (_, n) => {
      const piece = whole.subarray(n * bytes, (n + 1) * bytes);
      return { bytes: piece.length, read: async () => piece };
    }),
  );
};

/** Creates a large text of these pieces, whatever their size. */
const textOf = (pieces: Chunk<Buffer>[]) =>
  new LargeText({ hash: 'a'.repeat(64), encoding: 'utf8', open: async () => ({ bytes: 0, pieces }) });

async function join(parts: AsyncIterable<string | Buffer>): Promise<string> {
  let all = '';
  for await (const part of parts) all += part;
  return all;
}

test.each([1, 2, 3, 5, 7, 1000])(
  'is byte for byte what one string would be, with texts in pieces of %i bytes',
  async (bytes) => {
    const text = '\ufeff<p class="a">\\ ä€𝒳\n\t\u0007</p>'.repeat(3);
    const records = (body: unknown) => [
      { id: '1', body_html: body, tags: ['ä'], none: undefined, nothing: null },
      { body_html: body },
      { id: '3', title: 'T' },
    ];
    const [first, ...others] = records(divided(text, bytes));
    const list = {
      items: [first!],
      rest: others.map((record) => ({ bytes: 1, read: async () => [record] })),
      pagination,
      fields: undefined,
    };
    expect(await join(jsonOfList(list, noMemory))).toBe(
      JSON.stringify({ success: true, data: records(text), pagination }),
    );
  },
);

test('an empty text, an empty batch and an empty list are what they are', async () => {
  const empty = { rest: [{ bytes: 1, read: async () => [] }], pagination, fields: undefined };
  expect(JSON.parse(await join(jsonOfList({ ...empty, items: [] }, noMemory))).data).toEqual([]);
  const items = [{ id: '1', body_html: divided('', 1) }];
  expect(JSON.parse(await join(jsonOfList({ ...empty, items }, noMemory))).data).toEqual([{ id: '1', body_html: '' }]);
});

test('every batch and piece is read after memory was taken for it, and none before it is due', async () => {
  const steps: string[] = [];
  const memory = { hold: async (bytes: number) => void steps.push(`hold ${bytes}`) };
  const chunk = <T>(name: string, bytes: number, value: T): Chunk<T> => ({
    bytes,
    read: async () => {
      steps.push(`read ${name}`);
      return value;
    },
  });
  const body = textOf([chunk('first piece', 10, Buffer.from('a')), chunk('second piece', 9, Buffer.from('b'))]);
  const list = {
    items: [{ id: '1' }],
    rest: [chunk('batch', 100, [{ id: '2', body }])],
    pagination,
    fields: undefined,
  };
  for await (const part of jsonOfList(list, memory)) steps.push(part);
  expect(steps).toEqual([
    '{"success":true,"data":[',
    '{"id":"1"}',
    'hold 100',
    'read batch',
    ',',
    '{"id":',
    '"2"',
    ',"body":',
    '"',
    'hold 10',
    'read first piece',
    'a',
    'hold 9',
    'read second piece',
    'b',
    '',
    '"',
    '}',
    `],"pagination":${JSON.stringify(pagination)}}`,
  ]);
});

test('a text that is not asked for is not read', async () => {
  const body = textOf([{ bytes: 1, read: () => Promise.reject(new Error('read')) }]);
  const list = { items: [], rest: [{ bytes: 1, read: async () => [{ id: '1', body }] }], pagination };
  expect(JSON.parse(await join(jsonOfList({ ...list, fields: new Set(['id']) }, noMemory))).data).toEqual([
    { id: '1' },
  ]);
  await expect(join(jsonOfList({ ...list, fields: undefined }, noMemory))).rejects.toThrow('read');
});

test('a page is divided into first rows, batches and rows that are larger than a batch, in its order', async () => {
  const rows = [wholeListBytes - 5, 5, 100_000, 100_000, 100_000, 9_000_000, 1];
  const { first, batches } = planPage(rows, (bytes) => bytes);
  expect(first).toEqual(rows.slice(0, 2));
  expect(batches.map((batch) => batch.rows)).toEqual([[100_000, 100_000], [100_000], [9_000_000], [1]]);
  const rest = batches.map((batch) => ({ bytes: batch.bytes, read: async () => batch.rows }));
  expect(await readWholePage({ total: 7, rows: first, rest })).toEqual(rows);
  expect(planPage([wholeListBytes], (bytes) => bytes).batches).toEqual([]);
});

test('a record is written as one string would be, whatever in it is long', async () => {
  const long = `${'a'.repeat(65_535)}😀${'"\\n\u0007\ud800'.repeat(30_000)}`;
  const record = {
    results: [{ data: { body: long, none: undefined } }, [], {}, [undefined, null], 'x'.repeat(70_000)],
    tags: Array.from({ length: 20_000 }, (_, n) => `tag ${n}`),
    nothing: null,
  };
  expect(await join(partsOf({ record }, noMemory))).toBe(JSON.stringify({ success: true, data: record }));
  for (const empty of [{}, { a: [] }])
    expect(await join(partsOf({ record: empty }, noMemory))).toBe(JSON.stringify({ success: true, data: empty }));
});

// rule: threat.19
test('no part of a long record is long', async () => {
  const record = { a: 'x'.repeat(3_000_000), b: Array.from({ length: 100_000 }, () => 'text') };
  let longest = 0;
  for await (const part of partsOf({ record }, noMemory)) longest = Math.max(longest, part.length);
  expect(longest).toBeLessThan(200_000);
});

test('bytes stand in a text as base64, wherever their pieces end', async () => {
  const whole = Buffer.from(Array.from({ length: 500_000 }, (_, n) => n % 256));
  const read = async (start: number, bytes: number) => whole.subarray(start, start + bytes);
  const open = async (step: number) => ({ bytes: whole.length, pieces: inPieces(whole.length, step, read) });
  const body = new LargeText({ hash: 'a'.repeat(64), encoding: 'base64', open });
  expect((await body.open()).pieces.length).toBeGreaterThan(1);
  expect(await join(partsOf({ record: { body } }, noMemory))).toBe(
    JSON.stringify({ success: true, data: { body: whole.toString('base64') } }),
  );
});

test('the bytes of a reply are read piece by piece', async () => {
  const pieces = ['a', 'é'].map((text) => ({ bytes: 2, read: async () => Buffer.from(text) }));
  expect(await join(partsOf({ bytes: 3, pieces }, noMemory))).toBe('aé');
});

test('a stored body is its segments, with what is large in it read meanwhile', async () => {
  const piece = { bytes: 2, read: async () => Buffer.from('ö') };
  const segments = ['{"a":"', divided('"é"', 1), '","b":"', piece, '"}'];
  expect(await join(partsOf({ segments }, noMemory))).toBe('{"a":"\\"é\\"","b":"ö"}');
});

test('what is not found is known before a byte is sent, at any depth', async () => {
  const lost = () => new LargeText({ hash: 'a', encoding: 'utf8', open: () => Promise.reject(new Error('not found')) });
  for (const body of [{ record: { results: [{ data: { body: lost() } }] } }, { segments: ['x', lost()] }])
    await expect(openLargeTexts(body)).rejects.toThrow('not found');
  await openLargeTexts({ record: { body: 'x' } });
});
