import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openObjectStore } from '../../services/engines/objects/store.ts';
import { closeStack, makeSite, readMetrics, stackConfig, stackDatabase, type TestSite } from '../harness/api.ts';
import { startRole, type TestRole } from '../harness/role.ts';
import { findDelivery, makeIntegration, send } from '../harness/webhooks.ts';

const mebibyte = 1024 * 1024;
let site: TestSite;
let gateway: TestRole;
beforeAll(async () => {
  site = await makeSite();
  gateway = await startRole('gateway');
}, 120_000);
afterAll(async () => {
  await gateway?.kill();
  await closeStack();
});

/** Returns unique clean HTML of this many characters; the sanitizer does not change it. */
const bodyOf = (chars: number): string => {
  const words = `Cairn ${randomUUID()} “at” 1,204 m. `;
  return `<p>${words.repeat(Math.ceil(chars / words.length))}</p>`;
};

/** Inserts an item of 20 MiB, such as four million ampersands would make in several seconds. */
async function makeLargest(): Promise<{ id: string; body: string }> {
  const { data } = await site.request('POST', '/content', { title: 'Largest' });
  const body = bodyOf(19 * mebibyte);
  const hash = await openObjectStore(stackConfig().objects, stackDatabase()).putBytes(Buffer.from(body));
  await stackDatabase().query(`UPDATE content SET body_html = '', body_hash = $2 WHERE id = $1`, [data.id, hash]);
  return { id: data.id, body };
}

test('an item with a large body is complete, and has an entity tag for it', async () => {
  const body = bodyOf(mebibyte);
  const made = await site.request('POST', '/content', { title: 'Large', body_html: body });
  expect([made.status, made.data.body_html === body]).toEqual([201, true]);
  const path = `/content/${made.data.id}`;
  const read = await site.request('GET', path);
  expect([read.status, read.headers.get('transfer-encoding'), read.data.body_html === body]).toEqual([
    200,
    'chunked',
    true,
  ]);
  expect(Object.keys(read.data)).toEqual(Object.keys(made.data));
  const etag = read.headers.get('etag')!;
  const header = (name: string, value: string) => ({ headers: { [name]: value } });
  expect((await site.request('GET', path, undefined, header('If-None-Match', etag))).status).toBe(304);
  const changed = await site.request('PATCH', path, { title: 'Larger' }, header('If-Match', etag));
  expect([changed.status, changed.data.body_html === body]).toEqual([200, true]);
  expect((await site.request('PATCH', path, { title: 'X' }, header('If-Match', etag))).status).toBe(412);
  const latest = changed.headers.get('etag')!;
  expect(latest).not.toBe(etag);
  expect((await site.request('DELETE', path, undefined, header('If-Match', latest))).status).toBe(200);
  const light = await site.request('POST', `${path}/restore`);
  expect([light.status, light.data.body_html === body]).toEqual([200, true]);
}, 120_000);

test('a body that is changed changes the entity tag, one that is not asked for is not read', async () => {
  const { data } = await site.request('POST', '/content', { title: 'Large', body_html: bodyOf(mebibyte) });
  const path = `/content/${data.id}`;
  const before = (await site.request('GET', path)).headers.get('etag');
  await site.request('PATCH', path, { body_html: bodyOf(mebibyte) });
  expect((await site.request('GET', path)).headers.get('etag')).not.toBe(before);
  const light = await site.request('GET', `${path}?fields=title`);
  expect([light.data, light.headers.get('content-length')]).toEqual([
    { id: data.id, title: 'Large' },
    String(light.text.length),
  ]);
}, 120_000);

const itemOf = (chars: number) => ({ title: 'Replayed', body_html: bodyOf(chars) });
const batchOf = (count: number, chars: number) => ({ items: Array.from({ length: count }, () => itemOf(chars)) });

test.each([
  ['one item', '/content', itemOf(mebibyte), 201],
  ['a batch of large items', '/content/batch', batchOf(2, mebibyte), 200],
  ['a batch of many items', '/content/batch', batchOf(55, 60_000), 200],
])(
  'a large reply to %s is replayed byte for byte, by any gateway',
  async (_what, path, body, status) => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await site.request('POST', path, body, { headers, gateway: 0 });
    expect(first.status).toBe(status);
    expect(first.text.length).toBeGreaterThan(mebibyte);
    for (const gateway of [0, 1]) {
      const again = await site.request('POST', path, body, { headers, gateway });
      expect([again.status, again.headers.get('idempotency-replayed'), again.text === first.text]).toEqual([
        status,
        'true',
        true,
      ]);
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    }
    const rows = await stackDatabase().query<{ reply: string }>(
      'SELECT reply FROM idempotency_keys WHERE idempotency_key = $1',
      [headers['Idempotency-Key']],
    );
    expect(rows.map(({ reply }) => reply.length < 512 * 1024)).toEqual([true]);
  },
  120_000,
);

test.each([
  ['text', 'utf8', Buffer.from(`{"a":"${'é“'.repeat(400_000)}"}`)],
  ['other bytes', 'base64', randomBytes(1_500_001)],
] as const)(
  'a delivery of much %s shows its exact bytes',
  async (_what, encoding, bytes) => {
    const integration = await makeIntegration(site, 'create_post');
    const { status, deliveryId } = await send(integration, bytes);
    expect(status).toBe(202);
    const { id } = await findDelivery(integration, deliveryId);
    const { data } = await site.request('GET', `/webhooks/${integration.id}/deliveries/${id}`);
    expect([data.body_encoding, data.body_bytes]).toEqual([encoding, bytes.length]);
    expect(Buffer.from(data.body, encoding).equals(bytes)).toBe(true);
  },
  120_000,
);

test('a large shell file is the bytes that were written, with their length', async () => {
  const bytes = randomBytes(5_000_000);
  const raw = { raw: new Uint8Array(bytes) };
  expect((await site.request('PUT', '/shell/file/large.png', undefined, raw)).status).toBe(201);
  const reply = await fetch(`${gateway.url}/api/v1/sites/${site.slug}/shell/file/large.png`, {
    headers: { 'X-API-Key': site.key },
  });
  expect([reply.status, reply.headers.get('content-length'), reply.headers.get('content-type')]).toEqual([
    200,
    '5000000',
    'text/plain; charset=utf-8',
  ]);
  expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true);
}, 120_000);

/** Requests an item; the response is not received until it is read. */
function openItem(id: string): Promise<IncomingMessage> {
  const url = `${gateway.url}/api/v1/sites/${site.slug}/content/${id}`;
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'X-API-Key': site.key }, agent: false }, resolve).once('error', reject);
  });
}

async function hashOf(reply: IncomingMessage): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of reply) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function residentBytes(): Promise<number> {
  const metrics = await readMetrics(gateway.ops);
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)![1]);
}

// rule: threat.19
test('fifty readers of the largest item at once cost the gateway a bounded amount of memory', async () => {
  const { id } = await makeLargest();
  await hashOf(await openItem(id)); // everything that only the first reply needs is loaded now
  const before = await residentBytes();
  let highest = 0;
  const watching = new AbortController();
  const watch = (async () => {
    while (!watching.signal.aborted) {
      highest = Math.max(highest, await residentBytes());
      await sleep(100);
    }
  })();
  const replies = await Promise.all(Array.from({ length: 50 }, () => openItem(id)));
  expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  const hashes = await Promise.all(replies.map(hashOf));
  watching.abort();
  await watch;
  expect(new Set(hashes).size).toBe(1);
  // fifty such records are 950 MiB, and several times that while they are built
  expect((highest - before) / mebibyte).toBeLessThan(400);
}, 300_000);

test('a body that is lost resets the connection; the record without it is as before', async () => {
  const { id } = await makeLargest();
  const [row] = await stackDatabase().query<{ object_key: string }>(
    'SELECT o.object_key FROM content c JOIN objects o ON o.hash = c.body_hash WHERE c.id = $1',
    [id],
  );
  await openObjectStore(stackConfig().objects, stackDatabase()).removeObjects([row!.object_key]);
  const reply = await openItem(id);
  expect(reply.statusCode).toBe(200);
  await expect(hashOf(reply)).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect((await site.request('GET', `/content/${id}?fields=title`)).data).toEqual({ id, title: 'Largest' });
}, 60_000);
