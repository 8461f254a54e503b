import { gunzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { createLineWriter, type Line, parseLines } from '../../../services/features/backups/lines.ts';

async function write(lines: readonly Line[]) {
  const writer = createLineWriter();
  for (const line of lines) await writer.add(line);
  return { document: await writer.end(), rows: writer.rows };
}

const lines: Line[] = [
  ['sites', { id: 's', name: 'Zeilen\nund \u2028 Zeichen: ä€😀', domain: null }],
  ['content', { id: 'a', revision: 3, tags: ['x', 'y'], body_html: '<p>\\n</p>' }],
  ['content', { id: 'b', revision: 1, tags: [], body_html: '' }],
];

test('lines come back as they were, and are counted by table', async () => {
  const { document, rows } = await write(lines);
  expect(parseLines(gunzipSync(document))).toEqual(lines);
  expect(rows).toEqual({ sites: 1, content: 2 });
});

test('a document of many pieces is one document, and is never one string', async () => {
  const long = lines.concat(
    Array.from({ length: 5 }, (_, n): Line => ['content', { id: String(n), body_html: 'é'.repeat(2_000_000) }]),
  );
  const { document } = await write(long);
  const data = gunzipSync(document);
  const wholeText = data.toString.bind(data);
  data.toString = ((encoding?: BufferEncoding, start?: number, end?: number) => {
    if (start === undefined) throw new Error('longer than a string may be');
    return wholeText(encoding, start, end);
  }) as typeof data.toString;
  expect(parseLines(data)).toEqual(long);
});

test('a site without rows has an empty document', async () => {
  const { document, rows } = await write([]);
  expect(parseLines(gunzipSync(document))).toEqual([]);
  expect(rows).toEqual({});
});
