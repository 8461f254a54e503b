import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeKey, makeSite, request, stack, stackDatabase, type TestSite } from '../harness/api.ts';
import { allEvents, makeEndpoint } from '../harness/events.ts';
import { readableTexts } from '../harness/readable.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const create = (url: unknown, members: object = {}) =>
  site.request('POST', '/event-endpoints', { url, events: ['site.published'], ...members });

test('registering answers the endpoint with its secret, which no other reply has and no row shows', async () => {
  const { status, data } = await create('https://hooks.example.org/fieldstone?a=1#part');
  expect(status).toBe(201);
  expect(data).toEqual({
    id: expect.any(String),
    url: 'https://hooks.example.org/fieldstone?a=1',
    events: ['site.published'],
    enabled: true,
    failing_since: null,
    disabled_at: null,
    disabled_reason: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  });
  const { secret, ...record } = data;
  expect((await site.request('GET', `/event-endpoints/${data.id}`)).data).toEqual(record);
  expect((await site.request('GET', '/event-endpoints')).data).toContainEqual(record);
  const [row] = await stackDatabase().query<object>('SELECT * FROM event_endpoints WHERE id = $1', [data.id]);
  const part = secret.slice('whsec_'.length, -8);
  expect(readableTexts(row!).filter((text) => text.includes(part))).toEqual([]);
});

describe('an address that must not be called is 422 and named', () => {
  test.each([
    'http://hooks.example.org/',
    'http://127.0.0.1:9/',
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
    'https://a.localhost/',
    'https://user:password@hooks.example.org/',
    'https://hooks.example.org:22/',
    'ftp://hooks.example.org/',
    'file:///etc/passwd',
    'hooks.example.org',
    '',
    `https://hooks.example.org/${'x'.repeat(2048)}`,
    7,
    null,
  ])('%.60s', async (url) => {
    const { status, error } = await create(url);
    expect(status).toBe(422);
    expect(error.details[0].path).toBe('url');
  });
});

test('http is taken for a host and port that the operator allowed', async () => {
  expect((await create(`http://127.0.0.1:${stack.allowedPorts[0]}/hook`)).status).toBe(201);
});

test.each([
  [{ events: [] }, 'events'],
  [{ events: ['content.deleted'] }, 'events.0'],
  [{ events: undefined }, 'events'],
  [{ name: 'x' }, 'name'],
  [{ enabled: 'yes' }, 'enabled'],
])('%j is 422', async (members, path) => {
  const { status, error } = await create('https://hooks.example.org/', members);
  expect(status).toBe(422);
  expect(error.details.map((detail: { path: string }) => detail.path)).toContain(path);
});

test('a record that was read can be sent back; what was repeated is there once', async () => {
  const made = await makeEndpoint(site, 'https://hooks.example.org/back', { events: [...allEvents, ...allEvents] });
  const { secret: _, ...record } = made;
  expect(record.events).toEqual(allEvents);
  for (const sent of [record, made]) {
    const { status, data } = await site.request('PATCH', `/event-endpoints/${record.id}`, sent);
    expect(status).toBe(200);
    expect(data).toEqual(record);
  }
});

test('address, types and state can be changed, and the address is checked again', async () => {
  const { id } = await makeEndpoint(site, 'https://hooks.example.org/change');
  const patch = (body: object) => site.request('PATCH', `/event-endpoints/${id}`, body);
  const changed = await patch({ url: 'https://hooks.example.org/new', events: ['job.failed'], enabled: false });
  expect(changed.data).toMatchObject({
    url: 'https://hooks.example.org/new',
    events: ['job.failed'],
    enabled: false,
    disabled_at: expect.any(String),
    disabled_reason: null,
  });
  expect((await patch({ url: 'https://10.0.0.1/' })).status).toBe(422);
  expect((await patch({ enabled: true })).data).toMatchObject({ enabled: true, disabled_at: null });
});

test('rotating answers another secret and until when the one before is used too', async () => {
  const { id, secret } = await makeEndpoint(site, 'https://hooks.example.org/rotate');
  const { status, data } = await site.request('POST', `/event-endpoints/${id}/rotate`);
  expect(status).toBe(200);
  expect(data.secret).not.toBe(secret);
  expect(Date.parse(data.previous_valid_until) - Date.parse(data.created_at)).toBeGreaterThan(23 * 3_600_000);
});

test('a deleted endpoint is gone with its events', async () => {
  const { id } = await makeEndpoint(site, 'https://hooks.example.org/delete');
  await site.request('POST', `/event-endpoints/${id}/test`);
  expect(await site.request('DELETE', `/event-endpoints/${id}`)).toMatchObject({
    status: 200,
    data: { id, deleted: true },
  });
  expect((await site.request('GET', `/event-endpoints/${id}`)).status).toBe(404);
  expect((await site.request('DELETE', `/event-endpoints/${id}`)).status).toBe(404);
  expect((await site.request('GET', `/events?endpoint=${id}`)).data).toEqual([]);
});

test('endpoints and events of another site are 404, and so are ids that are none', async () => {
  const other = await makeSite();
  const { id } = await makeEndpoint(site, 'https://hooks.example.org/mine');
  const event = (await site.request('POST', `/event-endpoints/${id}/test`)).data.id;
  for (const [method, path] of [
    ['GET', `/event-endpoints/${id}`],
    ['DELETE', `/event-endpoints/${id}`],
    ['POST', `/event-endpoints/${id}/rotate`],
    ['POST', `/event-endpoints/${id}/test`],
    ['GET', `/events/${event}`],
    ['POST', `/events/${event}/replay`],
    ['GET', '/event-endpoints/none'],
    ['GET', '/events/none'],
  ]) {
    expect([path, (await other.request(method!, path!)).status]).toEqual([path, 404]);
  }
  expect((await other.request('PATCH', `/event-endpoints/${id}`, { enabled: false })).status).toBe(404);
});

test('reading needs sites:read, changing sites:write', async () => {
  const [reader, writer] = await Promise.all([makeKey(['sites:read']), makeKey(['sites:write'])]);
  const path = `/sites/${site.slug}/event-endpoints`;
  const body = { url: 'https://hooks.example.org/scope', events: ['site.published'] };
  expect((await request('GET', path, { key: reader })).status).toBe(200);
  expect((await request('POST', path, { key: reader, body })).status).toBe(403);
  expect((await request('GET', path, { key: writer })).status).toBe(403);
  expect((await request('GET', `/sites/${site.slug}/events`, { key: writer })).status).toBe(403);
  expect((await request('POST', path, { key: writer, body })).status).toBe(201);
});

test('a site has twenty endpoints at most, also when they come at once', async () => {
  const own = await makeSite();
  const body = { url: 'https://hooks.example.org/many', events: ['site.published'] };
  const replies = await Promise.all(Array.from({ length: 24 }, () => own.request('POST', '/event-endpoints', body)));
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array(20).fill(201), ...Array(4).fill(422)]);
});
