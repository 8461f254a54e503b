import { describe, expect, test } from '@jest/globals';
import { createTraceWriter, findStale, type TraceChunk } from '../../../services/build/trace.ts';

const values = (table: Record<string, string>) => (key: string) => table[key] ?? '';

function traceOf(pages: Record<string, string[]>, table: Record<string, string>) {
  const writer = createTraceWriter(values(table));
  for (const [path, reads] of Object.entries(pages)) writer.add(path, reads);
  return writer.chunk;
}

describe('a page is rendered again', () => {
  const table = { a: '1', b: '1', c: '1' };
  const trace = traceOf({ '/x/': ['a', 'b', 'a'], '/y/': ['c'] }, table);

  test('when something it read has changed, and the reason names it', () => {
    expect(findStale(trace, values({ ...table, b: '2' }))).toEqual(new Map([['/x/', ['b']]]));
  });
  test('not because of what others read', () => {
    expect(findStale(trace, values({ ...table, c: '9' }))).toEqual(new Map([['/y/', ['c']]]));
    expect(findStale(trace, values(table))).toEqual(new Map());
  });
  test('only for reads that may differ', () => {
    const now = values({ a: '2', b: '2', c: '2' });
    expect(findStale(trace, now, (key) => key === 'b')).toEqual(new Map([['/x/', ['b']]]));
  });
});

const readsOf = ({ keys, pages }: TraceChunk, path: string) => pages[path]!.map((index) => keys[index]);

test('a trace keeps each read of a page once', () => {
  const trace = traceOf({ '/x/': ['a', 'b', 'a'], '/y/': ['b'], '/__proto__/': [] }, {});
  expect(trace.keys).toEqual(['a', 'b']);
  expect(readsOf(trace, '/x/')).toEqual(['a', 'b']);
  expect(readsOf(trace, '/__proto__/')).toEqual([]);
});

describe('a copied page', () => {
  const table = { a: '1', b: '2', c: '3', d: '4' };
  const from = traceOf({ '/x/': ['a', 'b'], '/y/': ['b', 'c'] }, table);

  test('has the same reads, and makes the same trace as a rendered one', () => {
    const pages = { '/new/': ['c', 'd'], '/x/': ['a', 'b'], '/y/': ['b', 'c'] };
    const writer = createTraceWriter(values(table));
    writer.add('/new/', pages['/new/']);
    writer.copy('/x/', from);
    writer.copy('/y/', from);
    expect(writer.chunk).toEqual(traceOf(pages, table));
    expect(JSON.stringify(writer.chunk)).toBe(JSON.stringify(traceOf(pages, table)));
  });

  test('has no reads if the earlier release does not have it', () => {
    const writer = createTraceWriter(values(table));
    writer.copy('/nothing/', from);
    writer.copy('/x/', undefined);
    expect(readsOf(writer.chunk, '/nothing/')).toEqual([]);
    expect(readsOf(writer.chunk, '/x/')).toEqual([]);
  });
});
