import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiReply, closeStack, makeSite, request, type TestSite } from '../harness/api.ts';
import { jpeg, upload } from '../harness/media.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

/** Sends one request of every kind of success: created, read, changed, queued, trashed, restored, purged. */
async function successes() {
  const created = await site.request('POST', '/content', { title: 'Envelope' });
  const path = `/content/${created.data.id}`;
  return [
    created,
    await site.request('GET', path),
    await site.request('PATCH', path, { title: 'Envelopes' }),
    await site.request('POST', `${path}/fact-check`),
    await site.request('DELETE', path),
    await site.request('POST', `${path}/restore`),
    await site.request('DELETE', path),
    await site.request('DELETE', `${path}/purge`),
    await site.request('POST', '/publish'),
    await site.request('POST', '/shell/snapshot'),
    await site.request('GET', '/authoring-guide'),
  ];
}

// rule: envelope.1
test('a success has success and data, an object', async () => {
  for (const { status, json, headers } of await successes()) {
    expect([status < 300, Object.keys(json).sort(), json.success]).toEqual([true, ['data', 'success'], true]);
    expect([typeof json.data, json.data === null, Array.isArray(json.data)]).toEqual(['object', false, false]);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('x-request-id')).toMatch(/./);
  }
});

// rule: envelope.2, status.422
test('a failure has success false and error with a message', async () => {
  const failures = [
    await request('GET', '/sites', { key: null }),
    await site.request('GET', '/content/none'),
    await site.request('POST', '/content', {}),
    await site.request('POST', '/content', undefined, { raw: 'title', headers: { 'Content-Type': 'text/plain' } }),
    await request('PUT', '/sites', { key: site.key }),
    await request('GET', '/nowhere', { key: site.key }),
  ];
  for (const { status, json, headers } of failures) {
    expect([status >= 400, Object.keys(json).sort(), json.success]).toEqual([true, ['error', 'success'], false]);
    expect(json.error).toMatchObject({ message: expect.stringMatching(/./), code: expect.stringMatching(/^[a-z_]+$/) });
    expect(Array.isArray(json.error.details)).toBe(status === 422);
    expect(headers.get('x-request-id')).toMatch(/./);
  }
});

// rule: status.422, break.35
test('a 422 says in its message what is wrong', async () => {
  const create = (body: object) => site.request('POST', '/content', { title: 'x', ...body });
  const putComponent = (body: object) => site.request('PUT', '/components/faulty', body);
  const refused: Record<string, ApiReply> = {
    title: await site.request('POST', '/content', {}),
    scheduled_at: await create({ status: 'scheduled' }),
    published_at: await create({ published_at: '2026-01-01T00:00:00+02:00' }),
    unheard_of: await create({ unheard_of: 1 }),
    JSON: await site.request('POST', '/content', undefined, {
      raw: '{',
      headers: { 'Content-Type': 'application/json' },
    }),
    per_page: await site.request('GET', '/content?per_page=0'),
    alt: await upload(site, await jpeg(), { fields: {} }),
    source_code: await putComponent({ type: 'html' }),
    'line 2': await putComponent({ type: 'react', source_code: 'export default () =>\n<b>' }),
    'Idempotency-Key': await site.request('POST', '/publish', undefined, { headers: { 'Idempotency-Key': 'a b' } }),
  };
  for (const [cause, { status, error }] of Object.entries(refused))
    expect([status, error.message]).toEqual([422, expect.stringContaining(cause)]);
});

// rule: envelope.3
test('a list has an array and pagination with four integers', async () => {
  for (const path of ['/content', '/content/trash', '/media', '/redirects', '/scripts', '/webhooks', '/shell/files']) {
    const { json } = await site.request('GET', path);
    expect(Object.keys(json).sort()).toEqual(['data', 'pagination', 'success']);
    expect(Array.isArray(json.data)).toBe(true);
    expect(Object.keys(json.pagination).sort()).toEqual(['page', 'per_page', 'total', 'total_pages']);
    expect(Object.values(json.pagination).every(Number.isInteger)).toBe(true);
  }
});
