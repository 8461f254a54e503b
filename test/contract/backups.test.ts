import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { register } from 'prom-client';
import { createLogger } from '../../services/core/log.ts';
import { createCipher } from '../../services/core/secrets.ts';
import { openKeyedStore } from '../../services/engines/objects/open.ts';
import { hashBytes, openObjectStore } from '../../services/engines/objects/store.ts';
import {
  findSummary,
  listSummaryKeys,
  putSummary,
  readSummaries,
  type Summary,
} from '../../services/features/backups/archive.ts';
import { installationTables } from '../../services/features/backups/installation-tables.ts';
import { parseLines } from '../../services/features/backups/lines.ts';
import { createBackupOperations, operator } from '../../services/features/backups/operations.ts';
import { backUpDueSites } from '../../services/features/backups/schedule.ts';
import { backupTables } from '../../services/features/backups/tables.ts';
import { selectAllEndpoints } from '../../services/features/events/endpoints-sql.ts';
import { endpointSecrets } from '../../services/features/events/secrets.ts';
import {
  closeStack,
  eventually,
  makeKey,
  makeSite,
  publish,
  request,
  stack,
  stackConfig,
  stackDatabase,
  type TestSite,
} from '../harness/api.ts';
import { createEdgeRecorder } from '../harness/edges.ts';
import { jpeg, upload, waitForFormat } from '../harness/media.ts';
import { createItem, succeed, visit, writeShell } from '../workflows/helpers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
type Any = any;

const db = stackDatabase();
const bucket = openKeyedStore(stackConfig().backups);
const run = promisify(execFile);
const requireBackup = async (id: string): Promise<Summary> => (await findSummary(bucket, id))!;
const listBackups = async (siteId: string) =>
  (await readSummaries(bucket, await listSummaryKeys(bucket, siteId))).reverse();
const program = path.join(import.meta.dirname, '..', '..', 'services', 'cli', 'main.ts');
afterAll(closeStack);

/** Runs `fieldstone backups …` as an operator does. */
async function backups(...args: string[]): Promise<Any> {
  const { stdout } = await run(process.execPath, ['--no-warnings', program, 'backups', ...args, '--json'], {
    env: { ...stack.env, FIELDSTONE_TEST_INJECT_40001: 'true' },
    maxBuffer: 1 << 26,
  });
  return JSON.parse(stdout);
}

/**
 * Starts a command and kills it this long after it has started work on the site; returns false if it had finished by
 * then.
 */
async function killed(site: TestSite, afterMs: number, ...args: string[]): Promise<boolean> {
  const child = execFile(process.execPath, ['--no-warnings', program, 'backups', ...args], { env: stack.env });
  const ended = once(child, 'exit');
  const lease = `backup:${site.id}`;
  await eventually('the command holds its lease', async () => {
    const rows = await db.query('SELECT name FROM leases WHERE name = $1 AND expires_at > now()', [lease]);
    return rows.length > 0 || child.exitCode !== null;
  });
  await sleep(afterMs);
  child.kill('SIGKILL');
  const [code] = await ended;
  await db.query('DELETE FROM leases WHERE name = $1', [lease]); // as if it had expired
  return code === null;
}

const failure = (...args: string[]) =>
  backups(...args).then(
    () => null,
    (error: { code: number; stderr: string }) => error,
  );

interface Filled {
  site: TestSite;
  post: Any;
  trashed: Any;
  media: Any;
  page: string;
}

/** Creates a published site with records of every kind, and unpublished edits. */
async function fillSite(): Promise<Filled> {
  const site = await makeSite();
  const former = (await upload(site, await jpeg(320, 200))).data;
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await jpeg(321, 207))]), 'photo.jpg');
  const media = (await site.request('POST', `/media/${former.id}/replace`, undefined, { raw: form })).data;
  await waitForFormat(site, media.id, 'avif');
  const schema = { region: { type: 'string', 'x-filter': true } };
  await site.request('PUT', '/types/hike', { name: 'Hike', fields_schema: schema });
  const post = await createItem(site, {
    title: 'Kept post',
    body_html: `<p>kept words</p><img src="media:${media.id}">`,
    featured_media_id: media.id,
  });
  await site.request('POST', '/languages', { locale: 'fr' });
  await createItem(site, { title: 'Gardé', locale: 'fr', translation_of: post.id, body_html: '<p>mots</p>' });
  await createItem(site, {
    type: 'hike',
    fields: { region: 'north' },
    title: 'Long',
    body_html: `<p>${'long words '.repeat(30_000)}media:${media.id}</p>`,
  });
  const trashed = await createItem(site, { title: 'Thrown away' });
  await site.request('DELETE', `/content/${trashed.id}`);
  await site.request('POST', '/redirects', { from: '/old', to: '/posts/kept-post/' });
  await site.request('POST', '/scripts', { name: 'tally', code: 'window.tally = 1' });
  await site.request('POST', '/webhooks', { mapper: 'create_post', name: 'From elsewhere' });
  await site.request('POST', '/event-endpoints', {
    url: 'https://hooks.example.org/',
    events: ['site.published', 'content.published'],
  });
  await writeShell(site, 'footer-note.twig', `<em>{{ media('${media.id}').alt }}</em>`);
  await site.request('POST', '/shell/snapshot');
  await site.request('POST', '/components', { handle: 'note', type: 'html', source_code: '<b>{{ text }}</b>' });
  await publish(site);
  await site.request('PATCH', `/content/${post.id}`, { body_html: '<p>not yet published words</p>' });
  return { site, post, trashed, media, page: '/posts/kept-post/' };
}

describe('backups', () => {
  let filled: Filled;
  let first: Any;
  let livePage: string;

  beforeAll(async () => {
    filled = await fillSite();
    livePage = (await visit(filled.site, filled.page)).text;
    first = await backups('create', filled.site.slug);
  });

  test('hold the rows of every kind and the objects that they need', () => {
    expect(first.rows).toMatchObject({
      sites: 1,
      content: 4,
      redirects: 1,
      scripts: 1,
      media: 1,
      integrations: 1,
      event_endpoints: 1,
      releases: 1,
    });
    // the post as published and as edited since
    expect(first.rows.content_revisions).toBe(5);
    expect(first.added.blobs).toBe(first.blobs);
  });

  test('copy only what the one before lacks', async () => {
    const second = await backups('create', filled.site.slug);
    expect(second.blobs).toBe(first.blobs);
    expect(second.added).toEqual({ blobs: 0, bytes: 0 });
    expect(await backups('list', '--site', filled.site.slug)).toEqual([second, first]);
  });

  test('are verified by reading everything and restoring the rows, which leaves nothing behind', async () => {
    const [before] = await db.query('SELECT count(*) AS sites FROM sites WHERE slug LIKE $1', ['scratch-%']);
    expect((await backups('verify', first.id)).ok).toBe(true);
    expect(await db.query('SELECT count(*) AS sites FROM sites WHERE slug LIKE $1', ['scratch-%'])).toEqual([before]);
  });

  test('bring a site back in place: pages at once, rows as they were', async () => {
    const { site, post, trashed, media } = filled;
    await site.request('DELETE', '/shell/file/post.twig');
    await writeShell(site, 'post.twig', '<html><head></head><body>ruined</body></html>');
    await site.request('DELETE', `/content/${post.id}`);
    await site.request('DELETE', `/content/${post.id}/purge`);
    await site.request('DELETE', `/content/${trashed.id}/purge`);
    const later = await createItem(site, { title: 'Later' });
    await site.request('PATCH', '', { name: 'Renamed' }, {});
    await publish(site);
    expect((await visit(site, filled.page)).status).toBe(404);

    const restored = await backups('restore', first.id);
    expect(restored).toMatchObject({ site: { id: site.id, slug: site.slug } });
    expect(restored.before).not.toBeNull();
    await sleep(1200); // an edge may serve what it read up to half a second ago
    expect((await visit(site, filled.page)).text).toBe(livePage);
    const item = (await site.request('GET', `/content/${post.id}`)).data;
    expect(item.body_html).toBe('<p>not yet published words</p>');
    expect((await site.request('GET', `/content/${later.id}`)).status).toBe(404);
    expect((await site.request('GET', '/content/trash')).data.map(({ id }: Any) => id)).toEqual([trashed.id]);
    expect((await site.request('GET', '/content')).json.pagination.total).toBe(3);
    expect((await site.request('GET', '')).data.name).toBe(`Site ${site.slug}`);
    expect((await site.request('GET', `/media/${media.id}`)).data).toMatchObject({
      sha256: media.sha256,
      previous: media.previous,
    });
    expect((await site.request('GET', '/types/hike')).data.name).toBe('Hike');
    const found = (await site.request('GET', '/content?filter[fields.region]=north')).data;
    expect(found.map(({ title }: Any) => title)).toEqual(['Long']);
    const uses = (await site.request('GET', `/media/${media.id}/usage`)).data;
    expect(uses.map(({ places }: Any) => places).toSorted()).toEqual([['body_html'], ['featured_media_id']]);
    await publish(site);
    const published = (await visit(site, filled.page)).text;
    expect(published).toContain('not yet published words');
    expect(published).not.toContain('ruined');
    await site.request('PATCH', `/content/${post.id}`, { body_html: '<p>edited after the restore</p>' });
    await publish(site);
    expect((await visit(site, filled.page)).text).toContain('edited after the restore');
  });

  test('bring back the aliases of a site, but for those that another site has by now', async () => {
    const [domain, kept, lost] = [randomUUID(), randomUUID(), randomUUID()].map((id) => `b${id}.example`);
    const site = await makeSite({ domain, aliases: [kept, lost] });
    const backup = await backups('create', site.slug);
    await site.request('PATCH', '', { domain: null, aliases: [] });
    await makeSite({ domain: lost! });
    await backups('restore', backup.id);
    expect((await site.request('GET', '')).data).toMatchObject({ domain, aliases: [kept] });
    await expect(makeSite({ domain: kept! })).rejects.toThrow('409');
  });

  test('that are killed while they are restored leave the old site or the restored one, whole', async () => {
    const site = await makeSite({ name: 'Old name' });
    const item = await createItem(site, { title: 'Two states', body_html: '<p>old</p>' });
    await publish(site);
    const backup = await backups('create', site.slug);
    await site.request('PATCH', '', { name: 'New name' });
    await site.request('PATCH', `/content/${item.id}`, { body_html: '<p>new</p>' });
    let unfinished = 0;
    for (const afterMs of [0, 50, 100, 150, 250, 400]) {
      if (await killed(site, afterMs, 'restore', backup.id)) unfinished++;
      const { name } = (await site.request('GET', '')).data;
      const { body_html } = (await site.request('GET', `/content/${item.id}`)).data;
      expect([
        ['Old name', '<p>old</p>'],
        ['New name', '<p>new</p>'],
      ]).toContainEqual([name, body_html]);
      expect((await visit(site, '/posts/two-states/')).text).toContain('old');
    }
    expect(unfinished).toBeGreaterThan(0);
    await backups('restore', backup.id);
    expect((await site.request('GET', `/content/${item.id}`)).data.body_html).toBe('<p>old</p>');
  });

  test('bring a deleted site back, with bytes that the store has lost', async () => {
    const { site, post } = filled;
    const backup = await backups('create', site.slug);
    const page = (await visit(site, filled.page)).text;
    const [listening] = (await site.request('GET', '/event-endpoints')).data;
    expect((await request('DELETE', `/sites/${site.slug}`, { key: site.key })).status).toBe(200);
    await loseObjects(await hashesOf(backup.id));
    expect(await backups('restore', backup.id)).toMatchObject({ site: { id: site.id }, before: null });
    expect((await site.request('GET', '/event-endpoints')).data).toEqual([listening]);
    const [told] = (await site.request('GET', '/events?type=site.published')).data;
    const [live] = (await site.request('GET', '/releases')).data;
    expect(told).toMatchObject({ type: 'site.published', payload: { data: { release: live.id } } });
    await sleep(1200);
    expect((await visit(site, filled.page)).text).toBe(page);
    await site.request('PATCH', `/content/${post.id}`, { title: 'Kept post, alive' });
    await publish(site);
    expect((await visit(site, filled.page)).text).toContain('Kept post, alive');
  });

  test('become a new site with ids of its own', async () => {
    const { site, post, media } = filled;
    const slug = `copy-${randomUUID().slice(0, 8)}`;
    const made = await backups('restore', first.id, '--as', slug);
    expect(made).toMatchObject({ site: { slug }, live_release: null, before: null });
    const key = await makeKey();
    const copy: TestSite = {
      ...site,
      slug,
      id: made.site.id,
      key,
      request: (method, at, body, options = {}) =>
        request(method, `/sites/${slug}${at}`, { key, ...options, ...(body === undefined ? {} : { body }) }),
    };
    const items = (await copy.request('GET', '/content')).data as Any[];
    const [image] = (await copy.request('GET', '/media')).data;
    expect(image.id).not.toBe(media.id);
    const kept = items.find(({ title }) => title.startsWith('Kept post'));
    expect(kept.id).not.toBe(post.id);
    expect(kept.featured_media_id).toBe(image.id);
    expect(items.find(({ locale }) => locale === 'fr').translation_of).toBe(kept.id);
    expect((await copy.request('GET', '/shell/file/footer-note.twig')).text).toContain(image.id);
    expect(items.find(({ title }) => title === 'Long').body_html).toContain(image.id);
    const [endpoint] = (await copy.request('GET', '/event-endpoints')).data;
    expect(endpoint).toMatchObject({ enabled: false, disabled_reason: expect.stringContaining('copy') });
    const [row] = await selectAllEndpoints(db, slug);
    expect(endpointSecrets.open(createCipher(stackConfig().secretKeys), row!)).toMatch(/^whsec_/);
    await publish(copy);
    expect((await visit(copy, filled.page)).text).toContain('not yet published words');
    expect(await failure('restore', first.id, '--as', slug)).toMatchObject({ code: 1 });
    expect((await site.request('GET', `/content/${post.id}`)).status).toBe(200);
  });

  // rule: threat.42
  test('have what the live site shows of a purged item, for the shell edits after a restore', async () => {
    const site = await makeSite({ settings: { shell_autopublish: true } });
    const { id } = await createItem(site, { title: 'Purged', body_html: '<p>still here</p>' });
    await publish(site);
    await site.request('DELETE', `/content/${id}`);
    await site.request('DELETE', `/content/${id}/purge`);
    const backup = await backups('create', site.slug);
    expect(await backups('verify', backup.id)).toMatchObject({ ok: true });
    await publish(site);
    expect((await visit(site, '/posts/purged/')).status).toBe(404);
    await backups('restore', backup.id);
    const { job } = await writeShell(site, 'post.twig', '<html><head></head><body>NEW {{ page.body }}</body></html>');
    await succeed(site, job);
    expect((await visit(site, '/posts/purged/')).text).toContain('NEW <p>still here</p>');
  });

  // rule: threat.40
  test('that were damaged are told by verify, and restore changes nothing', async () => {
    const site = await makeSite();
    await createItem(site, { title: 'Precious' });
    await publish(site);
    const backup = await backups('create', site.slug);
    const summary = await requireBackup(backup.id);
    const packs = [];
    for await (const { key } of bucket.list(`packs/${site.id}/`)) packs.push(key);
    const pack = (await bucket.get(packs[0]!))!;
    await bucket.put(packs[0]!, pack.map((byte) => byte ^ 1) as Buffer);
    expect((await failure('verify', backup.id))!.stderr).toMatch(/does not match its bytes/);
    await request('DELETE', `/sites/${site.slug}`, { key: site.key });
    await loseObjects(await hashesOf(backup.id));
    expect((await failure('restore', backup.id))!.stderr).toMatch(/does not match its bytes/);
    expect((await request('GET', `/sites/${site.slug}`, { key: site.key })).status).toBe(404);
    await bucket.put(summary.contents.key, Buffer.from('gone'));
    expect((await failure('verify', backup.id))!.stderr).toMatch(/has changed since it was backed up/);
  });

  // rule: threat.40
  test('are whole again after damage: a pack that is gone is copied anew, a changed one by --full', async () => {
    const site = await makeSite();
    await publish(site);
    const first = await backups('create', site.slug);
    const packs = [];
    for await (const { key } of bucket.list(`packs/${site.id}/`)) packs.push(key);
    await bucket.remove(packs);
    expect((await failure('verify', first.id))!.stderr).toMatch(/lacks packs/);
    const second = await backups('create', site.slug);
    expect(second.added.blobs).toBe(first.blobs);
    expect((await backups('verify', second.id)).ok).toBe(true);
    for await (const { key } of bucket.list(`packs/${site.id}/`)) await bucket.put(key, Buffer.from('noise'));
    const third = await backups('create', site.slug);
    expect(third.added.blobs).toBe(0);
    expect((await failure('verify', third.id))!.code).toBe(1);
    const full = await backups('create', site.slug, '--full');
    expect(full.added.blobs).toBe(full.blobs);
    expect((await backups('verify', full.id)).ok).toBe(true);
  });

  test('bring a site back in place when the object store has lost the bytes that SQL still names', async () => {
    const site = await makeSite();
    const events = ['content.published']; // differs from the previous release, whose files are lost
    await site.request('POST', '/event-endpoints', { url: 'https://hooks.example.org/', events });
    const words = randomUUID();
    await createItem(site, { title: 'Survivor', body_html: `<p>${words} ${'long '.repeat(60_000)}</p>` });
    await publish(site);
    const page = (await visit(site, '/posts/survivor/')).text;
    const backup = await backups('create', site.slug);
    await createItem(site, { title: 'Since then', body_html: `<p>${words} ${'else '.repeat(60_000)}</p>` });
    const [{ body_hash: since }] = (await db.query('SELECT body_hash FROM content WHERE site_id = $1 AND title = $2', [
      site.id,
      'Since then',
    ])) as [{ body_hash: string }];
    const objects = openObjectStore(stackConfig().objects, db);
    const own = await objects.locate([...(await hashesOf(backup.id)), since]);
    const shared = await objects.locate(await hashesOfOthers(site.id));
    const sharedKeys = new Set([...shared.values()].map(({ key }) => key));
    const lost = [...new Set([...own.values()].map(({ key }) => key))].filter((key) => !sharedKeys.has(key));
    expect(lost.length).toBeGreaterThan(1);
    await objects.removeObjects(lost);
    const refused = await failure('restore', backup.id);
    expect(refused!.stderr).toMatch(/cannot be backed up first: .*--force/);
    expect(await backups('restore', backup.id, '--force')).toMatchObject({ site: { id: site.id }, before: null });
    await sleep(1200);
    expect((await visit(site, '/posts/survivor/')).text).toBe(page);
    await publish(site);
  });

  test('of an earlier version, which had fewer columns in another order, are verified and restored', async () => {
    const site = await makeSite();
    const item = await createItem(site, { title: 'From long ago', excerpt: 'e' });
    const { id } = await backups('create', site.slug);
    const summary = await requireBackup(id);
    const earlier = (name: string) => !['source_scope', 'excerpt'].includes(name);
    const text = parseLines(gunzipSync((await bucket.get(summary.contents.key))!))
      .map(([table, row]) => [
        table,
        Object.fromEntries(
          Object.entries(row)
            .filter(([name]) => earlier(name))
            .reverse(),
        ),
      ])
      .map((line) => `${JSON.stringify(line)}\n`);
    const data = gzipSync(text.join(''));
    await bucket.put(summary.contents.key, data);
    await putSummary(bucket, {
      ...summary,
      contents: { ...summary.contents, sha256: hashBytes(data), bytes: data.length },
    });
    expect((await backups('verify', id)).ok).toBe(true);
    await request('DELETE', `/sites/${site.slug}`, { key: site.key });
    expect(await backups('restore', id)).toMatchObject({ site: { id: site.id } });
    const restored = (await site.request('GET', `/content/${item.id}`)).data;
    expect(restored).toMatchObject({ title: 'From long ago', excerpt: null, source_ref: null });
    await publish(site);
  });

  test.each([
    ['/webhooks', { mapper: 'create_post' }],
    ['/event-endpoints', { url: 'https://hooks.example.org/', events: ['site.published'] }],
  ])('whose secrets of %s nobody can read are refused before anything is changed', async (path, members) => {
    const site = await makeSite();
    expect((await site.request('POST', path, members)).status).toBe(201);
    const { id } = await backups('create', site.slug);
    const operations = createBackupOperations({
      db,
      objects: openObjectStore(stackConfig().objects, db),
      bucket,
      cipher: createCipher([randomBytes(32)]),
      config: stackConfig(),
      edges: createEdgeRecorder(),
    });
    const unreadable = /FIELDSTONE_SECRET_KEY does not list/;
    const as = `copy-${randomUUID().slice(0, 8)}`;
    await expect(operations.restore(operator, id, { as })).rejects.toThrow(unreadable);
    expect((await request('GET', `/sites/${as}`, { key: await makeKey() })).status).toBe(404);
    await request('DELETE', `/sites/${site.slug}`, { key: site.key });
    await expect(operations.restore(operator, id)).rejects.toThrow(unreadable);
    expect((await request('GET', `/sites/${site.slug}`, { key: site.key })).status).toBe(404);
    expect(await backups('restore', id)).toMatchObject({ site: { id: site.id } });
  });

  test('of unknown sites and unknown ids are one sentence and a failure', async () => {
    expect(await failure('create', 'no-such-site')).toMatchObject({
      code: 4,
      stderr: '{"error":{"code":"not_found","message":"There is no site no-such-site."}}\n',
    });
    expect(await failure('verify', randomUUID())).toMatchObject({ code: 4 });
    expect(await failure('restore', first.id, '--as', 'Not A Slug')).toMatchObject({ code: 1 });
  });

  test('are made on schedule, and the oldest go beyond those to keep', async () => {
    const site = await makeSite();
    const objects = openObjectStore(stackConfig().objects, db);
    const only = { ...db, query: onlySite(site.id) };
    const schedule = (backupEveryHours: number) =>
      backUpDueSites(
        {
          db: only,
          objects,
          bucket,
          config: { backupKeep: 2, backupEveryHours, backupAllKeep: 1, backupAllEveryHours: 0 },
          log: createLogger('test', 'silent'),
        },
        new AbortController().signal,
      );
    await schedule(1);
    await schedule(1);
    const [first, ...others] = await listBackups(site.id);
    expect(others).toEqual([]);
    // the time that the alert about old backups compares
    const latest = async () => {
      const { values } = await register.getSingleMetric('fieldstone_backup_last_success_timestamp_seconds')!.get();
      return values.find(({ labels }) => labels['kind'] === 'site')!.value * 1000;
    };
    expect(await latest()).toBe(Date.parse(first!.created_at));
    for (let n = 0; n < 3; n++) {
      await writeShell(site, 'style.css', `/* ${n} */`);
      await schedule(0);
    }
    const left = await listBackups(site.id);
    expect(left).toHaveLength(2);
    for (const { id } of left) expect((await backups('verify', id)).ok).toBe(true);
    // the backup that a restore makes first must not evict the restored one
    const cipher = createCipher(stackConfig().secretKeys);
    const config = { backupKeep: 2, backupAllKeep: 1, edgeUrl: stackConfig().edgeUrl };
    const edges = createEdgeRecorder();
    const operations = createBackupOperations({ db, objects, bucket, cipher, config, edges });
    expect(await operations.restore(operator, left[1]!.id)).toMatchObject({ site: { id: site.id } });
    expect(edges.swapped).toEqual([site.id]);
    expect((await site.request('GET', '/shell/file/style.css')).text).toBe('/* 1 */');
  });
});

describe('the list of backed-up tables', () => {
  /** Tables and columns that backups omit. */
  const tablesWithout = new Set([
    'content_counts', // counted again
    'content_changes', // since the last builds, which a restore makes unknown
    'jobs',
    'build_attempts',
    'build_shards',
    'deliveries',
    'events',
    'uploads', // unfinished
    'audit_log', // outlives what is restored
    'installation', // a restored one has its own id
    'site_hosts', // derived from the sites; proven again
    'site_assets', // derived from the manifest
    'objects', // derived from the bytes
    'edges', // running processes
    'engines', // of the restoring installation
    'object_copies', // progress of a copy between stores
    'idempotency_keys',
    'idempotency_parts',
    'rate_limits',
    'sessions',
    'account_links',
    'key_requests',
    'agent_clients', // agents connect again
    'agent_grants',
    'agent_tokens',
    'mails',
    'leases',
    'schema_migrations',
    'schema_lease',
  ]);
  const columnsWithout = new Set([
    'sites.preview_release',
    'sites.version',
    'sites.content_epoch',
    'sites.build_token',
    'releases.replaced_at',
    'releases.awaited_media',
    'content_texts.folded', // computed
  ]);

  test('has every table and each of its columns', async () => {
    const columns = await db.query<{ table_name: string; column_name: string }>(
      `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'`,
    );
    const known = new Map([...backupTables, ...installationTables].map(({ name, columns: own }) => [name, own]));
    const all = new Set(columns.map(({ table_name }) => table_name));
    expect([...all].filter((table) => !known.has(table) && !tablesWithout.has(table))).toEqual([]);
    const missing = columns.filter(
      ({ table_name, column_name }) =>
        known.has(table_name) &&
        !known.get(table_name)![column_name] &&
        !columnsWithout.has(`${table_name}.${column_name}`),
    );
    expect(missing).toEqual([]);
  });
});

/** Returns the database, in which the list of all sites contains only this one. */
function onlySite(siteId: string): typeof db.query {
  return (sql, params) =>
    sql.startsWith('SELECT id, slug, created_at FROM sites ORDER')
      ? db.query('SELECT id, slug, created_at FROM sites WHERE id = $1', [siteId])
      : db.query(sql, params);
}

async function hashesOf(backupId: string): Promise<string[]> {
  const { manifest } = await requireBackup(backupId);
  const data = (await bucket.get(manifest.key))!;
  expect(hashBytes(data)).toBe(manifest.sha256);
  return Object.keys(JSON.parse(gunzipSync(data).toString()).blobs);
}

/** Returns the hashes that the rest of the stack still needs. */
async function hashesOfOthers(siteId: string): Promise<string[]> {
  const rows = await db.query<{ hash: string }>(
    `SELECT hash FROM shell_files WHERE site_id <> $1 UNION SELECT hash FROM site_assets WHERE site_id <> $1
     UNION SELECT sha256 AS hash FROM media WHERE site_id <> $1 UNION SELECT body_hash AS hash FROM content WHERE site_id <> $1 AND body_hash IS NOT NULL`,
    [siteId],
  );
  return rows.map(({ hash }) => hash);
}

/** Deletes objects that no other site refers to. */
async function loseObjects(hashes: string[]): Promise<void> {
  await db.query(
    `DELETE FROM objects WHERE hash = ANY($1::TEXT[]) AND hash NOT IN (SELECT s.hash FROM shell_files s) AND hash NOT IN (SELECT a.hash FROM site_assets a)`,
    [hashes],
  );
}
