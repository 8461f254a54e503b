import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, type TestSite } from '../harness/api.ts';
import { deliver, makeIntegration, send, type TestIntegration, waitForRetry } from '../harness/webhooks.ts';

let site: TestSite;
let autoseo: TestIntegration;
let post: TestIntegration;
let page: TestIntegration;
beforeAll(async () => {
  site = await makeSite();
  [autoseo, post, page] = await Promise.all([
    makeIntegration(site, 'autoseo'),
    makeIntegration(site, 'create_post'),
    makeIntegration(site, 'create_page'),
  ]);
});
afterAll(closeStack);

const read = async (id: string) => (await site.request('GET', `/content/${id}`)).data;
const html = async (url: string) => {
  const response = await fetch(url);
  return response.status === 200 ? response.text() : `${response.status}`;
};

describe('create_post', () => {
  // rule: service.6, mapper.2, mapping.1
  test('publishes a post by default; its delivery names the item, the release and its URL', async () => {
    const delivery = await deliver(post, {
      title: 'First',
      body_html: '<p>Hello <script>x()</script></p>',
      excerpt: 'E',
      author: 'A',
      unknown: 1,
    });
    expect(delivery).toMatchObject({ status: 'succeeded', attempts: 1, error: null, next_attempt_at: null });
    const { item, url, release } = delivery.result;
    const record = await read(item.id);
    expect(record).toMatchObject({
      type: 'post',
      status: 'published',
      title: 'First',
      excerpt: 'E',
      author: 'A',
      source_ref: null,
      url,
    });
    expect(record.body_html).not.toContain('script');
    expect(delivery.result.warnings).toEqual(record.warnings);
    expect((await site.request('GET', '')).data.live_release).toEqual(release);
    expect(await html(url)).toContain('Hello');
  });

  // rule: mapper.2
  test('without source_ref each delivery makes a post of its own', async () => {
    const first = await deliver(post, { title: 'Same title', body_html: '' });
    const second = await deliver(post, { title: 'Same title', body_html: '' });
    expect(second.result.item.id).not.toBe(first.result.item.id);
    expect(second.result.item.slug).toBe('same-title-2');
  });

  // rule: mapping.2
  test('with source_ref a repeat updates and keeps the slug; a slug in the payload changes it', async () => {
    const source_ref = randomUUID();
    const { result: made } = await deliver(post, { title: 'Old name', body_html: 'a', source_ref });
    const { result: again } = await deliver(post, { title: 'New name', body_html: 'b', source_ref });
    expect(again.item).toMatchObject({ id: made.item.id, slug: 'old-name' });
    expect(again.action).toBe('updated');
    expect(await read(made.item.id)).toMatchObject({ title: 'New name', body_html: 'b', source_ref });
    const { result: moved } = await deliver(post, { title: 'New name', body_html: 'b', source_ref, slug: 'Brand New' });
    expect(moved.item).toMatchObject({ id: made.item.id, slug: 'brand-new' });
  });

  test('source_refs are apart from those of other integrations and of REST', async () => {
    const source_ref = randomUUID();
    const other = await makeIntegration(site, 'create_post');
    const ids = new Set([
      (await deliver(post, { title: 'T', body_html: '', source_ref })).result.item.id,
      (await deliver(other, { title: 'T', body_html: '', source_ref })).result.item.id,
      (await site.request('POST', '/content', { title: 'T', source_ref })).data.id,
    ]);
    expect(ids.size).toBe(3);
  });

  test.each(['draft', 'archived'])('status %s is stored and not shown', async (status) => {
    const { result, ...delivery } = await deliver(post, { title: `A ${status}`, body_html: 'x', status });
    expect(delivery.status).toBe('succeeded');
    expect(await read(result.item.id)).toMatchObject({ status, published_at: null });
    expect(await html(result.url)).toBe('404');
  });

  test('scheduled with a time is scheduled', async () => {
    const { result } = await deliver(post, {
      title: 'Later',
      body_html: '',
      status: 'scheduled',
      scheduled_at: '2099-01-01T00:00:00Z',
    });
    expect(await read(result.item.id)).toMatchObject({ status: 'scheduled', scheduled_at: '2099-01-01T00:00:00Z' });
  });

  test('an item in the trash is updated and stays there, and the result says so', async () => {
    const source_ref = randomUUID();
    const { result } = await deliver(post, { title: 'Bin', body_html: 'a', source_ref });
    await site.request('DELETE', `/content/${result.item.id}`);
    const again = await deliver(post, { title: 'Bin 2', body_html: 'b', source_ref });
    expect(again).toMatchObject({ status: 'succeeded', result: { item: { id: result.item.id, trashed: true } } });
    expect((await site.request('GET', `/content/${result.item.id}`)).status).toBe(404);
    const { data } = await site.request('POST', `/content/${result.item.id}/restore`);
    expect(data).toMatchObject({ title: 'Bin 2', body_html: 'b' });
  });
});

// rule: mapper.3, mapping.1, break.31
test('create_page makes a page at the root', async () => {
  const { result } = await deliver(page, { title: 'Imprint', body_html: '<p>Who we are</p>' });
  expect(await read(result.item.id)).toMatchObject({ type: 'page', slug: 'imprint' });
  expect(result.url).toMatch(/\/imprint\/$/);
  expect(await html(result.url)).toContain('Who we are');
});

// rule: mapper.3, mapping.2, break.31
test('create_page stores what create_post does, and is keyed on source_ref as well', async () => {
  const members = { excerpt: 'E', author: 'A', source_ref: randomUUID() };
  const { result: made } = await deliver(page, { title: 'Made', body_html: 'a', slug: 'Given Slug', ...members });
  expect(made).toMatchObject({ action: 'created', item: { slug: 'given-slug' } });
  const { result: again } = await deliver(page, { title: 'Again', body_html: 'b', status: 'archived', ...members });
  expect(again).toMatchObject({ action: 'updated', item: { id: made.item.id } });
  const stored = { type: 'page', title: 'Again', body_html: 'b', slug: 'given-slug', status: 'archived', ...members };
  expect(await read(made.item.id)).toMatchObject(stored);
});

describe('autoseo', () => {
  const article = (members: object = {}) => ({
    id: randomUUID(),
    title: 'An article',
    body_html: '<p>Text</p>',
    ...members,
  });

  // rule: mapper.1, mapping.1, break.31
  test('stores every member it knows', async () => {
    const members = {
      excerpt: 'E',
      author: 'A',
      seo_title: 'ST',
      seo_description: 'SD',
      slug: `s-${randomUUID()}`,
      published_at: '2026-01-02T03:04:05Z',
    };
    const { result } = await deliver(autoseo, article(members));
    expect(await read(result.item.id)).toMatchObject({ ...members, type: 'post', status: 'published' });
  });

  // rule: mapper.1
  test('is keyed on its id, a number or a string', async () => {
    const id = Math.floor(Math.random() * 1e9);
    const first = await deliver(autoseo, article({ id }));
    const second = await deliver(autoseo, article({ id: String(id), title: 'Changed' }));
    expect(second.result.item.id).toBe(first.result.item.id);
    expect(await read(first.result.item.id)).toMatchObject({ title: 'Changed', source_ref: String(id) });
  });

  // rule: mapping.4, break.32
  test('scheduled without a time fails and is tried again; published_at counts as the time', async () => {
    const { deliveryId } = await send(autoseo, article({ status: 'scheduled' }));
    const failed = await waitForRetry(autoseo, deliveryId);
    expect(failed.error).toContain('scheduled_at');
    const { result } = await deliver(autoseo, article({ status: 'scheduled', published_at: '2099-01-01T00:00:00Z' }));
    expect(await read(result.item.id)).toMatchObject({ status: 'scheduled', scheduled_at: '2099-01-01T00:00:00Z' });
  });

  // rule: content.4
  test('bytes that are not UTF-8 in the body are cleaned with a warning', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"id":"bytes","title":"Bytes","body_html":"<p>a'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('b</p>"}'),
    ]);
    const { status, result } = await deliver(autoseo, bytes);
    expect(status).toBe('succeeded');
    expect(result.warnings.length).toBeGreaterThan(0);
  });
});

// rule: state.15, mapping.4, break.22
describe('a payload that cannot be used is skipped at once and not tried again', () => {
  test.each([
    ['malformed JSON', () => autoseo, '{"id": 1,'],
    ['an array', () => autoseo, '[]'],
    ['nothing', () => autoseo, ''],
    ['no id', () => autoseo, { title: 'T', body_html: '' }],
    ['no title', () => autoseo, { id: 1, body_html: '' }],
    ['an empty title', () => post, { title: '', body_html: '' }],
    ['no body', () => page, { title: 'T' }],
    ['a body that is a number', () => post, { title: 'T', body_html: 5 }],
  ])('%s', async (_name, integration, payload) => {
    const delivery = await deliver(integration(), payload);
    expect(delivery).toMatchObject({ status: 'skipped', attempts: 1, next_attempt_at: null, result: {} });
    expect(delivery.error).not.toBe('');
  });
});

// rule: state.15, mapping.4, break.32
test('what is skipped makes nothing and builds nothing', async () => {
  const fresh = await makeSite();
  const skipped = await deliver(await makeIntegration(fresh, 'create_post'), { title: 'T' });
  expect(skipped.status).toBe('skipped');
  for (const path of ['/content', '/jobs'])
    expect([path, (await fresh.request('GET', path)).json.pagination.total]).toEqual([path, 0]);
});

describe('upsert_component', () => {
  let component: TestIntegration;
  beforeAll(async () => {
    component = await makeIntegration(site, 'upsert_component');
  });
  // rule: mapper.5, mapping.5, break.31
  test('creates, then updates', async () => {
    const handle = `c${randomUUID().slice(0, 8)}`;
    const made = await deliver(component, { handle, type: 'html', source_code: '<b>one</b>', css: 'b{color:red}' });
    expect(made).toMatchObject({
      status: 'succeeded',
      result: { item: { kind: 'component', handle }, action: 'created' },
    });
    expect(made.result.release).toEqual(expect.any(String));
    const readComponent = async () => (await site.request('GET', `/components/${handle}`)).data;
    expect(await readComponent()).toMatchObject({ type: 'html', source_code: '<b>one</b>', css: 'b{color:red}' });
    const again = await deliver(component, { handle, type: 'html', source_code: '<b>two</b>' });
    expect(again.result.action).toBe('updated');
    expect(await readComponent()).toMatchObject({ type: 'html', source_code: '<b>two</b>', css: null });
  });
  // rule: state.16, mapping.4, break.22
  test('that does not compile fails and is tried six times in all', async () => {
    const delivery = await deliver(component, {
      handle: 'broken',
      type: 'react',
      source_code: 'export default () => <b>',
    });
    expect(delivery).toMatchObject({ status: 'failed', attempts: 6, next_attempt_at: null });
    expect(delivery.error).toContain('compile');
    const failures = delivery.timeline.filter(({ event }: { event: string }) => event === 'failed');
    expect(failures).toHaveLength(6);
    // each wait is at least three quarters of 200 ms, 400 ms, …: a slow machine makes it longer, never shorter
    const waits = failures
      .slice(1)
      .map(({ elapsed_ms }: { elapsed_ms: number }, n: number) => elapsed_ms - failures[n].elapsed_ms);
    for (const [n, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(150 * 2 ** n);
    expect((await site.request('GET', '/components/broken')).status).toBe(404);
  });
});
