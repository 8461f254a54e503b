import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, publish, type TestSite } from '../harness/api.ts';

// spec: writing content stores it and does not publish it. A publish is a job, whose row exists when the write
// responds.
let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
  await publish(site);
});
afterAll(closeStack);

const published = (members: object = {}) => ({ title: `Item ${randomUUID()}`, status: 'published', ...members });
const call = async (method: string, path: string, body?: object) => {
  const { status, data, text } = await site.request(method, path, body);
  if (status > 201) throw new Error(`${method} ${path}: ${status} ${text}`);
  return data;
};
const create = () => call('POST', '/content', published());
const state = async () => [
  (await site.request('GET', '/jobs')).json.pagination.total,
  (await site.request('GET', '')).data.live_release,
];

const ways: Record<string, () => Promise<unknown>> = {
  'POST content': create,
  'POST content/batch': async () => {
    const { results } = await call('POST', '/content/batch', { items: [published(), published()] });
    expect(results.map(({ status }: { status: number }) => status)).toEqual([201, 201]);
  },
  'PUT content/by-ref, new': () => call('PUT', `/content/by-ref/${randomUUID()}`, published()),
  'PUT content/by-ref, again': async () => {
    const path = `/content/by-ref/${randomUUID()}`;
    await call('PUT', path, published({ status: 'draft' }));
    await call('PUT', path, published());
  },
  'PATCH content': async () =>
    call('PATCH', `/content/${(await create()).id}`, { title: 'Changed', body_html: '<p>x</p>' }),
  'PATCH content to published': async () =>
    call('PATCH', `/content/${(await call('POST', '/content', { title: 'Draft' })).id}`, { status: 'published' }),
  'DELETE content': async () => call('DELETE', `/content/${(await create()).id}`),
  'POST content restore': async () => {
    const { id } = await create();
    await call('DELETE', `/content/${id}`);
    await call('POST', `/content/${id}/restore`);
  },
  'DELETE content purge': async () => {
    const { id } = await create();
    await call('DELETE', `/content/${id}`);
    await call('DELETE', `/content/${id}/purge`);
  },
};

// rule: service.4, break.14
test.each(Object.keys(ways))('%s stores and queues no publish', async (way) => {
  const before = await state();
  await ways[way]!();
  expect(await state()).toEqual(before);
});
