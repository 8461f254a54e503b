import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hashBytes, openObjectStore } from '../../services/engines/objects/store.ts';
import { referenceSources } from '../../services/features/collection/references.ts';
import { collectGarbage, removeOrphans } from '../../services/features/collection/service.ts';
import type { Manifest } from '../../services/features/publishing/manifest.ts';
import { closeStack, makeSite, publish, stackConfig, stackDatabase, type TestSite } from '../harness/api.ts';
import { createItem, visit } from './helpers.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const retention = { newest: 50, days: 7 };
const db = stackDatabase();
/** A store of its own for each look, so that nothing comes from memory. */
const store = () => openObjectStore(stackConfig().s3, db);

afterAll(closeStack);

/** Collects as of so many days from now: everything that lies here today is then old. */
function collectIn(days: number, keep = retention) {
  return collectGarbage(
    { db, objects: store() },
    { graceMs: dayMs, retention: keep, now: new Date(Date.now() + days * dayMs) },
  );
}

/** Condemns and deletes. */
async function collectAll(keep = retention): Promise<void> {
  await collectIn(2, keep);
  await collectIn(4, keep);
}

describe('collecting garbage', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await makeSite();
  });

  test('takes what nothing refers to, only after two graces', async () => {
    const hash = await store().putBytes(randomBytes(100));
    await collectIn(0.5);
    expect(await store().has(hash)).toBe(true);
    await collectIn(2);
    await collectIn(2.5);
    expect(await store().has(hash)).toBe(true);
    const [place] = [...(await store().locate([hash])).values()];
    await collectIn(4);
    expect(await store().has(hash)).toBe(false);
    await expect(store().readAt(place!)).rejects.toThrow('not in the store');
  });

  test('spares what is pinned between the sentence and its execution', async () => {
    const data = randomBytes(100);
    const hash = await store().putBytes(data);
    await collectIn(2);
    await store().putBytes(data);
    await collectIn(1.5);
    expect(await store().has(hash)).toBe(true);
    expect(await store().getBytes(hash)).toEqual(data);
  });

  test('keeps an object of the store while anything in it is referred to', async () => {
    const kept = randomBytes(64);
    const [keptPlace, lostPlace] = await store().putMany([kept, randomBytes(64)]);
    await db.query(
      `INSERT INTO shell_files (site_id, path, hash, bytes, content_type) VALUES ($1, 'kept.txt', $2, 64, 'text/plain')`,
      [site.id, keptPlace!.hash],
    );
    await collectAll();
    expect(await store().has(lostPlace!.hash)).toBe(false);
    expect(await store().readAt(keptPlace!)).toEqual(kept);
  });

  test('never takes a hash that any source names, among random ones', async () => {
    const source = fc.constantFrom('shell_files', 'content', 'media', 'uploads', 'shell_snapshots', 'none', 'none');
    await fc.assert(
      fc.asyncProperty(fc.array(source, { minLength: 1, maxLength: 12 }), async (sources) => {
        const places = await store().putMany(sources.map(() => randomBytes(40)));
        await Promise.all(places.map(({ hash }, n) => referTo(site, sources[n]!, hash)));
        await collectAll();
        const found = await store().locate(places.map(({ hash }) => hash));
        expect(places.map(({ hash }) => found.has(hash))).toEqual(sources.map((name) => name !== 'none'));
      }),
      { numRuns: 8 },
    );
  });

  test('keeps every byte of the live release, its inputs and what can be gone back to', async () => {
    const item = await createItem(site, { title: 'Kept', body_html: '<p>one</p>' });
    const first = (await publish(site)).result.release;
    await site.request('PATCH', `/content/${item.id}`, { body_html: '<p>two</p>' });
    await publish(site);
    await collectAll();
    expect((await visit(site, item.url.split(site.slug)[1]!)).text).toContain('two');
    const back = await site.request('POST', `/releases/${first}/rollback`);
    expect(back.status).toBe(200);
    expect(await missingFiles(site)).toEqual([]);
  });

  test('drops releases beyond the retention, never the live one', async () => {
    const other = await makeSite();
    const item = await createItem(other, { title: 'Old', body_html: '<p>v0</p>' });
    const releases: string[] = [(await publish(other)).result.release];
    for (const n of [1, 2, 3]) {
      await other.request('PATCH', `/content/${item.id}`, { body_html: `<p>v${n}</p>` });
      releases.push((await publish(other)).result.release);
    }
    await other.request('POST', `/releases/${releases[0]}/rollback`);
    await collectIn(30, { newest: 2, days: 7 });
    const left = await other.request('GET', '/releases');
    expect(left.data.map(({ id }: { id: string }) => id).sort()).toEqual(
      [releases[0]!, releases[2]!, releases[3]!].sort(),
    );
    const gone = await other.request('POST', `/releases/${releases[1]}/rollback`);
    expect(gone.status).toBe(404);
    expect(await missingFiles(other)).toEqual([]);
  });

  test('a publish that races with it loses nothing', async () => {
    const other = await makeSite();
    const item = await createItem(other, { title: 'Racing', body_html: '<p>0</p>' });
    await publish(other);
    let racing = true;
    let deleted = 0;
    const collector = (async () => {
      while (racing) {
        // what was published before is garbage at once, and old
        await db.query(
          `UPDATE releases SET created_at = created_at - INTERVAL '30 days', replaced_at = replaced_at - INTERVAL '30 days' WHERE site_id = $1`,
          [other.id],
        );
        await db.query(
          `UPDATE objects SET condemned_at = condemned_at - INTERVAL '3 days', pinned_at = pinned_at - INTERVAL '3 days' WHERE condemned_at IS NOT NULL`,
        );
        await db.query(
          `UPDATE objects SET pinned_at = pinned_at - INTERVAL '3 days' WHERE pinned_at < now() - INTERVAL '3 seconds'`,
        );
        const result = await collectGarbage(
          { db, objects: store() },
          { graceMs: dayMs, retention: { newest: 1, days: 1 } },
        );
        deleted += result.deleted;
      }
    })();
    for (let n = 1; n <= 8; n++) {
      // the same few bodies again and again: their pages are garbage, condemned, gone or live as it happens
      await other.request('PATCH', `/content/${item.id}`, { body_html: `<p>body ${n % 3}</p>` });
      await publish(other);
      expect((await visit(other, `/posts/${item.slug}/`)).text).toContain(`body ${n % 3}`);
      expect(await missingFiles(other)).toEqual([]);
    }
    racing = false;
    await collector;
    expect(deleted).toBeGreaterThan(0);
    expect(await missingFiles(other)).toEqual([]);
  });

  test('deletes nothing while a release cannot be read', async () => {
    const other = await makeSite();
    await createItem(other, { title: 'Broken' });
    await publish(other);
    const garbage = await store().putBytes(randomBytes(50));
    const [row] = await db.query<{ id: string; inputs_hash: string }>(
      'SELECT r.id, r.inputs_hash FROM releases r JOIN sites s ON s.live_release = r.id WHERE s.id = $1',
      [other.id],
    );
    await db.query('UPDATE releases SET inputs_hash = $2 WHERE id = $1', [row!.id, hashBytes('nowhere')]);
    await expect(collectIn(4)).rejects.toThrow('Nothing is stored');
    expect(await store().has(garbage)).toBe(true);
    await db.query('UPDATE releases SET inputs_hash = $2 WHERE id = $1', [row!.id, row!.inputs_hash]);
    await collectAll();
    expect(await store().has(garbage)).toBe(false);
  });

  test('removes objects that no row names, once they are old', async () => {
    const hash = await store().putBytes(randomBytes(70));
    const place = (await store().locate([hash])).get(hash)!;
    await db.query('DELETE FROM objects WHERE hash = $1', [hash]);
    await removeOrphans({ db, objects: store() }, { graceMs: dayMs });
    expect(await store().readAt(place)).toHaveLength(70);
    await removeOrphans({ db, objects: store() }, { graceMs: dayMs, now: new Date(Date.now() + 2 * dayMs) });
    await expect(store().readAt(place)).rejects.toThrow('not in the store');
    expect(await missingFiles(site)).toEqual([]);
  });
});

describe('the list of references', () => {
  /** Columns that could hold a hash of an object, and do not. */
  const without = new Set([
    'api_keys.secret_hash',
    'api_keys.previous_hash',
    'users.password_hash',
    'idempotency_keys.body_hash', // of a request
    'objects.hash',
    'sites.locales',
    'sites.settings',
    'content.warnings',
    'content_revisions.record', // the columns beside the body
    'components.variables_schema',
    'media.focal_point',
    'deliveries.headers',
    'deliveries.timeline',
    'jobs.result',
    'uploads.metadata',
  ]);

  test('knows every column of the schema that could hold one', async () => {
    const columns = await db.query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND (data_type = 'jsonb' OR column_name LIKE '%hash%' OR column_name LIKE '%sha256%')`,
    );
    const known = new Set(referenceSources.flatMap(({ table, columns: own }) => own.map((name) => `${table}.${name}`)));
    expect(columns.map(({ name }) => name).filter((name) => !known.has(name) && !without.has(name))).toEqual([]);
  });
});

async function referTo(site: TestSite, source: string, hash: string): Promise<void> {
  const insert: Record<string, string> = {
    shell_files: `INSERT INTO shell_files (site_id, path, hash, bytes, content_type) VALUES ($1, 'f/' || $2, $2, 1, 'text/plain')`,
    content: `INSERT INTO content (site_id, type, title, slug, locale, body_html, body_hash, status, tags, warnings)
              VALUES ($1, 'post', 'x', $2, 'en', '', $2, 'draft', '{}', '[]')`,
    media: `INSERT INTO media (site_id, kind, filename, mime_type, bytes, sha256, status, variants)
            VALUES ($1, 'image', 'x', 'image/png', 1, '', 'ready', jsonb_build_array(jsonb_build_object('hash', $2::TEXT)))`,
    uploads: `INSERT INTO uploads (id, site_id, length, parts, metadata)
              VALUES (gen_random_uuid(), $1, 1, jsonb_build_array(jsonb_build_object('hash', $2::TEXT, 'bytes', 1)), '{}')`,
    shell_snapshots: `INSERT INTO shell_snapshots (site_id, files, manifest) VALUES ($1, 1, jsonb_build_object('a', jsonb_build_object('hash', $2::TEXT)))`,
  };
  if (insert[source]) await db.query(insert[source], [site.id, hash]);
}

/** Files of the live release whose bytes are not where its manifest says, or not what it says. */
async function missingFiles(site: TestSite): Promise<string[]> {
  const [row] = await db.query<{ manifest_hash: string }>(
    'SELECT r.manifest_hash FROM sites s JOIN releases r ON r.id = s.live_release WHERE s.id = $1',
    [site.id],
  );
  const objects = store();
  const manifest = JSON.parse((await objects.getBytes(row!.manifest_hash)).toString()) as Manifest;
  const missing: string[] = [];
  for (const [path, [hash, bytes, , pack, offset]] of Object.entries(manifest.files)) {
    const data = await objects.readAt({ key: manifest.packs[pack]!, offset, bytes }).catch(() => null);
    if (!data || hashBytes(data) !== hash) missing.push(path);
  }
  return missing;
}
