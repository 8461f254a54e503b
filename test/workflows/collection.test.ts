import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Manifest, readManifest, readTraceTree } from '../../services/build/format.ts';
import { MissingObject } from '../../services/engines/objects/missing-object.ts';
import { openKeyedStore } from '../../services/engines/objects/open.ts';
import { hashBytes, openObjectStore } from '../../services/engines/objects/store.ts';
import { openDatabase } from '../../services/engines/sql/database.ts';
import { collectGarbage } from '../../services/features/collection/collect.ts';
import { removeOrphans } from '../../services/features/collection/orphans.ts';
import { referenceSources } from '../../services/features/collection/references.ts';
import { closeStack, eventually, makeSite, publish, stack, stackConfig, type TestSite } from '../harness/api.ts';
import { createItem, visit } from './helpers.ts';

const dayMs = 24 * 60 * 60 * 1000;
const retention = { newest: 50, days: 7 };
/** Its statements are recorded with those of the roles. */
const db = openDatabase({ ...stackConfig(), databasePoolSize: 3 });
/** Opens a separate store for each read, so that nothing comes from a cache. */
const store = () => openObjectStore(stackConfig().objects, db);

afterAll(async () => {
  await db.close();
  await closeStack();
});

/** Makes these objects appear three days older; those of other tests stay young and are not collected. */
async function age(hashes: readonly string[], days = 3): Promise<void> {
  await db.query(
    `UPDATE objects SET pinned_at = pinned_at - $2::INT8 * INTERVAL '1 day', condemned_at = condemned_at - $2::INT8 * INTERVAL '1 day'
     WHERE hash = ANY($1::TEXT[])`,
    [hashes, days],
  );
}

const collectOnce = (keep = retention) => collectGarbage({ db, objects: store() }, { graceMs: dayMs, retention: keep });

/** Collects once every release can be read: tests of backups lose objects of their sites on purpose, at the same time. */
const collect = (keep = retention) =>
  eventually('every release can be read', () =>
    collectOnce(keep).catch((error: unknown) => {
      if (!(error instanceof MissingObject)) throw error;
      return undefined;
    }),
  );

/** Ages the objects past the grace period, condemns them, ages them again and deletes them. */
async function collectAll(hashes: readonly string[]): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    await age(hashes);
    await collect();
  }
}

/** Makes the releases of a site appear a month older. */
async function ageReleases(site: TestSite): Promise<void> {
  await db.query(
    `UPDATE releases SET created_at = created_at - INTERVAL '30 days', replaced_at = replaced_at - INTERVAL '30 days' WHERE site_id = $1`,
    [site.id],
  );
}

describe('collecting garbage', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await makeSite();
  });

  test('takes what nothing refers to, only after two graces', async () => {
    const hash = await store().putBytes(randomBytes(100));
    await collect();
    await age([hash]);
    await collect();
    await collect();
    expect(await store().has(hash)).toBe(true);
    const [place] = [...(await store().locate([hash])).values()];
    await age([hash]);
    await collect();
    expect(await store().has(hash)).toBe(false);
    await expect(store().readAt(place!)).rejects.toThrow('not in the store');
  });

  test('spares what is pinned between the sentence and its execution', async () => {
    const data = randomBytes(100);
    const hash = await store().putBytes(data);
    await age([hash]);
    await collect();
    await age([hash]);
    await store().putBytes(data);
    await collect();
    await collect();
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
    await collectAll([keptPlace!.hash, lostPlace!.hash]);
    expect(await store().has(lostPlace!.hash)).toBe(false);
    expect(await store().readAt(keptPlace!)).toEqual(kept);
  });

  test('never takes a hash that any source names, among random ones', async () => {
    const source = fc.constantFrom('shell_files', 'content', 'media', 'uploads', 'shell_snapshots', 'none', 'none');
    await fc.assert(
      fc.asyncProperty(fc.array(source, { minLength: 1, maxLength: 12 }), async (sources) => {
        const places = await store().putMany(sources.map(() => randomBytes(40)));
        await Promise.all(places.map(({ hash }, n) => referTo(site, sources[n]!, hash)));
        await collectAll(places.map(({ hash }) => hash));
        const found = await store().locate(places.map(({ hash }) => hash));
        expect(places.map(({ hash }) => found.has(hash))).toEqual(sources.map((name) => name !== 'none'));
      }),
      { numRuns: 8 },
    );
  });

  test('takes a starter shell that no site has any more, and the next site gets it all the same', async () => {
    const [file] = await db.query<{ hash: string }>(
      "SELECT hash FROM shell_files WHERE site_id = $1 AND path = 'partials/header.twig'",
      [site.id],
    );
    for (const _gateway of stack.gateways) {
      await db.query('DELETE FROM objects WHERE hash = $1', [file!.hash]);
      await makeSite();
      expect(await store().has(file!.hash)).toBe(true);
    }
  });

  test('keeps every byte of the live release, its inputs and what can be gone back to', async () => {
    const item = await createItem(site, { title: 'Kept', body_html: '<p>one</p>' });
    const first = (await publish(site)).result.release;
    const hashes = await releaseHashes(site);
    await site.request('PATCH', `/content/${item.id}`, { body_html: '<p>two</p>' });
    await publish(site);
    await collectAll([...hashes, ...(await releaseHashes(site))]);
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
    await ageReleases(other);
    await collect({ newest: 2, days: 7 });
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
    const item = await createItem(other, { title: 'Racing', body_html: '<p>body 0</p>' });
    // the same few bodies repeatedly: at any time their pages are garbage, condemned, deleted or live
    const write = (n: number) => other.request('PATCH', `/content/${item.id}`, { body_html: `<p>body ${n % 3}</p>` });
    const pages = new Set<string>();
    for (let n = 0; n < 3; n++) {
      await write(n);
      await publish(other);
      for (const hash of await releaseHashes(other, (path) => path.endsWith('/'))) pages.add(hash);
    }
    let racing = true;
    let deleted = 0;
    const collector = (async () => {
      while (racing) {
        await db.query(
          'DELETE FROM releases r USING sites s WHERE r.site_id = $1 AND s.id = $1 AND r.id <> s.live_release',
          [other.id],
        );
        await age([...pages]);
        deleted += (await collect()).deleted;
      }
    })();
    for (let n = 3; n < 12; n++) {
      await write(n);
      await publish(other);
      // on a slow machine a collection takes longer than three publishes, so that each page is live again in time
      if (n === 7) await eventually('a page of an earlier body is deleted', async () => deleted > 0);
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
    await age([garbage]);
    await expect(collectOnce()).rejects.toThrow('Nothing is stored');
    expect(await store().has(garbage)).toBe(true);
    await db.query('UPDATE releases SET inputs_hash = $2 WHERE id = $1', [row!.id, row!.inputs_hash]);
    await collectAll([garbage]);
    expect(await store().has(garbage)).toBe(false);
  });

  test('removes objects that no row names, once they are old', async () => {
    const hash = await store().putBytes(randomBytes(70));
    const place = (await store().locate([hash])).get(hash)!;
    await db.query('DELETE FROM objects WHERE hash = $1', [hash]);
    await removeOrphans({ db, objects: onlyObjects(place.key) }, { graceMs: dayMs });
    expect(await store().readAt(place)).toHaveLength(70);
    const kept = [...(await store().locate(await releaseHashes(site))).values()];
    const objects = onlyObjects(place.key, ...kept.map(({ key }) => key));
    await removeOrphans({ db, objects }, { graceMs: dayMs, now: new Date(Date.now() + 2 * dayMs) });
    await expect(store().readAt(place)).rejects.toThrow('not in the store');
    expect(await missingFiles(site)).toEqual([]);
  });
});

// rule: threat.38
test('the sweep touches nothing that another installation or program keeps in the same store', async () => {
  const shared = openKeyedStore(stackConfig().objects);
  const [own] = await db.query<{ id: string }>('SELECT id FROM installation');
  const foreign = [
    `packs/${randomUUID()}`, // from before keys contained the id, and unknown to SQL
    `blobs/${randomUUID()}`,
    `${randomUUID()}/packs/${randomUUID()}`,
    `packs/${randomUUID()}/${randomUUID()}`, // a backup's
    `backups/${randomUUID()}/rows.gz`,
    `${own!.id}/notes/${randomUUID()}`,
    `${own!.id}/packs/readme.txt`,
    `invoices-${randomUUID()}.pdf`,
  ];
  const orphan = `${own!.id}/packs/${randomUUID()}`;
  for (const key of [...foreign, orphan]) await shared.put(key, Buffer.from('x'));
  const keys = new Set([...foreign, orphan]);
  const objects = {
    ...store(),
    // orphans of other tests may not have their rows yet
    async *listOwnObjects() {
      for await (const object of store().listOwnObjects()) if (keys.has(object.key)) yield object;
    },
  };
  const removed = await removeOrphans({ db, objects }, { graceMs: dayMs, now: new Date(Date.now() + 2 * dayMs) });
  expect(removed).toBe(1);
  expect(await shared.get(orphan)).toBeNull();
  for (const key of foreign) expect(await shared.get(key)).not.toBeNull();
  await shared.remove(foreign);
});

test('an object under a key from before keys had the id is read, and collected when nothing refers to it', async () => {
  const shared = openKeyedStore(stackConfig().objects);
  const [key, data] = [`packs/${randomUUID()}`, randomBytes(40)];
  await shared.put(key, data);
  await db.query('INSERT INTO objects (hash, bytes, object_key, object_offset) VALUES ($1, 40, $2, 0)', [
    hashBytes(data),
    key,
  ]);
  expect(await store().getBytes(hashBytes(data))).toEqual(data);
  await collectAll([hashBytes(data)]);
  expect(await shared.get(key)).toBeNull();
});

describe('the list of references', () => {
  /** Columns that could contain a hash of an object, but do not. */
  const without = new Set([
    'api_keys.secret_hash',
    'api_keys.previous_hash',
    'users.password_hash',
    'sessions.token_hash',
    'account_links.token_hash',
    'agent_tokens.token_hash',
    'key_requests.token_hash',
    'recovery_codes.code_hash',
    'idempotency_keys.body_hash', // of a request
    'objects.hash',
    'sites.locales',
    'content.fields',
    'content_types.fields_schema',
    'sites.settings',
    'content.warnings',
    'content_revisions.record', // the members of a revision except its body
    'purged_revisions.record',
    'content_drafts.members',
    'content_drafts.warnings',
    'components.variables_schema',
    'media.focal_point',
    'deliveries.headers',
    'deliveries.timeline',
    'deliveries.origin',
    'events.log',
    'jobs.origin',
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

async function readLiveManifest(site: TestSite): Promise<Manifest> {
  const [row] = await db.query<{ manifest_hash: string }>(
    'SELECT r.manifest_hash FROM sites s JOIN releases r ON r.id = s.live_release WHERE s.id = $1',
    [site.id],
  );
  return readManifest(store(), row!.manifest_hash);
}

/** Returns the hashes of the files of the live release. */
async function releaseHashes(site: TestSite, wanted: (path: string) => boolean = () => true): Promise<string[]> {
  const { files } = await readLiveManifest(site);
  return Object.entries(files).flatMap(([path, [hash]]) => (wanted(path) ? [hash] : []));
}

/** Restricts the store to these objects: uploads of other tests may not have their rows yet. */
function onlyObjects(...keys: string[]) {
  const objects = store();
  return {
    ...objects,
    async *listOwnObjects() {
      for await (const object of objects.listOwnObjects()) if (keys.includes(object.key)) yield object;
    },
  };
}

/**
 * Returns the files of the live release whose bytes are missing or differ from its manifest. Throws MissingObject if a chunk of
 * its manifest or trace is missing.
 */
async function missingFiles(site: TestSite): Promise<string[]> {
  const objects = store();
  const [row] = await db.query<{ trace_hash: string }>(
    'SELECT r.trace_hash FROM sites s JOIN releases r ON r.id = s.live_release WHERE s.id = $1',
    [site.id],
  );
  await readTraceTree(objects, row!.trace_hash);
  const manifest = await readLiveManifest(site);
  const missing: string[] = [];
  for (const [path, [hash, bytes, , pack, offset]] of Object.entries(manifest.files)) {
    const data = await objects.readAt({ key: manifest.packs[pack]!, offset, bytes }).catch(() => null);
    if (!data || hashBytes(data) !== hash) missing.push(path);
  }
  return missing;
}
