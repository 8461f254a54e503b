import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mapperNames } from '../../services/features/integrations/mapper-names.ts';
import { createUser } from '../../services/features/users/index.ts';
import { closeStack, makeKey, makeSite, request, stack, stackDatabase, type TestSite } from '../harness/api.ts';
import { readableTexts } from '../harness/readable.ts';
import { makeIntegration, send } from '../harness/webhooks.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const members = ['created_at', 'enabled', 'id', 'mapper', 'name', 'slug', 'url'];

// rule: resource.10, endpoint.38
test.each(mapperNames)('an integration with the mapper %s; its secret is in the reply', async (mapper) => {
  const { status, data } = await site.request('POST', '/webhooks', { mapper });
  expect(status).toBe(201);
  expect(Object.keys(data).sort()).toEqual([...members, 'secret'].sort());
  expect(data).toMatchObject({ mapper, enabled: true, url: `${stack.env.FIELDSTONE_URL}/webhooks/${data.slug}` });
  expect(data.slug).toMatch(/^[a-z0-9-]+$/);
  expect(data.secret.length).toBeGreaterThanOrEqual(32);
});

// rule: resource.10, event.2, break.21, break.29
test('every integration has a secret of its own', async () => {
  const made = await Promise.all(mapperNames.map((mapper) => makeIntegration(site, mapper)));
  expect(new Set(made.map(({ secret }) => secret)).size).toBe(mapperNames.length);
  const [first, second] = made;
  const payload = { title: 'T', body_html: '' };
  expect((await send({ ...first!, secret: second!.secret }, payload)).status).toBe(401);
  expect((await send(first!, payload)).status).toBe(202);
});

// rule: resource.12, break.21, threat.33
test('secrets are encrypted at rest and never listed', async () => {
  const { id, secret } = await makeIntegration(site, 'autoseo');
  const { data: rotated } = await site.request('POST', `/webhooks/${id}/rotate`);
  const { text } = await site.request('GET', '/webhooks?per_page=100');
  expect(text).toContain(id);
  expect(text).not.toContain('secret');
  const [row] = await stackDatabase().query<object>('SELECT * FROM integrations WHERE id = $1', [id]);
  for (const part of [secret, rotated.secret].map((one) => one.slice(6, 20)))
    expect(readableTexts(row!).filter((text) => text.includes(part))).toEqual([]);
});

describe('the slug', () => {
  test('is derived from the name and gets a counter', async () => {
    const name = `Ünïque ${randomUUID()}`;
    const slugs = [];
    for (let n = 0; n < 3; n++)
      slugs.push((await site.request('POST', '/webhooks', { mapper: 'autoseo', name })).data.slug);
    expect(slugs).toEqual([slugs[0], `${slugs[0]}-2`, `${slugs[0]}-3`]);
    expect(slugs[0]).toMatch(/^unique-/);
  });
  test('derived ones are found even when ten ask at once', async () => {
    const name = randomUUID();
    const made = await Promise.all(
      Array.from({ length: 10 }, () => site.request('POST', '/webhooks', { mapper: 'autoseo', name })),
    );
    expect(new Set(made.map(({ data }) => data.slug)).size).toBe(10);
  });
  test('given is kept, and 409 when another site has it', async () => {
    const slug = `given-${randomUUID()}`;
    expect((await site.request('POST', '/webhooks', { mapper: 'autoseo', slug })).data.slug).toBe(slug);
    const other = await makeSite();
    const { status, error } = await other.request('POST', '/webhooks', { mapper: 'autoseo', slug });
    expect([status, error.code]).toEqual([409, 'slug_taken']);
  });
  // rule: resource.10
  test.each(['Upper', 'under_score', 'a b', '', 'ä', 'a/b', 'x'.repeat(121), 5, null])('%p is 422', async (slug) => {
    expect((await site.request('POST', '/webhooks', { mapper: 'autoseo', slug })).status).toBe(422);
  });
});

test.each([
  [{}],
  [{ mapper: 'other' }],
  [{ mapper: 'autoseo', unknown: 1 }],
  [{ mapper: 'autoseo', name: ' ' }],
  [{ mapper: 'autoseo', enabled: 'no' }],
])('create with %j is 422', async (body) => {
  const { status, error } = await site.request('POST', '/webhooks', body);
  expect([status, error.code]).toEqual([422, 'validation_failed']);
  expect(error.details.length).toBeGreaterThan(0);
});

// rule: resource.11, endpoint.37, break.27
test('the list is newest first and paginated', async () => {
  const fresh = await makeSite();
  const ids = [];
  for (let n = 0; n < 3; n++) ids.unshift((await makeIntegration(fresh, 'autoseo')).id);
  const { json } = await fresh.request('GET', '/webhooks?per_page=2');
  expect(json.data.map((one: { id: string }) => one.id)).toEqual(ids.slice(0, 2));
  expect(json.pagination).toEqual({ total: 3, page: 1, per_page: 2, total_pages: 2 });
});

describe('PATCH', () => {
  test('changes name and state; a record read can be sent back, the reply to create too', async () => {
    const { data: record } = await site.request('POST', '/webhooks', { mapper: 'autoseo' });
    const { secret: _secret, ...known } = record;
    const { status, data } = await site.request('PATCH', `/webhooks/${record.id}`, {
      ...record,
      slug: 'ignored',
      name: 'New',
      enabled: false,
    });
    expect(status).toBe(200);
    expect(data).toEqual({ ...known, name: 'New', enabled: false });
  });
  test('an unknown member is 422, an unknown id 404', async () => {
    const { id } = await makeIntegration(site, 'autoseo');
    expect((await site.request('PATCH', `/webhooks/${id}`, { color: 'red' })).status).toBe(422);
    expect((await site.request('PATCH', `/webhooks/${randomUUID()}`, { name: 'x' })).status).toBe(404);
    expect((await site.request('PATCH', '/webhooks/1', { name: 'x' })).status).toBe(404);
  });
});

test('after a rotation both secrets are accepted; after another one the first no longer is', async () => {
  const integration = await makeIntegration(site, 'create_post');
  const before = Date.now();
  const { status, data } = await site.request('POST', `/webhooks/${integration.id}/rotate`);
  expect(status).toBe(200);
  expect(Object.keys(data).sort()).toEqual([...members, 'previous_valid_until', 'secret'].sort());
  expect(data.secret).not.toBe(integration.secret);
  const hours = (Date.parse(data.previous_valid_until) - before) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThan(24.1);
  const statusWith = async (secret: string) =>
    (await send({ ...integration, secret }, { title: 'T', body_html: '' })).status;
  expect([await statusWith(data.secret), await statusWith(integration.secret)]).toEqual([202, 202]);
  const { data: third } = await site.request('POST', `/webhooks/${integration.id}/rotate`);
  expect([await statusWith(third.secret), await statusWith(data.secret), await statusWith(integration.secret)]).toEqual(
    [202, 202, 401],
  );
  await stackDatabase().query("UPDATE integrations SET previous_until = now() - INTERVAL '1 second' WHERE id = $1", [
    integration.id,
  ]);
  expect([await statusWith(third.secret), await statusWith(data.secret)]).toEqual([202, 401]);
});

// rule: endpoint.40
test('deleted, it is gone with its deliveries', async () => {
  const { id } = await makeIntegration(site, 'autoseo');
  expect((await site.request('DELETE', `/webhooks/${id}`)).data).toEqual({ id, deleted: true });
  expect((await site.request('DELETE', `/webhooks/${id}`)).status).toBe(404);
  expect((await site.request('GET', `/webhooks/${id}/deliveries`)).status).toBe(404);
});

// rule: resource.10, break.28, threat.37
test('an integration of another site is 404 everywhere', async () => {
  const { id } = await makeIntegration(site, 'autoseo');
  const other = await makeSite();
  const d = randomUUID();
  const paths: [string, string, object?][] = [
    ['PATCH', `/webhooks/${id}`, { name: 'x' }],
    ['DELETE', `/webhooks/${id}`],
    ['POST', `/webhooks/${id}/rotate`],
    ['GET', `/webhooks/${id}/deliveries`],
    ['GET', `/webhooks/${id}/deliveries/${d}`],
    ['POST', `/webhooks/${id}/deliveries/${d}/replay`],
  ];
  for (const [method, path, body] of paths) expect((await other.request(method, path, body)).status).toBe(404);
});

// rule: resource.14, break.21
test.each([
  ['GET', '/webhooks', 'sites:read'],
  ['POST', '/webhooks', 'sites:write'],
  ['PATCH', `/webhooks/${randomUUID()}`, 'sites:write'],
  ['DELETE', `/webhooks/${randomUUID()}`, 'sites:write'],
  ['POST', `/webhooks/${randomUUID()}/rotate`, 'sites:write'],
  ['GET', `/webhooks/${randomUUID()}/deliveries`, 'sites:read'],
  ['GET', `/webhooks/${randomUUID()}/deliveries/${randomUUID()}`, 'sites:read'],
  ['POST', `/webhooks/${randomUUID()}/deliveries/${randomUUID()}/replay`, 'sites:write'],
])('%s %s needs %s', async (method, path, scope) => {
  const email = `${randomUUID()}@example.com`;
  expect((await createUser(stackDatabase(), email)).role).toBe('member');
  const others = ['sites:read', 'sites:write', 'content:write', 'publish', 'jobs:read'].filter((one) => one !== scope);
  const url = `/sites/${site.slug}${path}`;
  expect((await request(method, url, { key: await makeKey(others) })).status).toBe(403);
  const member = await makeKey([scope], [site.slug], email);
  expect((await request(method, url, { key: member })).status).not.toBe(403);
});
