import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, eventually, makeKey, makeSite, stackDatabase, type TestSite } from '../harness/api.ts';
import { startRole } from '../harness/role.ts';
import { startSource } from '../harness/webhooks.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const withKey = (key: string = randomUUID()) => ({ headers: { 'Idempotency-Key': key } });

// rule: idempotency.2, break.4, break.33
test('the same request again replays the stored reply, on the other gateway too', async () => {
  const options = withKey();
  const first = await site.request('POST', '/content', { title: 'Once' }, { ...options, gateway: 0 });
  const again = await site.request('POST', '/content', { title: 'Once' }, { ...options, gateway: 1 });
  expect(first.status).toBe(201);
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true']);
  for (const name of ['content-type', 'etag', 'cache-control']) {
    expect(first.headers.get(name)).not.toBeNull();
    expect(again.headers.get(name)).toBe(first.headers.get(name));
  }
});

test.each<[string, unknown]>([
  ['/redirects', { from: `/i-${randomUUID()}`, to: '/x' }],
  ['/scripts', { name: 's', code: '1' }],
  ['/languages', { locale: 'fr' }],
  ['/webhooks', { mapper: 'autoseo' }],
  ['/shell/snapshot', undefined],
])('POST %s is done once and replayed by the other gateway', async (path, body) => {
  const options = withKey();
  const first = await site.request('POST', path, body, { ...options, gateway: 0 });
  const again = await site.request('POST', path, body, { ...options, gateway: 1 });
  expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null]);
  expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true']);
});

test.each([
  ['!', 201],
  ['~', 201],
  ['"quoted"', 201],
  ['  padded  ', 201],
  ['', 422],
  ['a\tb', 422],
  ['\xe9', 422],
])('the key %j is %d', async (key, status) => {
  expect((await site.request('POST', '/content', { title: 'K' }, withKey(key))).status).toBe(status);
});

test('what the handler refuses as 404 or 409 is replayed; what was refused before uses no key up', async () => {
  const from = `/taken-${randomUUID()}`;
  await site.request('POST', '/redirects', { from, to: '/x' });
  for (const [path, body, status] of [
    ['/redirects', { from, to: '/y' }, 409],
    [`/content/${randomUUID()}/restore`, undefined, 404],
  ] as const) {
    const options = withKey();
    expect((await site.request('POST', path, body, options)).status).toBe(status);
    const again = await site.request('POST', path, body, options);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([status, 'true']);
  }
  const options = withKey();
  const malformed = { raw: '{', headers: { ...options.headers, 'Content-Type': 'application/json' } };
  expect((await site.request('POST', '/content', { title: 'x' }, { ...options, key: 'fs_bad' })).status).toBe(401);
  expect((await site.request('POST', '/content', undefined, malformed)).status).toBe(422);
  expect((await site.request('POST', '/content', { title: 'y' }, options)).status).toBe(201);
});

// rule: idempotency.3, break.4, break.33
test('the same key with another body is 422', async () => {
  const options = withKey();
  const first = await site.request('POST', '/content', { title: 'One' }, options);
  for (const title of ['Two', 'Three']) {
    const other = await site.request('POST', '/content', { title }, options);
    expect([other.status, other.error.code]).toEqual([422, 'idempotency_key_reused']);
  }
  const again = await site.request('POST', '/content', { title: 'One' }, options);
  expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
});

// rule: status.409, idempotency.4, threat.10
test('twenty at once make one item: one runs, the others wait or replay', async () => {
  const options = withKey();
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => site.request('POST', '/content', { title: 'Many at once' }, options)),
  );
  const ids = new Set(replies.filter(({ status }) => status === 201).map(({ data }) => data.id));
  expect(ids.size).toBe(1);
  for (const reply of replies.filter(({ status }) => status !== 201)) {
    expect([reply.status, reply.error.code]).toEqual([409, 'idempotency_in_flight']);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const { json } = await site.request('GET', '/content?q=Many+at+once');
  expect(json.pagination.total).toBe(1);
});

test('of twenty different bodies at once with one key one is done', async () => {
  const [options, name] = [withKey(), randomUUID()];
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => site.request('POST', '/content', { title: `${n} of ${name}` }, options)),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ status }) => ![201, 409, 422].includes(status))).toEqual([]);
  expect((await site.request('GET', `/content?q=${name}`)).json.pagination.total).toBe(1);
});

test('a refused request is stored and replayed', async () => {
  const options = withKey();
  const first = await site.request('POST', '/content', { title: '' }, options);
  const again = await site.request('POST', '/content', { title: '' }, options);
  expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([422, 422, 'true']);
  expect(again.text).toBe(first.text);
});

test('one that was refused for what its body is, or holds, is stored and replayed too', async () => {
  for (const [path, body] of [
    ['/content', { title: 'a\0' }],
    ['/content', [1]],
    ['/publish', { unknown: 1 }],
    ['/media', { alt: '\ud800' }],
  ] as const) {
    const options = withKey();
    const first = await site.request('POST', path, body, options);
    const again = await site.request('POST', path, body, options);
    expect([path, first.status, again.headers.get('idempotency-replayed'), again.text]).toEqual([
      path,
      422,
      'true',
      first.text,
    ]);
    expect((await site.request('POST', path, {}, options)).error.code).toBe('idempotency_key_reused');
  }
});

test('keys of different API keys and paths do not meet', async () => {
  const options = withKey();
  const other = await makeKey();
  const first = await site.request('POST', '/content', { title: 'Mine' }, options);
  const second = await site.request('POST', '/content', { title: 'Mine' }, { ...options, key: other });
  expect(second.data.id).not.toBe(first.data.id);
  expect((await site.request('POST', '/publish', undefined, options)).status).toBe(202);
});

// rule: idempotency.1, break.33
test('PUT, PATCH and DELETE ignore the header', async () => {
  const options = withKey();
  const { data } = await site.request('POST', '/content', { title: 'Patched' });
  for (const title of ['A', 'B']) {
    const reply = await site.request('PATCH', `/content/${data.id}`, { title }, options);
    expect([reply.status, reply.data.title]).toEqual([200, title]);
  }
  const put = (source_code: string) =>
    site.request('PUT', '/components/ignored', { type: 'html', source_code }, options);
  expect([(await put('a')).status, (await put('b')).status, (await put('b')).status]).toEqual([201, 200, 200]);
  const remove = () => site.request('DELETE', '/components/ignored', undefined, options);
  expect([(await remove()).status, (await remove()).status]).toEqual([200, 404]);
  const malformed = { headers: { 'Idempotency-Key': 'a b' } };
  expect((await site.request('PATCH', `/content/${data.id}`, { title: 'C' }, malformed)).status).toBe(200);
});

// rule: idempotency.1
test('GET ignores the header', async () => {
  const options = withKey();
  const count = async () => (await site.request('GET', '/scripts', undefined, options)).json.pagination.total;
  const before = await count();
  await site.request('POST', '/scripts', { name: 'x', code: '1' });
  expect(await count()).toBe(before + 1);
});

test('a publish is one job however often it is repeated', async () => {
  const options = withKey();
  const first = await site.request('POST', '/publish', undefined, options);
  const again = await site.request('POST', '/publish', undefined, options);
  expect(again.data.job).toBe(first.data.job);
});

// rule: threat.33
test('a stored reply is not readable in the database', async () => {
  const key = randomUUID();
  await site.request('POST', '/content', { title: 'Very secret title' }, withKey(key));
  const [row] = await stackDatabase().query<{ reply: string }>(
    'SELECT reply FROM idempotency_keys WHERE idempotency_key = $1',
    [key],
  );
  expect(row!.reply).not.toContain('secret title');
  expect(Buffer.from(row!.reply.split('.')[1]!, 'base64').toString('latin1')).not.toContain('secret title');
});

// rule: error.6, idempotency.4, break.33
test('the lock of a holder that died expires, and the request runs', async () => {
  const key = randomUUID();
  const path = `/api/v1/sites/${site.slug}/content`;
  await site.request('POST', '/content', { title: 'Lost holder' }, withKey(key));
  const reset = (lockedUntil: string) =>
    stackDatabase().query(
      `UPDATE idempotency_keys SET status = NULL, reply = NULL, locked_until = now() + $3::INTERVAL WHERE idempotency_key = $1 AND path = $2`,
      [key, path, lockedUntil],
    );
  await reset('1 minute');
  const refused = await site.request('POST', '/content', { title: 'Lost holder' }, withKey(key));
  expect([refused.status, refused.error.code]).toEqual([409, 'idempotency_in_flight']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await reset('-1 second');
  expect((await site.request('POST', '/content', { title: 'Lost holder' }, withKey(key))).data.slug).toBe(
    'lost-holder-2',
  );
});

// rule: idempotency.4, break.33
test('a request that runs on renews its lock, so that no other takes over', async () => {
  const answer = Promise.withResolvers<void>();
  const source = await startSource(async (_req, res) => {
    await answer.promise;
    res.writeHead(200, { 'Content-Type': 'text/plain' }).end('late');
  });
  try {
    const key = randomUUID();
    const send = () => site.request('POST', '/media', { url: `${source.origin}/late.txt` }, withKey(key));
    const readLock = async () => {
      const sql = 'SELECT locked_until FROM idempotency_keys WHERE idempotency_key = $1';
      const [row] = await stackDatabase().query<{ locked_until: Date }>(sql, [key]);
      return row?.locked_until.getTime();
    };
    const first = send();
    const lockedUntil = await eventually('the first request has the lock', readLock);
    await eventually('it holds the lock for longer', async () => (await readLock())! > lockedUntil);
    expect((await send()).error?.code).toBe('idempotency_in_flight');
    answer.resolve();
    const { status, data } = await first;
    expect([status, (await send()).data?.id]).toEqual([201, data.id]);
  } finally {
    answer.resolve();
    await source.close();
  }
});

// rule: idempotency.2, break.33
test('a key is kept for 24 hours, and is a new one then', async () => {
  const key = randomUUID();
  const send = () => site.request('POST', '/content', { title: 'Kept a day' }, withKey(key));
  const { data } = await send();
  const [row] = await stackDatabase().query<{ kept: boolean }>(
    `SELECT expires_at > now() + INTERVAL '23 hours' AND expires_at <= now() + INTERVAL '24 hours' AS kept
     FROM idempotency_keys WHERE idempotency_key = $1`,
    [key],
  );
  expect([row!.kept, (await send()).data.id]).toEqual([true, data.id]);
  await stackDatabase().query(
    "UPDATE idempotency_keys SET expires_at = now() - INTERVAL '1 second' WHERE idempotency_key = $1",
    [key],
  );
  const later = await send();
  expect([later.status, later.headers.get('idempotency-replayed')]).toEqual([201, null]);
  expect(later.data.id).not.toBe(data.id);
});

// rule: threat.7
test('more large items at once than the gateway has connections are all made, and replayed', async () => {
  const gateway = await startRole('gateway', { FIELDSTONE_DATABASE_POOL: '2' });
  try {
    // large enough that body and reply are stored as objects
    const body = JSON.stringify({ title: 'Large', body_html: `<p>${'word '.repeat(60_000)}</p>` });
    const send = (key: string) =>
      fetch(`${gateway.url}/api/v1/sites/${site.slug}/content`, {
        method: 'POST',
        headers: { 'X-API-Key': site.key, 'Content-Type': 'application/json', 'Idempotency-Key': key },
        body,
      });
    const keys = Array.from({ length: 8 }, () => randomUUID());
    const made = await Promise.all(keys.map(send));
    expect(made.map(({ status }) => status)).toEqual(keys.map(() => 201));
    const again = await send(keys[0]!);
    expect([again.headers.get('idempotency-replayed'), await again.text()]).toEqual(['true', await made[0]!.text()]);
  } finally {
    await gateway.kill('SIGTERM');
  }
});
