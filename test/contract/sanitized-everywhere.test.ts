import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, type TestSite } from '../harness/api.ts';
import { deliver, makeIntegration, type TestIntegration } from '../harness/webhooks.ts';

const hostile = '<p onclick="x()">a<script>x()</script></p><a href="javascript:x()">b</a>';
const clean = '<p>a</p><a>b</a>';
const codes = ['event_handler_removed', 'script_removed', 'url_removed'];

let site: TestSite;
const integrations = new Map<string, TestIntegration>();
beforeAll(async () => {
  site = await makeSite();
  for (const mapper of ['create_post', 'create_page', 'autoseo'])
    integrations.set(mapper, await makeIntegration(site, mapper));
});
afterAll(closeStack);

/** Sends a request; returns the id of the item that it wrote. */
async function call(method: string, path: string, body: object): Promise<string> {
  const { status, data, text } = await site.request(method, path, { title: 'T', ...body });
  if (status > 201) throw new Error(`${status} ${text}`);
  return data.id;
}

/** Sends a delivery; returns the id of the item that it wrote. */
async function deliverTo(mapper: string, payload: object): Promise<string> {
  const delivery = await deliver(integrations.get(mapper)!, { title: 'T', status: 'draft', ...payload });
  if (delivery.status !== 'succeeded') throw new Error(JSON.stringify(delivery));
  return delivery.result.item.id;
}

/** Each way to write a body: writes `body_html` and returns the id of the item. */
const ways: Record<string, (body_html: string) => Promise<string>> = {
  'POST content': (body_html) => call('POST', '/content', { body_html }),
  'PATCH content': async (body_html) => call('PATCH', `/content/${await call('POST', '/content', {})}`, { body_html }),
  'POST content/batch': async (body_html) => {
    const { data } = await site.request('POST', '/content/batch', { items: [{ title: 'T', body_html }] });
    return data.results[0].data.id;
  },
  'PUT content/by-ref, new': (body_html) => call('PUT', `/content/by-ref/${randomUUID()}`, { body_html }),
  'PUT content/by-ref, again': async (body_html) => {
    const path = `/content/by-ref/${randomUUID()}`;
    await call('PUT', path, {});
    return call('PUT', path, { body_html });
  },
};

async function expectClean(id: string): Promise<void> {
  const { data } = await site.request('GET', `/content/${id}`);
  expect(data.body_html).toBe(clean);
  expect(data.warnings.map((warning: { code: string }) => warning.code).sort()).toEqual(codes);
}

// rule: content.4, state.2, break.6
test.each(Object.keys(ways))('a body is cleaned on the way in by %s', async (way) => {
  await expectClean(await ways[way]!(hostile));
});

// rule: content.4, break.6
test.each([
  ['create_post', 'source_ref'],
  ['create_page', 'source_ref'],
  ['autoseo', 'id'],
])('a body is cleaned on the way in by the mapper %s, and again when its %s comes back', async (mapper, key) => {
  const name = { [key]: randomUUID() };
  const id = await deliverTo(mapper, { ...name, body_html: hostile });
  await expectClean(id);
  expect(await deliverTo(mapper, { ...name, title: 'U', body_html: `${hostile}again` })).toBe(id);
  const { data } = await site.request('GET', `/content/${id}`);
  expect([data.title, data.body_html]).toEqual(['U', `${clean}again`]);
});

// rule: break.6
test('a body too large for a row is cleaned too', async () => {
  const text = 'x'.repeat(300 * 1024);
  const { data } = await site.request('GET', `/content/${await ways['POST content']!(`${hostile}${text}`)}`);
  expect(data.body_html).toBe(`${clean}${text}`);
});
