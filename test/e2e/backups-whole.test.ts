import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openKeyedStore } from '../../services/engines/objects/open.ts';
import { openDatabase } from '../../services/engines/sql/database.ts';
import { signBody } from '../../services/features/inbound/signature.ts';
import { eventually, stack } from '../harness/api.ts';
import { crawlEdge } from '../harness/crawl.ts';
import { freshPorts, freshSecretKey, type Installation, startInstallation } from '../harness/installation.ts';
import { jpeg } from '../harness/media.ts';
import '../harness/retry.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
type Any = any;

const minutesMs = 600_000;
const pickS3 = (env: Record<string, string>) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('S3_')));
const settings = { FIELDSTONE_SECRET_KEY: freshSecretKey() };
const onCluster = stack.engines === 'cluster';
const backupBucket = `whole-${randomUUID()}`;
/**
 * Starts an installation; on a cluster's engines with Temporal, a bucket of its own, and one for backups that outlives
 * it.
 */
const start = () =>
  onCluster
    ? startInstallation(
        ports,
        { ...settings, ...pickS3(stack.env), S3_BUCKET: `whole-${randomUUID()}`, BACKUP_S3_BUCKET: backupBucket },
        ['--temporal'],
      )
    : startInstallation(ports, settings);
/** The folder to which an operator copies the backups before the installation's machine is lost. */
const elsewhere = mkdtempSync(path.join(tmpdir(), 'fieldstone-backups-'));
const backupsOf = ({ data }: Installation) => path.join(data, 'backups');

let ports: Awaited<ReturnType<typeof freshPorts>>;
let here: Installation;
let admin: Any;
let member: Any;
let revoked: Any;
let viewer: Any;
let integration: Any;
let first: Any;
let served: Map<string, string>;

/** Parses the standard error of a failed command: one line of JSON. */
const told = ({ stderr }: { stderr: string }): { code: string; message: string } => JSON.parse(stderr).error;

const failure = (work: Promise<unknown>): Promise<Any> =>
  work.then(
    () => null,
    (error) => error,
  );

async function publish(site: string): Promise<void> {
  const { data } = await here.request('POST', `/sites/${site}/publish`, { key: admin.key });
  await eventually(`${site} is published`, async () => {
    const job = (await here.request('GET', `/jobs/${data.job}`, { key: admin.key })).data;
    if (job.status === 'failed') throw new Error(job.error.message);
    return job.status === 'succeeded';
  });
}

async function makeSite(slug: string): Promise<void> {
  const { key } = admin;
  await here.request('POST', '/sites', { key, body: { name: `The ${slug}`, slug } });
  const raw = new FormData();
  raw.set('file', new Blob([await jpeg(120, 80)]), 'stone.jpg');
  raw.set('alt', 'A stone');
  const media = (await here.request('POST', `/sites/${slug}/media`, { key, raw })).data;
  await eventually('the picture is ready', async () => {
    const { data } = await here.request('GET', `/sites/${slug}/media/${media.id}`, { key });
    return data.status === 'ready' && data.variants.some(({ format }: Any) => format === 'avif');
  });
  for (const title of ['One', 'Two', 'Three']) {
    const body = { title, status: 'published', body_html: `<p>${slug}</p><img src="media:${media.id}">` };
    await here.request('POST', `/sites/${slug}/content`, { key, body });
  }
  await publish(slug);
}

const crawl = () =>
  crawlEdge(here.edge, ['/sites/alpha/', '/sites/alpha/sitemap.xml', '/sites/beta/', '/sites/beta/feed.xml']);

async function deliver(title: string): Promise<number> {
  const body = Buffer.from(JSON.stringify({ title, body_html: '<p>by webhook</p>' }));
  const headers = { 'X-Service-Signature': signBody(integration.secret, body), 'X-Delivery-Id': randomUUID() };
  return (await fetch(`${here.origin}/webhooks/${integration.slug}`, { method: 'POST', headers, body })).status;
}

/**
 * Kills the command several times soon after its start, at this machine's speed; returns how often it was still
 * running.
 */
async function killOnTheWay(...args: string[]): Promise<number> {
  const startedAt = performance.now();
  await here.run('backups', 'list');
  const startMs = performance.now() - startedAt;
  let killed = 0;
  for (const laterMs of [0, 50, 150, 400]) if (await here.kill(startMs + laterMs, ...args)) killed++;
  return killed;
}

beforeAll(async () => {
  ports = await freshPorts();
  here = await start();
  admin = await here.run('keys', 'create', '--name', 'root', '--scopes', 'admin', '--sites', '*');
  await here.run('users', 'create', 'ada@example.com');
  await here.run('teams', 'create', 'Writers', '--sites', 'alpha');
  await here.run('teams', 'add', 'writers', 'ada@example.com');
  const asAda = ['--scopes', 'content:read', '--sites', 'alpha', '--user', 'ada@example.com'];
  member = await here.run('keys', 'create', '--name', 'ada', ...asAda);
  revoked = await here.run('keys', 'create', '--name', 'old', ...asAda);
  await here.run('keys', 'revoke', revoked.id);
  await makeSite('alpha');
  await here.run('users', 'create', 'vera@example.com', '--site', 'alpha', '--role', 'viewer');
  const asVera = ['--scopes', 'admin', '--sites', '*', '--user', 'vera@example.com'];
  viewer = await here.run('keys', 'create', '--name', 'vera', ...asVera);
  await makeSite('beta');
  integration = (
    await here.request('POST', '/sites/alpha/webhooks', { key: admin.key, body: { mapper: 'create_post' } })
  ).data;
  served = await crawl();
}, minutesMs);

afterAll(async () => {
  await here.destroy();
  rmSync(elsewhere, { recursive: true, force: true });
}, minutesMs);

describe('a backup of everything', () => {
  // rule: threat.33
  test('has every site, users, teams and keys; of the keys no secret', async () => {
    expect(served.size).toBeGreaterThan(15);
    first = await here.run('backups', 'create', '--all');
    expect(first.sites.map(({ slug }: Any) => slug).sort()).toEqual(['alpha', 'beta']);
    expect(first).toMatchObject({
      kind: 'installation',
      missing: [],
      rows: { users: 3, teams: 1, site_members: 1, api_keys: 4 },
    });
    expect(first.added.blobs).toBe(first.blobs);
    const bucket = openKeyedStore({ engine: 'files', folder: backupsOf(here), minFreeBytes: 0 });
    for await (const { key } of bucket.list('')) {
      const bytes = await bucket.get(key);
      for (const secret of [admin, member, revoked, viewer]) expect(bytes!.includes(secret.key.slice(12))).toBe(false);
    }
  });

  test('copies nothing that the one before has', async () => {
    const second = await here.run('backups', 'create', '--all');
    expect(second.blobs).toBe(first.blobs);
    expect(second.added).toEqual({ blobs: 0, bytes: 0 });
    const body = { title: 'Four', status: 'draft', body_html: `<p>${'more '.repeat(60_000)}</p>` };
    await here.request('POST', '/sites/beta/content', { key: admin.key, body });
    const third = await here.run('backups', 'create', '--all');
    expect(third.added.blobs).toBe(1);
    const single = await here.run('backups', 'create', 'beta');
    expect(single.added.blobs).toBe(0);
  });

  test('is verified with all its sites, which leaves nothing behind', async () => {
    const before = await here.run('users', 'list');
    expect((await here.run('backups', 'verify', first.id)).ok).toBe(true);
    expect(await here.run('users', 'list')).toEqual(before);
    expect((await here.request('GET', '/sites', { key: admin.key })).data).toHaveLength(2);
  });

  test('waits for a site that a killed backup still holds', async () => {
    const db = openDatabase({ ...here.config(), databasePoolSize: 1 });
    const held = `INSERT INTO leases (name, holder, expires_at)
      SELECT 'backup:' || id::TEXT, gen_random_uuid(), now() + INTERVAL '5 seconds' FROM sites WHERE slug = 'beta'
      ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires_at = excluded.expires_at`;
    await db.query(held);
    await db.close();
    const made = await here.run('backups', 'create', '--all');
    expect(made.missing).toEqual([]);
    expect(made.sites.map(({ slug }: Any) => slug).sort()).toEqual(['alpha', 'beta']);
  });

  test('that is killed leaves no half backup, and the next one is whole', async () => {
    const before = (await here.run('backups', 'list')).length;
    expect(await killOnTheWay('backups', 'create', '--all')).toBeGreaterThan(0);
    // the leases of the killed commands expire
    const made = await eventually('a backup can be made again', () =>
      here.run('backups', 'create', '--all').catch(() => undefined),
    );
    expect(made.missing).toEqual([]);
    expect((await here.run('backups', 'verify', made.id)).ok).toBe(true);
    const installations = (await here.run('backups', 'list')).filter(({ kind }: Any) => kind === 'installation');
    // one made while a killed one still held a site names it as missing
    for (const { sites, missing } of installations) expect([...sites, ...missing]).toHaveLength(2);
    expect((await here.run('backups', 'list')).length).toBeGreaterThan(before);
  });

  test('takes those beyond FIELDSTONE_BACKUP_ALL_KEEP away, with the parts of those that were killed, and no more', async () => {
    const last = await here.runWith({ FIELDSTONE_BACKUP_ALL_KEEP: '1' }, 'backups', 'create', '--all');
    const left: Any[] = await here.run('backups', 'list');
    expect(left.filter(({ kind }) => kind === 'installation').map(({ id }) => id)).toEqual([last.id]);
    const parts = left.filter(({ kind, installation }) => kind === 'site' && installation !== null);
    expect(parts.map(({ id }) => id).sort()).toEqual(last.sites.map(({ backup }: Any) => backup).sort());
    const single = left.find(({ kind, installation }) => kind === 'site' && installation === null);
    expect(single.site).toBe('beta');
    for (const { id } of left) expect((await here.run('backups', 'verify', id)).ok).toBe(true);
    first = last;
  });

  test('goes into an empty installation only', async () => {
    const refused = await failure(here.run('backups', 'restore', first.id));
    expect(refused).toMatchObject({ code: 1 });
    expect(told(refused)).toEqual({
      code: 'failed',
      message: expect.stringMatching(
        /^Everything can only be restored into an empty installation; this one has .*4 keys/,
      ),
    });
  });

  test(
    'brings everything back into a new installation, byte for byte, though it is killed on the way',
    async () => {
      if (!onCluster) cpSync(backupsOf(here), elsewhere, { recursive: true });
      await here.destroy();
      here = await start();
      if (!onCluster) cpSync(elsewhere, backupsOf(here), { recursive: true });
      expect((await fetch(`${here.edge}/sites/alpha/`)).status).toBe(404);
      expect(await killOnTheWay('backups', 'restore', first.id)).toBeGreaterThan(0);
      const restored = await eventually('the leases of the killed end', () =>
        here.run('backups', 'restore', first.id).catch((error: Any) => {
          if (/in progress/.test(error.stderr)) return undefined;
          if (/this one has/.test(error.stderr)) return here.run('keys', 'list'); // a killed one had already finished
          throw error;
        }),
      );
      expect(restored).toBeDefined();
      expect(await crawl()).toEqual(served);
    },
    minutesMs,
  );

  test('brings back who may do what', async () => {
    const users: Any[] = await here.run('users', 'list');
    expect(Object.fromEntries(users.map(({ email, roles }) => [email, roles]))).toEqual({
      'ada@example.com': null,
      'admin@localhost': null,
      'vera@example.com': [{ site: 'alpha', role: 'viewer', team: null }],
    });
    expect(await here.run('teams', 'list')).toMatchObject([
      { slug: 'writers', sites: ['alpha'], members: ['ada@example.com'] },
    ]);
    const read = (key: string, site: string) => here.request('GET', `/sites/${site}/content`, { key });
    expect((await read(member.key, 'alpha')).data).toHaveLength(3);
    expect((await read(member.key, 'beta')).status).toBe(403);
    expect((await read(revoked.key, 'alpha')).status).toBe(401);
    expect((await read(viewer.key, 'alpha')).data).toHaveLength(3);
    expect((await read(viewer.key, 'beta')).status).toBe(403);
    const publishing = await here.request('POST', '/sites/alpha/publish', { key: viewer.key });
    expect(publishing.status).toBe(403);
    expect((await read(admin.key, 'beta')).data).toHaveLength(4);
  });

  test('brings back an installation that goes on: webhooks with their secrets, publishing, backups', async () => {
    expect(await deliver('By webhook')).toBe(202);
    await eventually('the article is live', async () => (await fetch(`${here.edge}/sites/alpha/posts/by-webhook/`)).ok);
    await publish('beta');
    const next = await here.run('backups', 'create', '--all');
    expect(next.missing).toEqual([]);
    expect((await here.run('backups', 'verify', next.id)).ok).toBe(true);
  });

  test('cannot become one site', async () => {
    const refused = await failure(here.run('backups', 'restore', first.id, '--as', 'gamma'));
    expect(told(refused).message).toBe('A backup of everything cannot become one site.');
  });

  test('without one of the sites names it and exits with an error, and has all the others', async () => {
    const db = openDatabase({ ...here.config(), databasePoolSize: 1 });
    await db.query(`DELETE FROM objects WHERE hash = (SELECT c.body_hash FROM content c WHERE c.title = 'Four')`);
    await db.close();
    const failed = await failure(here.run('backups', 'create', '--all', '--full'));
    expect(failed.code).toBe(1);
    expect(told(failed).message).toMatch(
      /^The backup lacks beta \(The site refers to the object [0-9a-f]{64}, which is not in the store\.\)$/,
    );
    const made = JSON.parse(failed.stdout);
    expect(made.sites.map(({ slug }: Any) => slug)).toEqual(['alpha']);
    expect(made.rows.api_keys).toBe(4);
  });
});
