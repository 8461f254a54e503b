import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createItemReader } from '../../../services/build/item-cache.ts';
import type { ItemInput } from '../../../services/build/model.ts';
import { loadConfig } from '../../../services/core/config.ts';
import { initialValues } from '../../../services/core/content-model.ts';
import type { Db } from '../../../services/core/db.ts';
import { createCipher } from '../../../services/core/secrets.ts';
import { openKeyedStore } from '../../../services/engines/objects/open.ts';
import { createBackup } from '../../../services/features/backups/create.ts';
import { restoreBackup } from '../../../services/features/backups/restore.ts';
import type { ContentRow, WrittenContent } from '../../../services/features/content/row.ts';
import {
  insertContent,
  purgeContentRow,
  restoreContentRow,
  selectContent,
  trashContentRow,
  updateContentRow,
} from '../../../services/features/content/sql.ts';
import { insertBareSite } from '../../harness/bare-site.ts';
import { createEdgeRecorder } from '../../harness/edges.ts';
import { sized } from '../../harness/long-form.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();

const written = (members: Partial<WrittenContent>): WrittenContent => ({
  ...(initialValues as unknown as WrittenContent),
  title: 'Title',
  body_html: '<p>Body</p>',
  body_hash: null,
  tags: [],
  warnings: [],
  slug: `slug-${randomUUID()}`,
  locale: 'en',
  type: 'post',
  status: 'published',
  published_at: new Date('2026-01-01T00:00:00Z'),
  ...members,
});

async function insert(db: Db, siteId: string, members: Partial<WrittenContent> = {}): Promise<ContentRow> {
  const by = { changedBy: 'test', createdBy: null };
  return (await insertContent(db, randomUUID(), siteId, written(members), 'text', by))!;
}

type Reader = ReturnType<typeof createItemReader>;

const read = (reader: Reader, siteId: string, isClaim = true) =>
  own.db.transaction((tx) => reader.readPublished(tx, siteId, isClaim));

const describeItems = (items: readonly ItemInput[]) =>
  items.map((item) => JSON.stringify(item)).sort((a, b) => (a < b ? -1 : 1));

/** Reads with what the reader knows; expects what a reader that knows nothing reads. */
async function expectCurrent(reader: Reader, siteId: string, { isClaim = true, isKept = true } = {}): Promise<void> {
  const items = await read(reader, siteId, isClaim);
  if (isKept) reader.keep(items);
  expect(describeItems(items)).toEqual(describeItems(await read(createItemReader(), siteId, false)));
}

/** Counts the statements that read the names of all items. */
function counting(tx: Db): Db & { full: number } {
  const counted = {
    full: 0,
    query: ((text: string, values?: never) => {
      if (text.includes("':' || revision")) counted.full++;
      return tx.query(text, values);
    }) as Db['query'],
  };
  return counted;
}

/** Whether a read of these items is one of all. */
async function readsAll(reader: Reader, siteId: string): Promise<boolean> {
  return own.db.transaction(async (tx) => {
    const counted = counting(tx);
    reader.keep(await reader.readPublished(counted, siteId, true));
    return counted.full > 0;
  });
}

/** Adds enough rows to the record that the next claim deletes it. */
const fillRecord = (siteId: string) =>
  own.db.query(
    `INSERT INTO content_changes (site_id, content_id) SELECT $1::UUID, gen_random_uuid() FROM generate_series(1, 1100)`,
    [siteId],
  );

async function backUpAndRestore(siteId: string, between: () => Promise<unknown>): Promise<void> {
  const bucket = openKeyedStore({ engine: 'files', folder: path.join(own.folder, 'backups'), minFreeBytes: 0 });
  await bucket.ensure();
  const config = { ...loadConfig({}), edgeUrl: 'http://edge.test' };
  const deps = {
    db: own.db,
    objects: own.objects,
    bucket,
    config,
    cipher: createCipher([Buffer.alloc(32)]),
    edges: createEdgeRecorder(),
  };
  const backup = await createBackup(deps, siteId);
  await between();
  await restoreBackup(deps, backup);
}

type Write = (siteId: string, rows: Map<string, ContentRow>, n: number) => Promise<unknown>;

const pick = (rows: Map<string, ContentRow>, n: number, isTrashed: boolean) => {
  const found = [...rows.values()].filter(({ trashed_at }) => (trashed_at !== null) === isTrashed);
  return found[n % Math.max(1, found.length)];
};

/** Changes one of the rows that are in the trash, or are not. */
const change =
  (isTrashed: boolean, write: (row: ContentRow, n: number) => Promise<ContentRow | undefined>): Write =>
  async (_siteId, rows, n) => {
    const row = pick(rows, n, isTrashed);
    if (row) rows.set(row.id, (await write(row, n))!);
  };

const writes: Record<string, Write> = {
  async create(siteId, rows, n) {
    const row = await insert(own.db, siteId, { status: n % 3 === 0 ? 'draft' : 'published' });
    rows.set(row.id, row);
  },
  update: change(false, (row, n) => updateContentRow(own.db, row, { ...row, title: `Title ${n}` }, 'test')),
  status: change(false, (row, n) =>
    updateContentRow(own.db, row, { ...row, status: n % 2 === 0 ? 'draft' : 'published' }, 'test'),
  ),
  trash: change(false, (row) => trashContentRow(own.db, row)),
  restore: change(true, (row) => restoreContentRow(own.db, row, row.slug, 'test')),
  async purge(siteId, rows, n) {
    const row = pick(rows, n, true);
    if (row && (await purgeContentRow(own.db, siteId, row.id))) rows.delete(row.id);
  },
  async rolledBack(siteId) {
    const work = async (tx: Db) => {
      await insert(tx, siteId);
      throw new Error('rolled back');
    };
    await expect(own.db.transaction(work)).rejects.toThrow('rolled back');
  },
  record: (siteId) => fillRecord(siteId),
};

test('after any sequence of writes, each worker reads the published items, whatever it read before', async () => {
  const write = fc.tuple(fc.constantFrom(...Object.keys(writes)), fc.nat(50));
  const reads = fc.record({ worker: fc.nat(1), isClaim: fc.boolean(), isKept: fc.boolean() });
  const step = fc.tuple(fc.array(write, { maxLength: 4 }), reads);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const siteId = await insertBareSite(own.db, own.objects);
      const workers = [createItemReader(), createItemReader(10)];
      const rows = new Map<string, ContentRow>();
      for (const [changes, { worker, isClaim, isKept }] of steps) {
        for (const [kind, n] of changes) await writes[kind]!(siteId, rows, n);
        await expectCurrent(workers[worker]!, siteId, { isClaim, isKept });
      }
      for (const worker of workers) await expectCurrent(worker, siteId);
    }),
    { numRuns: sized(15, 150) },
  );
});

test('a worker that knows the items reads those that were written alone', async () => {
  const siteId = await insertBareSite(own.db, own.objects);
  const reader = createItemReader();
  const row = await insert(own.db, siteId);
  expect(await readsAll(reader, siteId)).toBe(true);
  await updateContentRow(own.db, row, { ...row, title: 'New' }, 'test');
  expect(await readsAll(reader, siteId)).toBe(false);
  await fillRecord(siteId);
  expect([await readsAll(reader, siteId), await readsAll(reader, siteId)]).toEqual([true, false]);
  const left = await own.db.query('SELECT id FROM content_changes WHERE site_id = $1', [siteId]);
  expect(left).toEqual([]);
});

test('a write is read that began before a read and ended after it', async () => {
  const siteId = await insertBareSite(own.db, own.objects);
  const reader = createItemReader();
  const row = await insert(own.db, siteId);
  await expectCurrent(reader, siteId);
  await own.db.transaction(async (late) => {
    await updateContentRow(late, row, { ...row, title: 'Late' }, 'test');
    const items = await read(reader, siteId);
    reader.keep(items);
    expect(items.map(({ title }) => title)).toEqual(['Title']);
  });
  expect((await read(reader, siteId)).map(({ title }) => title)).toEqual(['Late']);
});

test('a site that was restored from a backup is read as restored, by a worker that knew it before', async () => {
  const siteId = await insertBareSite(own.db, own.objects);
  const reader = createItemReader();
  const row = await insert(own.db, siteId);
  await expectCurrent(reader, siteId);
  await backUpAndRestore(siteId, async () => {
    await updateContentRow(own.db, row, { ...row, title: 'After the backup' }, 'test');
    await insert(own.db, siteId);
    await expectCurrent(reader, siteId);
  });
  await expectCurrent(reader, siteId);
  expect((await read(reader, siteId)).map(({ title }) => title)).toEqual(['Title']);
});

test('within an hour of an upgrade, all items are read, because processes of an earlier version may write', async () => {
  const siteId = await insertBareSite(own.db, own.objects);
  const reader = createItemReader();
  const row = await insert(own.db, siteId);
  const setFrom = (minutes: number) =>
    own.db.query(`UPDATE installation SET changes_from = now() + $1::INT8 * INTERVAL '1 minute'`, [minutes]);
  /** As a process of an earlier version writes. */
  const writeUnrecorded = (title: string) =>
    own.db.query('UPDATE content SET title = $2, revision = revision + 1 WHERE id = $1', [row.id, title]);
  await setFrom(60);
  await expectCurrent(reader, siteId);
  await writeUnrecorded('First');
  await expectCurrent(reader, siteId);
  await writeUnrecorded('Last');
  await setFrom(-1);
  await expectCurrent(reader, siteId);
  expect(await selectContent(own.db, siteId, row.id)).toMatchObject({ title: 'Last' });
  await own.db.query('UPDATE installation SET changes_from = NULL');
});
