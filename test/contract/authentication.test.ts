import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKey, revokeKey, rotateKey } from '../../services/features/keys/service.ts';
import { createUser, setUserActive } from '../../services/features/users/index.ts';
import { closeStack, makeKey, makeSite, request, stackDatabase, type TestSite } from '../harness/api.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const ofConnection = new Set(['connection', 'date', 'keep-alive']);
const wrongSecret = (key: string) => `${key.slice(0, 12)}${'x'.repeat(32)}`;

describe('401: every kind of wrong key answers alike', () => {
  // rule: key.2, key.6, auth.2, status.401, break.3, break.20, break.26, threat.1
  test.each([
    ['missing', async () => null],
    ['malformed', async () => 'nonsense'],
    ['too long', async () => `${await makeKey()}x`],
    ['with hyphens', async () => (await makeKey()).replaceAll('_', '-')],
    ['of another prefix', async () => `FS${(await makeKey()).slice(2)}`],
    ['unknown', async () => `fs_${'a'.repeat(8)}_${'b'.repeat(32)}`],
    ['of a wrong secret', async () => wrongSecret(await makeKey())],
    ['in quotes', async () => `"${await makeKey()}"`],
    [
      'there twice',
      async () =>
        Array(2)
          .fill(await makeKey())
          .join(', '),
    ],
    ['of bytes above ASCII', async () => `fs_${'a'.repeat(8)}_${'\xe9'.repeat(32)}`],
    ['9,000 characters long', async () => `fs_${'a'.repeat(8)}_${'b'.repeat(9000)}`],
    [
      'of a wrong secret, while the right one is known',
      async () => {
        const key = await makeKey();
        for (const gateway of [0, 1]) expect((await request('GET', '/sites', { key, gateway })).status).toBe(200);
        return wrongSecret(key);
      },
    ],
    [
      'revoked',
      async () => {
        const made = await createKey(stackDatabase(), { name: 'k', scopes: ['admin'], sites: ['*'] });
        await revokeKey(stackDatabase(), made.id);
        return made.key;
      },
    ],
    [
      'of a deactivated user',
      async () => {
        const email = `${randomUUID()}@example.com`;
        await createUser(stackDatabase(), email);
        const key = await makeKey(['admin'], ['*'], email);
        await setUserActive(stackDatabase(), email, false);
        return key;
      },
    ],
  ])('a key that is %s', async (_kind, make) => {
    const reply = await request('GET', '/sites', { key: await make() });
    expect(reply.status).toBe(401);
    expect(reply.json).toEqual({
      success: false,
      error: { code: 'unauthorized', message: 'The API key is missing or not valid.' },
    });
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    // no header depends on the kind of wrong key
    expect([...reply.headers.keys()].filter((name) => !ofConnection.has(name)).sort()).toEqual([
      'cache-control',
      'content-length',
      'content-type',
      'x-request-id',
    ]);
  });

  // rule: auth.1
  test('a bearer token is no key, nor is a parameter of the query', async () => {
    const headers = { Authorization: `Bearer ${site.key}` };
    expect((await request('GET', '/sites', { headers })).status).toBe(401);
    expect((await request('GET', `/sites?api_key=${site.key}`)).status).toBe(401);
  });

  // rule: auth.2
  test('an unknown route without a key is 401, not 404', async () => {
    expect((await request('GET', '/nothing')).status).toBe(401);
  });
});

describe('keys through their life', () => {
  // rule: key.1, key.2, key.3, limit.9, threat.1
  test('a key has 44 characters and its secret is stored only as an argon2id hash', async () => {
    const { key, id } = await createKey(stackDatabase(), { name: 'k', scopes: ['admin'], sites: ['*'] });
    expect(key).toMatch(/^fs_[A-Za-z0-9]{8}_[A-Za-z0-9]{32}$/);
    const [row] = await stackDatabase().query<{ secret_hash: string }>(
      'SELECT secret_hash FROM api_keys WHERE id = $1',
      [id],
    );
    expect(row!.secret_hash).toMatch(/^\$argon2id\$/);
    expect(row!.secret_hash).not.toContain(key.slice(12));
  });

  // rule: key.5, auth.5, break.2, threat.2
  test('revoking works at once on every gateway that had accepted the key', async () => {
    const made = await createKey(stackDatabase(), { name: 'k', scopes: ['admin'], sites: ['*'] });
    for (const gateway of [0, 1]) expect((await request('GET', '/sites', { key: made.key, gateway })).status).toBe(200);
    await revokeKey(stackDatabase(), made.id);
    for (const gateway of [0, 1]) expect((await request('GET', '/sites', { key: made.key, gateway })).status).toBe(401);
  });

  // rule: key.6
  test('a deactivated user comes back with the keys', async () => {
    const email = `${randomUUID()}@example.com`;
    await createUser(stackDatabase(), email);
    const key = await makeKey(['admin'], ['*'], email);
    for (const [active, status] of [
      [true, 200],
      [false, 401],
      [true, 200],
    ] as const) {
      await setUserActive(stackDatabase(), email, active);
      for (const gateway of [0, 1]) expect((await request('GET', '/sites', { key, gateway })).status).toBe(status);
    }
  });

  // rule: key.5, break.20
  test('after a rotation the old secret is dead at once, unless it was given an overlap', async () => {
    const made = await createKey(stackDatabase(), { name: 'k', scopes: ['admin'], sites: ['*'] });
    const second = await rotateKey(stackDatabase(), made.id);
    expect((await request('GET', '/sites', { key: made.key })).status).toBe(401);
    expect((await request('GET', '/sites', { key: second.key })).status).toBe(200);
    const third = await rotateKey(stackDatabase(), made.id, 5);
    expect((await request('GET', '/sites', { key: second.key })).status).toBe(200);
    expect((await request('GET', '/sites', { key: third.key })).status).toBe(200);
    await stackDatabase().query("UPDATE api_keys SET previous_until = now() - INTERVAL '1 second' WHERE id = $1", [
      made.id,
    ]);
    for (const gateway of [0, 1])
      expect((await request('GET', '/sites', { key: second.key, gateway })).status).toBe(401);
    expect((await request('GET', '/sites', { key: third.key })).status).toBe(200);
  });
});

describe('403: scope and site', () => {
  // rule: auth.6
  test('content:write does not grant content:read, and the other way round', async () => {
    const writer = await makeKey(['content:write'], [site.slug]);
    const reader = await makeKey(['content:read'], [site.slug]);
    expect((await site.request('GET', '/content', undefined, { key: writer })).status).toBe(403);
    expect((await site.request('POST', '/content', { title: 'x' }, { key: writer })).status).toBe(201);
    const refused = await site.request('POST', '/content', { title: 'x' }, { key: reader });
    expect([refused.status, refused.error.code]).toEqual([403, 'scope_missing']);
  });

  // rule: key.4, auth.6, threat.3
  test('admin grants every scope but never widens the site list', async () => {
    const pinned = await makeKey(['admin'], [site.slug]);
    const other = await makeSite();
    expect((await site.request('GET', '/content', undefined, { key: pinned })).status).toBe(200);
    const refused = await other.request('GET', '/content', undefined, { key: pinned });
    expect([refused.status, refused.error.code]).toEqual([403, 'site_not_allowed']);
  });

  // rule: key.4, auth.4, threat.3
  test('a site outside the list is 403 whether it exists or not; one in the list that does not exist is 404', async () => {
    const key = await makeKey(['admin'], [site.slug, 'not-yet-there']);
    expect((await request('GET', '/sites/no-such-site-at-all', { key })).status).toBe(403);
    expect((await request('GET', '/sites/not-yet-there', { key })).status).toBe(404);
    expect((await request('GET', '/sites/no-such-site-at-all', { key: site.key })).status).toBe(404);
  });

  // rule: endpoint.35
  test('a pinned admin key may create only the sites of its list', async () => {
    const slug = `t-${randomUUID().slice(0, 8)}`;
    const key = await makeKey(['admin'], [slug]);
    expect((await request('POST', '/sites', { key, body: { name: 'X', slug: `${slug}-x` } })).status).toBe(403);
    expect((await request('POST', '/sites', { key, body: { name: 'X', slug } })).status).toBe(201);
  });

  // rule: endpoint.33, break.26
  test("a job of a site outside the key's list is 403", async () => {
    const { data } = await site.request('POST', '/publish');
    const other = await makeSite();
    const key = await makeKey(['jobs:read'], [other.slug]);
    expect((await request('GET', `/jobs/${data.job}`, { key })).status).toBe(403);
    expect((await request('GET', `/jobs/${randomUUID()}`, { key })).status).toBe(404);
    expect((await request('GET', '/jobs/not-a-uuid', { key })).status).toBe(404);
  });
});
