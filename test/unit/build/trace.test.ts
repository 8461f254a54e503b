import { describe, expect, test } from '@jest/globals';
import { createTraceWriter, findStale, type Trace } from '../../../services/build/trace.ts';

const values = (table: Record<string, string>) => (key: string) => table[key] ?? '';

function traceOf(pages: Record<string, string[]>, table: Record<string, string>) {
  const writer = createTraceWriter('1', values(table));
  for (const [path, reads] of Object.entries(pages)) writer.add(path, reads);
  return writer.trace;
}

describe('a page is rendered again', () => {
  const table = { a: '1', b: '1', c: '1' };
  const trace = traceOf({ '/x/': ['a', 'b', 'a'], '/y/': ['c'] }, table);

  test('when something it read has changed, and the reason names it', () => {
    const stale = findStale(trace, '1', ['/x/', '/y/'], values({ ...table, b: '2' }));
    expect(stale.get('/x/')).toEqual({ kind: 'changed', reads: ['b'] });
    expect(stale.get('/y/')).toBeNull();
  });
  test('when it is new', () => {
    expect(findStale(trace, '1', ['/z/'], values(table)).get('/z/')).toEqual({ kind: 'new' });
  });
  test('when the engine is another version, or there is no earlier release', () => {
    expect(findStale(trace, '2', ['/x/'], values(table)).get('/x/')).toEqual({ kind: 'version' });
    expect(findStale(trace, '2', ['/z/'], values(table)).get('/z/')).toEqual({ kind: 'new' });
    expect(findStale(null, '1', ['/x/'], values(table)).get('/x/')).toEqual({ kind: 'new' });
  });
  test('not because of what others read', () => {
    expect(findStale(trace, '1', ['/x/'], values({ ...table, c: '9' })).get('/x/')).toBeNull();
  });
});

const readsOf = ({ keys, pages }: Trace, path: string) => pages[path]!.map((index) => keys[index]);

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
    const writer = createTraceWriter('1', values(table));
    writer.add('/new/', pages['/new/']);
    writer.copy('/x/', from);
    writer.copy('/y/', from);
    expect(writer.trace).toEqual(traceOf(pages, table));
    expect(JSON.stringify(writer.trace)).toBe(JSON.stringify(traceOf(pages, table)));
  });

  test('has no reads if the earlier release does not have it', () => {
    const writer = createTraceWriter('1', values(table));
    writer.copy('/nothing/', from);
    expect(readsOf(writer.trace, '/nothing/')).toEqual([]);
  });
});
