import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiReply, closeStack, makeSite, publish, type TestSite } from '../harness/api.ts';
import { visit } from '../harness/edge.ts';
import { makeMember } from '../harness/people.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
  await create(site, { title: 'Published words', status: 'published' });
  await publish(site);
}, 120_000);
afterAll(closeStack);

async function create(of: TestSite, members: object): Promise<ApiReply['data']> {
  const { status, data, text } = await of.request('POST', '/content', members);
  if (status !== 201) throw new Error(`${status} ${text}`);
  return data;
}
const preview = (of: TestSite, id: string, options = {}) =>
  of.request('POST', `/content/${id}/preview`, undefined, options);
const pathOf = (url: string) => new URL(url).pathname;
/** The path of the preview's root, below which it is a site of its own. */
const rootOf = (url: string) => /^\/previews\/[^/]+\//.exec(pathOf(url))![0];

async function show(of: TestSite, id: string) {
  const { status, data, text } = await preview(of, id);
  if (status !== 200) throw new Error(`${status} ${text}`);
  const page = await visit(pathOf(data.url));
  const list = async (path: string) => (await visit(rootOf(data.url) + path)).text;
  return { page, data, home: await list(''), archive: await list('posts/'), feed: await list('feed.xml') };
}

describe('the preview of an item', () => {
  // rule: beyond.10
  test.each(['draft', 'scheduled', 'archived'])(
    'that is %s shows its page and the lists that have it',
    async (status) => {
      const title = `Unseen ${randomUUID()}`;
      const item = await create(site, {
        title,
        body_html: '<p>Unseen body</p>',
        status,
        scheduled_at: '2999-01-01T00:00:00Z',
      });
      const shown = await show(site, item.id);
      expect([shown.page.status, shown.page.text]).toEqual([200, expect.stringContaining('Unseen body')]);
      for (const list of ['home', 'archive', 'feed'] as const) {
        expect([list, shown[list].includes(title)]).toEqual([list, true]);
        expect([list, shown[list].includes('Published words')]).toEqual([list, true]);
      }
      expect(shown.page.headers['x-robots-tag']).toBe('noindex');
      expect(new Date(shown.data.expires_at).getTime()).toBeGreaterThan(Date.now() + 12 * 60 * 60 * 1000);
    },
  );

  // rule: beyond.10
  test('has the pending draft, body and slug too, and leaves item and draft as they are', async () => {
    const item = await create(site, { title: 'Before', body_html: '<p>Before</p>', status: 'published' });
    await publish(site);
    const changes = { title: `Pending ${randomUUID()}`, body_html: '<p>Pending body</p>', slug: `new-${randomUUID()}` };
    await site.request('PUT', `/content/${item.id}/draft`, changes);
    const shown = await show(site, item.id);
    expect(pathOf(shown.data.url).endsWith(`/posts/${changes.slug}/`)).toBe(true);
    expect(shown.page.text).toContain('Pending body');
    expect([shown.home.includes(changes.title), shown.home.includes('Before')]).toEqual([true, false]);
    expect((await site.request('GET', `/content/${item.id}`)).data).toEqual(item);
    expect((await site.request('GET', `/content/${item.id}/draft`)).data.title).toBe(changes.title);
  });

  test('with a body that lies in the object store, and media and components that no page has shown', async () => {
    await site.request('PUT', '/components/unseen', { type: 'html', source_code: '<b>From a component</b>' });
    const body_html = `<p>${'long words '.repeat(40_000)}</p><x-component handle="unseen"></x-component>`;
    const { page } = await show(site, (await create(site, { title: 'Long', body_html })).id);
    expect([page.text.includes('long words'), page.text.includes('From a component')]).toEqual([true, true]);
  });

  // rule: beyond.10
  test('publishes nothing: site, releases, jobs and the preview of the shell stay', async () => {
    const item = await create(site, { title: `Quiet ${randomUUID()}` });
    const paths = ['', '/releases', '/jobs', '/content?per_page=100'];
    const read = () => Promise.all(paths.map(async (path) => (await site.request('GET', path)).text));
    const [before, live] = [await read(), (await visit(`/sites/${site.slug}/`)).text];
    await show(site, item.id);
    expect(await read()).toEqual(before);
    expect((await visit(`/sites/${site.slug}/`)).text).toBe(live);
  });

  test('shows the rest of the site as it was published last, not as it is stored', async () => {
    const own = await makeSite();
    const other = await create(own, { title: 'As published', status: 'published' });
    await publish(own);
    await own.request('PATCH', `/content/${other.id}`, { title: 'As stored' });
    await own.request('PUT', '/shell/file/home.twig', undefined, { raw: 'changed' });
    const { home } = await show(own, (await create(own, { title: 'Previewed' })).id);
    expect([home.includes('As published'), home.includes('As stored'), home.includes('Previewed')]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('takes the place of another item that is live under its path', async () => {
    const own = await makeSite();
    const first = await create(own, {
      title: 'First',
      slug: 'place',
      body_html: '<p>Of the first</p>',
      status: 'published',
    });
    await publish(own);
    await own.request('PATCH', `/content/${first.id}`, { slug: 'elsewhere' });
    const second = await create(own, { title: 'Second', slug: 'place', body_html: '<p>Of the second</p>' });
    const { page, data } = await show(own, second.id);
    expect([pathOf(data.url).endsWith('/posts/place/'), page.text.includes('Of the second')]).toEqual([true, true]);
  });

  test('of a site that was never published, in another language too', async () => {
    const own = await makeSite();
    await own.request('POST', '/languages', { locale: 'de' });
    const { page, data } = await show(own, (await create(own, { title: 'Erstes', locale: 'de' })).id);
    expect([page.status, pathOf(data.url).endsWith('/de/posts/erstes/')]).toEqual([200, true]);
    await create(own, { title: 'English', status: 'published' });
    await publish(own);
    await own.request('POST', '/languages', { locale: 'fr' });
    expect((await show(own, (await create(own, { title: 'Premier', locale: 'fr' })).id)).page.status).toBe(200);
    const lost = await create(own, { title: 'Zweites', locale: 'de' });
    await own.request('DELETE', '/languages/de');
    const refused = await preview(own, lost.id);
    expect([refused.status, refused.error.details[0].path]).toEqual([422, 'locale']);
  });

  test('is 422 with the line of a template that fails, or for a draft that cannot be applied', async () => {
    const own = await makeSite();
    const item = await create(own, { title: 'Item' });
    await own.request('POST', '/languages', { locale: 'de' });
    const original = await create(own, { title: 'Original' });
    const german = { title: 'Deutsch', locale: 'de' };
    const second = await create(own, german);
    await own.request('PUT', `/content/${second.id}/draft`, { translation_of: original.id });
    await create(own, { ...german, translation_of: original.id });
    expect((await preview(own, second.id)).error.code).toBe('translation_taken');
    await own.request('PUT', '/shell/file/post.twig', undefined, { raw: 'one\n{{ page.title | no_such_filter }}' });
    const refused = await preview(own, item.id);
    expect([refused.status, refused.error.code]).toEqual([422, 'validation_failed']);
    expect(refused.error.message).toMatch(/post\.twig.*2/);
  });

  test('is made for everybody who may read, and for no item in the trash', async () => {
    const item = await create(site, { title: 'Mine' });
    const viewer = { key: await (await makeMember(site.slug, 'viewer')).makeKey() };
    expect((await preview(site, item.id, viewer)).status).toBe(200);
    await site.request('DELETE', `/content/${item.id}`);
    for (const id of [item.id, randomUUID()]) expect((await preview(site, id)).status).toBe(404);
  });

  test('is replayed with its Idempotency-Key', async () => {
    const item = await create(site, { title: 'Mine' });
    const headers = { 'Idempotency-Key': randomUUID() };
    const [first, again] = [await preview(site, item.id, { headers }), await preview(site, item.id, { headers })];
    expect([again.data, again.headers.get('idempotency-replayed')]).toEqual([first.data, 'true']);
  });
});
