import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createItemReader } from '../../../services/build/item-cache.ts';
import { loadConfig } from '../../../services/core/config.ts';
import { contentFields, statuses } from '../../../services/core/content-fields.ts';
import { columnNames, type WritableName, writableNames, writeShape } from '../../../services/core/content-model.ts';
import { noUser } from '../../../services/core/roles.ts';
import { createCipher } from '../../../services/core/secrets.ts';
import { formatTimestamp } from '../../../services/core/timestamp.ts';
import { openKeyedStore } from '../../../services/engines/objects/open.ts';
import { compress, documentKey, getDocument, putDocument } from '../../../services/features/backups/archive.ts';
import { createBackup } from '../../../services/features/backups/create.ts';
import { type Line, parseLines } from '../../../services/features/backups/lines.ts';
import { type RestoreDeps, restoreBackup } from '../../../services/features/backups/restore.ts';
import { cleanAtOnce } from '../../../services/features/content/body/open-cleaner.ts';
import { selectContentPage } from '../../../services/features/content/list-sql.ts';
import { prepareItem } from '../../../services/features/content/prepare-item.ts';
import {
  type ContentRecord,
  loadBody,
  presentItem,
  presentListed,
} from '../../../services/features/content/present.ts';
import type { ContentRow } from '../../../services/features/content/row.ts';
import { createContentBody } from '../../../services/features/content/schema.ts';
import { selectContent } from '../../../services/features/content/sql.ts';
import { checkFieldsAtOnce } from '../../../services/features/content/types/checker.ts';
import { upsertType } from '../../../services/features/content/types/sql.ts';
import { createContent } from '../../../services/features/content/write.ts';
import { selectSiteById } from '../../../services/features/sites/index.ts';
import { insertBareSite } from '../../harness/bare-site.ts';
import { createEdgeRecorder } from '../../harness/edges.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();
let deps: RestoreDeps;
const config = { ...loadConfig({}), edgeUrl: 'http://edge.test' };

beforeAll(async () => {
  const bucket = openKeyedStore({ engine: 'files', folder: path.join(own.folder, 'backups'), minFreeBytes: 0 });
  await bucket.ensure();
  deps = {
    db: own.db,
    objects: own.objects,
    bucket,
    config,
    cipher: createCipher([randomBytes(32)]),
    edges: createEdgeRecorder(),
  };
}, 120_000);

async function scopeOf(siteId: string) {
  const site = (await selectSiteById(own.db, siteId))!;
  const app = { objects: own.objects, config: config as never, bodies: cleanAtOnce, fieldChecks: checkFieldsAtOnce };
  return { app, db: own.db, site, changedBy: 'key:test', writer: noUser, key: 'key' };
}
type Scope = Awaited<ReturnType<typeof scopeOf>>;

/** Returns the record with its whole body, wherever that is stored. */
async function show({ app, site }: Scope, row: ContentRow): Promise<ContentRecord> {
  return { ...presentItem(app, site, row), body_html: await loadBody(app.objects, row) };
}

async function create(scope: Scope, request: object): Promise<ContentRecord> {
  const body = await prepareItem(scope, createContentBody.parse(request));
  return show(scope, await createContent(scope, body));
}

async function readRecord(scope: Scope, id: string): Promise<ContentRecord | undefined> {
  const row = await selectContent(own.db, scope.site.id, id);
  return row && show(scope, row);
}

async function insertMedia(siteId: string, id: string): Promise<void> {
  const hash = await own.objects.putBytes(Buffer.from(id));
  await own.db.query(
    `INSERT INTO media (id, site_id, kind, filename, mime_type, bytes, sha256, status, variants)
     VALUES ($1, $2, 'image', 'a.png', 'image/png', 36, $3, 'ready', '[]'::JSONB)`,
    [id, siteId, hash],
  );
}

const nullable = (value: fc.Arbitrary<unknown>) => fc.option(value, { nil: null });
const time = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map(formatTimestamp);
const words = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.lorem({ maxCount: 4 }), fc.webUrl());

/**
 * Returns values that clients may send, by the field's schema and the type of its column; fields with additional rules
 * have their own.
 */
function valuesOf(name: WritableName, ids: readonly string[]): fc.Arbitrary<unknown> {
  if (name === 'locale') return fc.constantFrom('en', 'de');
  if (name === 'status') return fc.constantFrom(...statuses);
  if (name === 'type') return fc.constantFrom('post', 'page', 'recipe');
  if (name === 'body_html') return fc.lorem().map((text) => `<p>${text}</p>`);
  if (name === 'source_ref') return nullable(fc.uuid());
  if (name === 'scheduled_at') return time;
  const any: fc.Arbitrary<unknown> = {
    TEXT: nullable(words),
    TIMESTAMPTZ: nullable(time),
    UUID: nullable(fc.constantFrom(...ids)),
    'TEXT[]': fc.array(words, { maxLength: 5 }),
    JSONB: fc.dictionary(
      fc.stringMatching(/^[a-z]{1,8}$/),
      fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null)),
      {
        maxKeys: 5,
      },
    ),
  }[contentFields[name].column];
  return any.filter((value) => writeShape[name].safeParse(value).success && !JSON.stringify(value).includes('\\u0000'));
}

/** Returns the members of a request that its record must have. Body and slug have rules of their own. */
function expectedOf(request: Record<string, unknown>): Record<string, unknown> {
  const { slug: _slug, published_at, ...members } = request;
  return { ...members, published_at: published_at ?? (members['status'] === 'published' ? expect.any(String) : null) };
}

test('the table has the columns of the database, with their types', async () => {
  const columns = await own.db.query<{ column_name: string; udt_name: string }>(
    `SELECT column_name, udt_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = 'content'`,
  );
  const types = {
    text: 'TEXT',
    uuid: 'UUID',
    int8: 'INT8',
    _text: 'TEXT[]',
    jsonb: 'JSONB',
    timestamptz: 'TIMESTAMPTZ',
  };
  const stored = columns.map(({ column_name, udt_name }) => [column_name, types[udt_name as keyof typeof types]]);
  const known = columnNames.map((name) => [name, contentFields[name].column]);
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(known));
});

describe('a record with every field', () => {
  test('survives create, revision, backup, restore and listing', async () => {
    const siteId = await insertBareSite(own.db, own.objects, { locales: ['en', 'de'] });
    const scope = await scopeOf(siteId);
    for (const type of ['post', 'page', 'recipe'])
      await upsertType(own.db, siteId, { type, name: type, fields_schema: { type: 'object' } });
    const pictures = [randomUUID(), randomUUID()];
    for (const id of pictures) await insertMedia(siteId, id);
    const requests = fc.sample(
      fc.record(
        Object.fromEntries(
          writableNames.filter((name) => name !== 'translation_of').map((name) => [name, valuesOf(name, pictures)]),
        ),
      ),
      60,
    ) as Record<string, unknown>[];
    const records: ContentRecord[] = [];
    for (const request of requests) {
      const original = request['locale'] === 'de' ? await create(scope, { title: 'Original' }) : null;
      const whole = { ...request, translation_of: original?.id ?? null };
      const record = await create(scope, whole);
      expect(record).toMatchObject(expectedOf(whole));
      records.push(record);
      if (original) records.push(original);
    }
    // every field had a value other than its initial one somewhere
    for (const name of writableNames)
      expect({ [name]: new Set(records.map((record) => JSON.stringify(record[name]))).size > 1 }).toEqual({
        [name]: true,
      });

    const revisions = await own.db.query<{ id: string; revision: number }>(
      'SELECT id, revision FROM content WHERE site_id = $1',
      [siteId],
    );
    const published = await createItemReader().readPublished(own.db, siteId);
    const pins = revisions.map(({ id, revision }): [string, number] => [id, revision]);
    const pinned = new Map((await createItemReader().readPinned(own.db, siteId, pins)).map((item) => [item.id, item]));
    expect(published.length).toBeGreaterThan(0);
    // the times of a revision and of its row are from the same statement
    for (const item of published) expect(pinned.get(item.id)).toEqual(item);

    const backup = await createBackup(deps, siteId);
    await own.db.query(`UPDATE content SET title = 'Changed' WHERE site_id = $1 AND type <> 'page'`, [siteId]);
    await own.db.query(`DELETE FROM content WHERE site_id = $1 AND type = 'page'`, [siteId]);
    await restoreBackup(deps, backup);
    for (const record of records) expect(await readRecord(scope, record.id)).toEqual(record);

    const listed = new Map<string, unknown>();
    for (let page = 1; page <= Math.ceil(records.length / 100); page++) {
      const { rows } = await selectContentPage(own.db, siteId, { page, per_page: 100 });
      for (const record of await presentListed(scope.app, scope.site, rows)) listed.set(record.id, record);
    }
    for (const record of records) expect(listed.get(record.id)).toEqual(record);
  });

  test('that a backup from before a field existed has gets its initial value', async () => {
    const siteId = await insertBareSite(own.db, own.objects);
    const scope = await scopeOf(siteId);
    const record = await create(scope, {
      title: 'Old',
      body_html: '<p>x</p>',
      seo_title: 'S',
      canonical_url: 'https://first.example/',
      status: 'published',
    });
    const backup = await createBackup(deps, siteId);
    const lines = parseLines(await getDocument(deps.bucket, backup.contents)).map(([table, row]): Line => {
      const { seo_title: _a, canonical_url: _b, ...old } = row;
      if (table !== 'content_revisions') return [table, table === 'content' ? old : row];
      const { seo_title: _c, canonical_url: _d, ...revision } = JSON.parse(String(row['record']));
      return [table, { ...row, record: JSON.stringify(revision) }];
    });
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    const contents = await putDocument(deps.bucket, documentKey(backup.id, 'old.jsonl.gz'), await compress(text));
    await restoreBackup(deps, { ...backup, contents });
    expect(await readRecord(scope, record.id)).toEqual({ ...record, seo_title: null, canonical_url: null });
    const [{ revision }] = (await own.db.query('SELECT revision FROM content WHERE id = $1', [record.id])) as [
      { revision: number },
    ];
    const [pinned] = await createItemReader().readPinned(own.db, siteId, [[record.id, revision]]);
    expect(pinned).toMatchObject({ title: 'Old', seo_title: null, canonical_url: null });
  });
});
