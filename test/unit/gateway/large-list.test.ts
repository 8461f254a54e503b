import { expect, test } from '@jest/globals';
import { type Chunk, LargeText, planPage, readWholePage, wholeListBytes } from '../../../services/core/large-list.ts';
import { jsonOfList } from '../../../services/gateway/large-list.ts';

const pagination = { total: 3, page: 1, per_page: 20, total_pages: 1 };
const noMemory = { hold: async () => undefined };

/** A text in pieces of this number of bytes, which need not end where characters end. */
const inPieces = (text: string, bytes: number): LargeText => {
  const whole = Buffer.from(text);
  const pieces: Chunk<Buffer>[] = [];
  for (let start = 0; start < whole.length; start += bytes) {
    const piece = whole.subarray(start, start + bytes);
    pieces.push({ bytes: piece.length, read: async () => piece });
  }
  return new LargeText(pieces);
};

async function join(parts: AsyncIterable<string>): Promise<string> {
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
    const [first, ...others] = records(inPieces(text, bytes));
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
  const items = [{ id: '1', body_html: inPieces('', 1) }];
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
  const body = new LargeText([chunk('first piece', 10, Buffer.from('a')), chunk('second piece', 9, Buffer.from('b'))]);
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
    '{"id":"2","body":"',
    'hold 10',
    'read first piece',
    'a',
    'hold 9',
    'read second piece',
    'b',
    '',
    '"}',
    `],"pagination":${JSON.stringify(pagination)}}`,
  ]);
});

test('a text that is not asked for is not read', async () => {
  const body = new LargeText([{ bytes: 1, read: () => Promise.reject(new Error('read')) }]);
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
