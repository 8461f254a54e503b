import { afterAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, type TestSite } from '../harness/api.ts';
import { makeIntegration, send } from '../harness/webhooks.ts';

afterAll(closeStack);

const rounds = 6;
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function upload(name: string): FormData {
  const form = new FormData();
  form.append('file', new Blob([png], { type: 'image/png' }), name);
  return form;
}

/** Every kind of request that stores something in a site. */
const writes: ((site: TestSite, n: number) => Promise<{ status: number; text: string }>)[] = [
  (site, n) => site.request('POST', '/content', { title: `Item ${n}` }),
  (site, n) =>
    site.request('POST', '/content', { title: `Keyed ${n}` }, { headers: { 'Idempotency-Key': `key-${n}` } }),
  (site, n) => site.request('POST', '/content/batch', { items: [{ title: `A ${n}` }, { title: `B ${n}` }] }),
  (site, n) => site.request('PUT', `/content/by-ref/ref-${n}`, { title: `Ref ${n}` }),
  (site, n) => site.request('POST', '/redirects', { from: `/from-${n}`, to: '/to' }),
  (site, n) => site.request('POST', '/scripts', { name: `s${n}`, placement: 'head', code: '1;' }),
  (site, n) => site.request('PUT', `/shell/file/assets/f${n}.css`, undefined, { raw: 'a{}' }),
  (site, n) => site.request('POST', '/shell/snapshot', { label: `Snapshot ${n}` }),
  (site, n) => site.request('POST', '/webhooks', { mapper: 'create_post', name: `Integration ${n}` }),
  (site, n) => site.request('POST', '/event-endpoints', { url: `https://example.com/${n}` }),
  (site) => site.request('POST', '/publish'),
  (site) => site.request('POST', '/languages', { locale: 'de', name: 'German' }),
  (site, n) => site.request('POST', '/media', undefined, { raw: upload(`${n}.png`) }),
];

const conflicts = [409, 422];

test('what a request stores in a site that is deleted meanwhile is not found, never a fault of ours', async () => {
  for (let round = 0; round < rounds; round++) {
    const site = await makeSite();
    const started = writes.flatMap((write, n) => [write(site, 2 * n), write(site, 2 * n + 1)]);
    const deleted = site.request('DELETE', '');
    const later = writes.map((write, n) => write(site, 100 + n));
    const replies = await Promise.all([...started, ...later]);
    expect((await deleted).status).toBe(200);
    const odd = replies.filter(({ status }) => ![200, 201, 202, 404, ...conflicts].includes(status));
    expect(odd.map(({ status, text }) => [status, text])).toEqual([]);
  }
});

test('a delivery to an integration that is deleted meanwhile is recorded or not found', async () => {
  for (let round = 0; round < rounds; round++) {
    const integration = await makeIntegration(await makeSite(), 'create_post');
    const sent = Array.from({ length: 8 }, (_, n) => send(integration, { title: `Late ${n}` }));
    const deleted = integration.site.request('DELETE', `/webhooks/${integration.id}`);
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect((await deleted).status).toBe(200);
    expect(statuses.filter((status) => status !== 202 && status !== 404)).toEqual([]);
  }
});
