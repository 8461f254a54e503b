import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createItemReader } from '../../../services/build/item-cache.ts';
import { contentFields, statuses } from '../../../services/core/content-fields.ts';
import {
  type ContentRow,
  columnNames,
  initialValues,
  pageNames,
  revisionNames,
  writtenNames,
} from '../../../services/core/content-model.ts';
import type { Db } from '../../../services/core/db.ts';
import { findChanges, isChanged, revisionRecord } from '../../../services/features/content/row.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');
const table = 'services/core/content-fields.ts';
/** Generated from the table, data, or the forms and labels of the dashboard, which show each field in a way of its own. */
const copies = ['services/client/', 'services/cli/demo/content/', 'services/dashboard/views/content/'];

/** Returns the code of every source file, without comments. */
function readSources(): Map<string, string> {
  const files = ['services', 'workflows', 'scripts'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  const sources = files.filter((file) => file.endsWith('.ts') && !copies.some((start) => file.startsWith(start)));
  return new Map(
    sources.map((file) => [
      file,
      readFileSync(path.join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''),
    ]),
  );
}

describe('the list of fields', () => {
  const sources = readSources();
  const naming = (name: string) =>
    [...sources].filter(([, code]) => new RegExp(`\\b${name}\\b`).test(code)).map(([file]) => file);

  test('exists once: no other source file names two thirds of the columns', () => {
    const counts = new Map<string, number>();
    for (const name of writtenNames) for (const file of naming(name)) counts.set(file, (counts.get(file) ?? 0) + 1);
    const lists = [...counts].filter(([, count]) => count >= (writtenNames.length * 2) / 3).map(([file]) => file);
    expect(lists).toEqual([table]);
  });

  test('is all that a field without rules needs', () => {
    expect(naming('seo_title')).toEqual([table]);
  });
});

const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const time = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

/** Any row of the table: values by the type of the column. */
const rows = fc.record(
  Object.fromEntries(
    columnNames.map((name) => {
      const { column, value } = contentFields[name];
      const any: fc.Arbitrary<unknown> = {
        UUID: fc.uuid(),
        INT8: fc.nat(),
        TEXT: name === 'status' ? fc.constantFrom(...statuses) : fc.string(),
        'TEXT[]': fc.array(fc.string()),
        JSONB: fc.array(fc.record({ code: fc.string(), message: fc.string() })),
        TIMESTAMPTZ: time,
      }[column];
      return [name, value.safeParse(null).success ? nullable(any) : any];
    }),
  ),
) as unknown as fc.Arbitrary<ContentRow>;

const created_us = 1_767_225_600_000_000;

/** Reads the row as a build reads stored items. */
async function readStored(row: ContentRow) {
  const names = `${row.id}:${row.revision}`;
  const db = { query: async () => [{ ...row, created_us, names }] } as unknown as Db;
  return (await createItemReader(1).readPublished(db, row.site_id))[0]!;
}

/** Reads the row's revision as a build reads published items. */
async function readRevision(row: ContentRow, record: object) {
  const { id, revision, created_at, updated_at } = row;
  const db = { query: async () => [{ id, revision, created_at, updated_at, created_us, record }] } as unknown as Db;
  return (await createItemReader(1).readPinned(db, row.site_id, [[id, revision]]))[0]!;
}

describe('a revision', () => {
  test('gives a build what the row gives it', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (row) => {
        const stored = await readStored(row);
        expect(await readRevision(row, JSON.parse(revisionRecord(row)))).toEqual(stored);
        expect(Object.keys(stored)).toEqual([...pageNames, 'order']);
      }),
      { numRuns: 200 },
    );
  });

  test('is read from the database once', async () => {
    const row = fc.sample(rows, 1)[0]!;
    const { id, revision, created_at, updated_at } = row;
    const record = JSON.parse(revisionRecord(row));
    let queries = 0;
    const query = async () => {
      queries++;
      return [{ id, revision, created_at, updated_at, created_us: 1, record }];
    };
    const reader = createItemReader();
    const read = () => reader.readPinned({ query } as unknown as Db, row.site_id, [[id, revision]]);
    expect(await read()).toEqual(await read());
    expect(queries).toBe(1);
  });

  test('from before a field existed has its initial value', async () => {
    const row = fc.sample(rows, 1)[0]!;
    const optional = revisionNames.filter((name) => contentFields[name].onPages && 'initial' in contentFields[name]);
    for (const name of optional.filter((one) => one !== 'published_at')) {
      const { [name]: _absent, ...record } = JSON.parse(revisionRecord(row));
      expect(await readRevision(row, record)).toEqual({ ...(await readStored(row)), [name]: initialValues[name] });
    }
    expect(optional.length).toBeGreaterThan(5);
  });
});

test('a row is changed by another value of any field that a write sets, and by nothing else', () => {
  fc.assert(
    fc.property(rows, rows, (row, other) => {
      expect(isChanged(row, row)).toBe(false);
      for (const name of writtenNames) {
        const differs = JSON.stringify(row[name]) !== JSON.stringify(other[name]);
        expect(isChanged(row, { ...row, [name]: other[name] })).toBe(differs);
      }
    }),
  );
});

test('the changes between two rows are members that a client may write, without the body, as records show them', () => {
  const row = fc.sample(rows, 1)[0]!;
  const before = { ...row, title: 'A', scheduled_at: new Date('2026-01-01T00:00:00.400Z'), tags: ['a'] };
  const after = { ...before, title: 'B', scheduled_at: new Date('2026-01-01T00:00:00.900Z'), tags: ['a', 'b'] };
  expect(findChanges(before, { ...after, source_scope: 'x', updated_at: new Date(0) })).toEqual({
    title: { from: 'A', to: 'B' },
    tags: { from: ['a'], to: ['a', 'b'] },
  });
});
