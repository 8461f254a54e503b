import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, makeKey, makeSite, stackDatabase } from '../harness/api.ts';
import { startRole, type TestRole } from '../harness/role.ts';

const gateways: TestRole[] = [];
const limits = {
  FIELDSTONE_RATE_LIMIT_IP: '20',
  FIELDSTONE_RATE_LIMIT_KEY: '8',
  FIELDSTONE_TRUSTED_PROXIES: '127.0.0.1/32',
};

beforeAll(async () => {
  gateways.push(...(await Promise.all([startRole('gateway', limits), startRole('gateway', limits)])));
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.kill()));
  await closeStack();
});

let turn = 0;
/** Unused by other tests and by a recent run, since all count in one table. */
let nextAddress = randomInt(0xf000);
function freshAddress(): string {
  nextAddress++;
  return `198.18.${nextAddress >> 8}.${nextAddress & 0xff}`;
}

function get(path: string, key: string | null, address: string): Promise<Response> {
  const headers: Record<string, string> = { 'X-Forwarded-For': address };
  if (key) headers['X-API-Key'] = key;
  return fetch(gateways[turn++ % gateways.length]!.url + path, { headers });
}

describe('the limit of an address', () => {
  // rule: status.429, error.6, limit.1, limit.3, break.8, threat.5
  test('counts across gateways: exactly the allowed number passes, the rest is 429 with Retry-After', async () => {
    const address = freshAddress();
    const replies = await Promise.all(Array.from({ length: 30 }, () => get('/api/v1/sites', null, address)));
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(20);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    const seconds = Number(refused[0]!.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(await refused[0]!.json()).toMatchObject({ success: false, error: { code: 'rate_limited' } });
  });

  // rule: auth.8, break.34
  test('another address has its own, and only /api/v1 counts', async () => {
    const address = freshAddress();
    const deliver = (gateway: TestRole) =>
      fetch(`${gateway.url}/webhooks/nobody`, { method: 'POST', headers: { 'X-Forwarded-For': address }, body: '{}' });
    for (let i = 0; i < 25; i++) {
      expect((await get('/healthz', null, address)).status).toBe(200);
      expect((await deliver(gateways[i % gateways.length]!)).status).toBe(404);
    }
    const reply = await get('/api/v1/sites', null, address);
    expect([reply.status, reply.headers.get('ratelimit')]).toEqual([401, expect.stringMatching(/^"ip";r=19;t=\d+$/)]);
  });

  // rule: limit.1, break.34
  test('has a fixed window: it ends a minute after its first request, whatever comes within', async () => {
    const address = freshAddress();
    const readEnd = async () => {
      const [row] = await stackDatabase().query<{ expire: string }>('SELECT expire FROM rate_limits WHERE key = $1', [
        `ip:${address}`,
      ]);
      return Number(row!.expire);
    };
    const before = Date.now();
    await get('/api/v1/sites', null, address);
    const after = Date.now();
    const end = await readEnd();
    expect(end).toBeGreaterThanOrEqual(before + 60_000);
    expect(end).toBeLessThanOrEqual(after + 60_000);
    for (let i = 0; i < 3; i++) await get('/api/v1/sites', null, address);
    expect(await readEnd()).toBe(end);
  });

  test('replies say what is left', async () => {
    const address = freshAddress();
    const key = await makeKey();
    await get('/api/v1/sites', key, address);
    const reply = await get('/api/v1/sites', key, address);
    expect(reply.headers.get('ratelimit-policy')).toBe('"ip";q=20;w=60, "key";q=8;w=60');
    expect(reply.headers.get('ratelimit')).toMatch(/^"ip";r=18;t=\d+, "key";r=6;t=\d+$/);
  });
});

// rule: threat.5
test('requests to /uploads count as those of /api/v1 do', async () => {
  const address = freshAddress();
  const key = await makeKey();
  for (let n = 0; n < 4; n++) {
    const headers = { 'X-Forwarded-For': address, 'X-API-Key': key, 'Tus-Resumable': '1.0.0' };
    const upload = await fetch(`${gateways[0]!.url}/uploads/${randomUUID()}`, { method: 'HEAD', headers });
    expect([upload.status, upload.headers.get('ratelimit')]).toEqual([
      404,
      expect.stringMatching(/"key";r=\d+;t=\d+$/),
    ]);
  }
  const reply = await get('/api/v1/sites', key, address);
  expect([reply.status, reply.headers.get('ratelimit')]).toEqual([200, expect.stringContaining('"key";r=3;')]);
});

// rule: status.429, error.6, limit.2, limit.3, break.34
test('the limit of a key holds over many addresses, and a failed request counts', async () => {
  const key = await makeKey();
  const replies: Response[] = [];
  for (let i = 0; i < 10; i++) replies.push(await get('/api/v1/nothing', key, freshAddress()));
  expect(replies.map(({ status }) => status)).toEqual([...Array(8).fill(404), 429, 429]);
  // refused by the store, and by the memory of the process
  for (const refused of replies.slice(8)) {
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
  }
});

// rule: idempotency.5
test('an idempotency key that was answered 429 is free for the real retry', async () => {
  const key = await makeKey();
  const { slug } = await makeSite();
  const idempotencyKey = randomUUID();
  const create = (gateway: TestRole) =>
    fetch(`${gateway.url}/api/v1/sites/${slug}/content`, {
      method: 'POST',
      headers: {
        'X-Forwarded-For': freshAddress(),
        'X-API-Key': key,
        'Content-Type': 'application/json',
        'Idempotency-Key': idempotencyKey,
      },
      body: JSON.stringify({ title: 'Limited' }),
    });
  for (let i = 0; i < 8; i++) await get('/api/v1/sites', key, freshAddress());
  expect((await create(gateways[0]!)).status).toBe(429);
  const later = await startRole('gateway', { ...limits, FIELDSTONE_RATE_LIMIT_KEY: '100' });
  try {
    const reply = await create(later);
    expect([reply.status, reply.headers.get('idempotency-replayed')]).toEqual([201, null]);
  } finally {
    await later.kill();
  }
});

// rule: limit.1
test('when the window has passed, requests pass again', async () => {
  const address = freshAddress();
  await Promise.all(Array.from({ length: 21 }, () => get('/api/v1/sites', null, address)));
  const third = await startRole('gateway', limits); // a process that has not cached the block
  try {
    const ask = () => fetch(`${third.url}/api/v1/sites`, { headers: { 'X-Forwarded-For': address } });
    expect((await ask()).status).toBe(429);
    await stackDatabase().query(`UPDATE rate_limits SET expire = 1 WHERE key = $1`, [`ip:${address}`]);
    const fourth = await startRole('gateway', limits);
    try {
      expect((await fetch(`${fourth.url}/api/v1/sites`, { headers: { 'X-Forwarded-For': address } })).status).toBe(401);
    } finally {
      await fourth.kill();
    }
  } finally {
    await third.kill();
  }
});

// rule: limit.1, break.34
test('who waits as long as Retry-After says is let pass by the process that refused', async () => {
  const address = freshAddress();
  const ask = () => fetch(`${gateways[0]!.url}/api/v1/sites`, { headers: { 'X-Forwarded-For': address } });
  await ask();
  const refused = await eventually('it is refused, in a window that ends soon', async () => {
    await stackDatabase().query('UPDATE rate_limits SET points = 100, expire = $2::INT8 WHERE key = $1', [
      `ip:${address}`,
      Date.now() + 3000,
    ]);
    const reply = await ask();
    return reply.status === 429 && reply;
  });
  await sleep(Number(refused.headers.get('retry-after')) * 1000);
  expect((await ask()).status).toBe(401);
});

// rule: threat.5
test('without a trusted proxy X-Forwarded-For is not believed', async () => {
  const direct = await startRole('gateway', {
    ...limits,
    FIELDSTONE_TRUSTED_PROXIES: '',
    FIELDSTONE_RATE_LIMIT_IP: '5',
  });
  try {
    await stackDatabase().query(`DELETE FROM rate_limits WHERE key = 'ip:127.0.0.1'`);
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) {
      statuses.push(
        (await fetch(`${direct.url}/api/v1/sites`, { headers: { 'X-Forwarded-For': freshAddress() } })).status,
      );
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  } finally {
    await direct.kill();
  }
});
