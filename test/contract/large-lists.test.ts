import { createHash } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openObjectStore } from '../../services/engines/objects/store.ts';
import { closeStack, makeSite, readMetrics, stackConfig, stackDatabase, type TestSite } from '../harness/api.ts';
import { startRole, type TestRole } from '../harness/role.ts';

const mebibyte = 1024 * 1024;
const items = 40;
const clients = 10;
/** Connections of the gateway to the database: fewer than clients. */
const connections = 2;

let site: TestSite;
let gateway: TestRole;

/** Returns a unique body of 2 MiB. */
const bodyOf = (index: number): string =>
  `<p>${`Cairn ${index} "at" 1,204 m. `.repeat(2 * mebibyte).slice(0, 2 * mebibyte)}</p>`;

/** Inserts the items that many large creates would make, which would take a minute. */
beforeAll(async () => {
  site = await makeSite();
  gateway = await startRole('gateway', { FIELDSTONE_DATABASE_POOL: String(connections) });
  const titles = Array.from({ length: items }, (_, index) => ({ title: `Item ${index}` }));
  expect((await site.request('POST', '/content/batch', { items: titles })).status).toBe(200);
  const db = stackDatabase();
  const objects = openObjectStore(stackConfig().objects, db);
  for (let index = 0; index < items; index++) {
    const hash = await objects.putBytes(Buffer.from(bodyOf(index)));
    await db.query(`UPDATE content SET body_html = '', body_hash = $3 WHERE site_id = $1 AND title = $2`, [
      site.id,
      `Item ${index}`,
      hash,
    ]);
  }
}, 120_000);
afterAll(async () => {
  await gateway?.kill();
  await closeStack();
});

async function residentBytes(): Promise<number> {
  const metrics = await readMetrics(gateway.ops);
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)![1]);
}

const listUrl = (query = '') => `${gateway.url}/api/v1/sites/${site.slug}/content?per_page=100${query}`;

/** Requests the list; the response is not received until it is read. */
function openList(): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(listUrl(), { headers: { 'X-API-Key': site.key }, agent: false }, resolve).once('error', reject);
  });
}

async function readSlowly(reply: IncomingMessage): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of reply) {
    hash.update(chunk as Buffer);
    await sleep(1);
  }
  return hash.digest('hex');
}

test('a list of large bodies is complete and in order, under the envelope of every list', async () => {
  const reply = await fetch(listUrl(), { headers: { 'X-API-Key': site.key } });
  const { success, data, pagination } = (await reply.json()) as {
    success: boolean;
    data: { title: string; body_html: string }[];
    pagination: object;
  };
  expect([reply.status, success, Object.keys(data[0]!)[6]]).toEqual([200, true, 'body_html']);
  expect(pagination).toEqual({ total: items, page: 1, per_page: 100, total_pages: 1 });
  expect(data.map(({ title }) => title)).toEqual(
    Array.from({ length: items }, (_, index) => `Item ${items - 1 - index}`),
  );
  expect(data.every(({ body_html }, index) => body_html === bodyOf(items - 1 - index))).toBe(true);
}, 120_000);

// rule: threat.18
test('ten slow clients of such a list cost the gateway a bounded amount of memory and no connection to the database', async () => {
  const before = await residentBytes();
  let highest = 0;
  const replies = await Promise.all(Array.from({ length: clients }, openList));
  const watching = new AbortController();
  const watch = (async () => {
    while (!watching.signal.aborted) {
      highest = Math.max(highest, await residentBytes());
      await sleep(100);
    }
  })();
  await sleep(2_000);
  // while no client reads, none of the lists holds a database connection
  const [{ id }] = (await site.request('GET', '/content?per_page=1&fields=title')).data;
  const small = () =>
    fetch(`${gateway.url}/api/v1/sites/${site.slug}/content/${id}`, { headers: { 'X-API-Key': site.key } });
  expect((await Promise.all([small(), small(), small()])).map(({ status }) => status)).toEqual([200, 200, 200]);
  const hashes = await Promise.all(replies.map(readSlowly));
  watching.abort();
  await watch;
  expect(new Set(hashes).size).toBe(1);
  // ten whole lists are 800 MiB, and several times that while they are built
  expect((highest - before) / mebibyte).toBeLessThan(250);
}, 300_000);

test('a list without bodies reads none, and is as small as it looks', async () => {
  const reply = await fetch(listUrl('&fields=title'), { headers: { 'X-API-Key': site.key } });
  expect(reply.headers.get('etag')).not.toBeNull();
  expect(Number(reply.headers.get('content-length'))).toBeLessThan(items * 100);
  const { data } = (await reply.json()) as { data: object[] };
  expect(Object.keys(data[0]!)).toEqual(['id', 'title']);
});

test('a body that is lost resets the connection in the middle of the list; without bodies the list is as before', async () => {
  const db = stackDatabase();
  const [row] = await db.query<{ object_key: string }>(
    `SELECT o.object_key FROM content c JOIN objects o ON o.hash = c.body_hash WHERE c.site_id = $1 AND c.title = 'Item 20'`,
    [site.id],
  );
  await openObjectStore(stackConfig().objects, db).removeObjects([row!.object_key]);
  const reply = await openList();
  expect([reply.statusCode, reply.headers['transfer-encoding']]).toEqual([200, 'chunked']);
  await expect(readSlowly(reply)).rejects.toMatchObject({ code: 'ECONNRESET' });
  const light = await fetch(listUrl('&fields=title'), { headers: { 'X-API-Key': site.key } });
  expect(((await light.json()) as { data: object[] }).data).toHaveLength(items);
}, 60_000);
