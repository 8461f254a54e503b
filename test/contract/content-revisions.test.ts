import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiReply, closeStack, eventually, makeSite, type TestSite } from '../harness/api.ts';
import { jpeg, upload } from '../harness/media.ts';
import { makeMember } from '../harness/people.ts';
import { deliver, makeIntegration } from '../harness/webhooks.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const revisionsOf = (id: string, query = '') => site.request('GET', `/content/${id}/revisions${query}`);
const read = (id: string, rev: string, query = '') => site.request('GET', `/content/${id}/revisions/${rev}${query}`);
const restore = (id: string, rev: string, options = {}) =>
  site.request('POST', `/content/${id}/revisions/${rev}/restore`, undefined, options);

async function made(method: string, path: string, body?: unknown): Promise<ApiReply['data']> {
  const { status, data, text } = await site.request(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return data;
}
const create = (members: object = {}) =>
  made('POST', '/content', { title: `Item ${randomUUID()}`, body_html: '<p>First</p>', ...members });

describe('the list of revisions', () => {
  // rule: beyond.4
  test('has every change, newest first, in pages, and who made it', async () => {
    const item = await create();
    await made('PATCH', `/content/${item.id}`, { title: 'Second' });
    await made('PATCH', `/content/${item.id}`, { title: 'Third' });
    const { data, json } = await revisionsOf(item.id, '?per_page=2');
    expect(json.pagination).toEqual({ total: 3, page: 1, per_page: 2, total_pages: 2 });
    expect(data.map(({ rev }: { rev: string }) => rev)).toEqual(['3', '2']);
    const by = { type: 'key', id: site.key.slice(3, 11), name: 'test', user: expect.stringContaining('@') };
    expect(data[0]).toEqual({ rev: '3', created_at: expect.stringMatching(/^\d{4}-.*Z$/), by });
    expect((await revisionsOf(item.id, '?per_page=2&page=2')).data[0].created_at).toBe(item.created_at);
  });

  // rule: beyond.4
  test('names the integration or the scheduler that made a change', async () => {
    const integration = await makeIntegration(site, 'create_post');
    const { result } = await deliver(integration, { title: 'Sent', body_html: '', status: 'draft' });
    const [sent] = (await revisionsOf(result.item.id)).data;
    expect(sent.by).toEqual({ type: 'integration', id: integration.id, name: expect.any(String), user: null });
    const due = await create({ status: 'scheduled', scheduled_at: '2020-01-01T00:00:00Z' });
    const by = await eventually('the due item is published', async () => {
      const [newest] = (await revisionsOf(due.id)).data;
      return newest.by.type === 'scheduler' ? newest.by : undefined;
    });
    expect(by).toEqual({ type: 'scheduler', id: null, name: null, user: null });
  });

  test('has the restore of an item from the trash, and is 404 while it is there', async () => {
    const item = await create();
    await made('DELETE', `/content/${item.id}`);
    expect([(await revisionsOf(item.id)).status, (await read(item.id, '1')).status]).toEqual([404, 404]);
    await made('POST', `/content/${item.id}/restore`);
    expect((await revisionsOf(item.id)).data.map(({ rev }: { rev: string }) => rev)).toEqual(['2', '1']);
  });
});

describe('a revision', () => {
  const script = '<p>Kept</p><script>1</script>';

  // rule: beyond.5
  test.each([
    ['a small body', script],
    ['a body that lies in the object store', `<p>${'long '.repeat(80_000)}</p>${script}`],
  ])('shows the whole record as it was, with %s', async (_which, body_html) => {
    const item = await create({ body_html, tags: ['a'], excerpt: 'E', published_at: '2020-01-02T03:04:05Z' });
    expect(item.warnings).toHaveLength(1);
    await made('PATCH', `/content/${item.id}`, {
      title: 'Later',
      body_html: '',
      tags: [],
      slug: 'later',
      excerpt: null,
    });
    const { status, data } = await read(item.id, '1');
    expect([status, data.rev]).toEqual([200, '1']);
    expect(data.item).toEqual(item);
  });

  test('is not found for what no revision of the item is', async () => {
    const [item, other] = [await create(), await create()];
    await made('PATCH', `/content/${other.id}`, { title: 'Second' });
    for (const rev of ['2', '0', '01', '-1', 'x', '1.0', '9'.repeat(40), item.id])
      expect([rev, (await read(item.id, rev)).status, (await restore(item.id, rev)).status]).toEqual([rev, 404, 404]);
  });

  // rule: beyond.5
  test('is compared with another one, member by member', async () => {
    const item = await create({ tags: ['a'] });
    await made('PATCH', `/content/${item.id}`, { title: 'Second', tags: ['b'], body_html: '<p>Second</p>' });
    const forward = (await read(item.id, '2', '?compare=1')).data;
    expect(forward.compared).toEqual({
      rev: '1',
      changes: {
        title: { from: item.title, to: 'Second' },
        tags: { from: ['a'], to: ['b'] },
        body_html: { from: '<p>First</p>', to: '<p>Second</p>' },
      },
    });
    expect((await read(item.id, '1', '?compare=2')).data.compared.changes.title).toEqual({
      from: 'Second',
      to: item.title,
    });
    expect((await read(item.id, '1', '?compare=1')).data.compared.changes).toEqual({});
    expect((await read(item.id, '1')).data).not.toHaveProperty('compared');
    expect((await read(item.id, '1', '?compare=3')).status).toBe(404);
    const malformed = await read(item.id, '1', '?compare=x');
    expect([malformed.status, malformed.error.details[0].path]).toEqual([422, 'compare']);
  });
});

describe('restoring a revision', () => {
  // rule: beyond.6
  test('gives the item every member that it had, and makes a revision', async () => {
    const item = await create({ tags: ['a'], body_html: '<p>Kept</p><script>1</script>', excerpt: 'E' });
    const changed = {
      title: 'Later',
      body_html: '<p>Later</p>',
      tags: [],
      slug: `s-${randomUUID()}`,
      status: 'archived',
    };
    await made('PATCH', `/content/${item.id}`, changed);
    const { status, data, headers } = await restore(item.id, '1');
    expect(status).toBe(200);
    expect({ ...data, updated_at: item.updated_at }).toEqual(item);
    const now = await site.request('GET', `/content/${item.id}`);
    expect([now.data, now.headers.get('etag')]).toEqual([data, headers.get('etag')]);
    expect((await revisionsOf(item.id)).data).toHaveLength(3);
    const found = await site.request('GET', '/content?q=Kept&per_page=100');
    expect(found.data.map(({ id }: { id: string }) => id)).toContain(item.id);
  });

  test('brings back a body that lies in the object store', async () => {
    const body_html = `<p>${'long '.repeat(80_000)}</p>`;
    const item = await create({ body_html });
    await made('PATCH', `/content/${item.id}`, { body_html: '' });
    expect((await restore(item.id, '1')).data.body_html === item.body_html).toBe(true);
  });

  test('changes nothing when the item is as it was', async () => {
    const item = await create();
    expect((await restore(item.id, '1')).data).toEqual(item);
    expect((await revisionsOf(item.id)).data).toHaveLength(1);
  });

  // rule: beyond.6
  test('gives a slug that another item has now a counter', async () => {
    const slug = `s-${randomUUID()}`;
    const item = await create({ slug });
    await made('PATCH', `/content/${item.id}`, { slug: `${slug}-other` });
    await create({ slug });
    expect((await restore(item.id, '1')).data.slug).toBe(`${slug}-2`);
  });

  // rule: beyond.6
  test('is 422 when the item would refer to what is there no longer, and changes nothing', async () => {
    const { data: picture } = await upload(site, await jpeg());
    const item = await create({ featured_media_id: picture.id });
    await made('PATCH', `/content/${item.id}`, { featured_media_id: null });
    await made('DELETE', `/media/${picture.id}`);
    const before = await site.request('GET', `/content/${item.id}`);
    const refused = await restore(item.id, '1');
    expect([refused.status, refused.error.details[0].path]).toEqual([422, 'featured_media_id']);
    expect((await site.request('GET', `/content/${item.id}`)).text).toBe(before.text);
  });

  test('is 409 for a source_ref that another item has now, and for a translation that there is', async () => {
    const source_ref = randomUUID();
    const item = await create({ source_ref });
    await made('PATCH', `/content/${item.id}`, { source_ref: null });
    await create({ source_ref });
    expect((await restore(item.id, '1')).error.code).toBe('conflict');
    const other = await makeSite();
    await other.request('POST', '/languages', { locale: 'de' });
    const original = (await other.request('POST', '/content', { title: 'Original' })).data;
    const german = { title: 'Deutsch', locale: 'de', translation_of: original.id };
    const first = (await other.request('POST', '/content', german)).data;
    await other.request('PATCH', `/content/${first.id}`, { translation_of: null });
    await other.request('POST', '/content', german);
    const refused = await other.request('POST', `/content/${first.id}/revisions/1/restore`);
    expect([refused.status, refused.error.code]).toEqual([409, 'translation_taken']);
  });

  test('restores status and schedule too, and publishes nothing', async () => {
    const quiet = await makeSite();
    const later = { title: 'Later', status: 'scheduled', scheduled_at: '2999-01-01T00:00:00Z' };
    const { data: item } = await quiet.request('POST', '/content', later);
    await quiet.request('PATCH', `/content/${item.id}`, { status: 'draft' });
    const restored = await quiet.request('POST', `/content/${item.id}/revisions/1/restore`);
    expect(restored.data).toMatchObject({ status: 'scheduled', scheduled_at: later.scheduled_at });
    expect((await quiet.request('GET', '/releases')).data).toEqual([]);
    expect((await quiet.request('GET', '/jobs')).data).toEqual([]);
  });

  test('is replayed with its Idempotency-Key, without another look at If-Match', async () => {
    const item = await create();
    const changed = await site.request('PATCH', `/content/${item.id}`, { title: 'Second' });
    const headers = { 'Idempotency-Key': randomUUID(), 'If-Match': changed.headers.get('etag')! };
    const first = await restore(item.id, '1', { headers });
    const again = await restore(item.id, '1', { headers });
    expect([first.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([200, first.text, 'true']);
  });
});

// rule: beyond.11
test('a viewer reads revisions; an author restores those of their own items alone, and none that was published', async () => {
  const [viewer, author] = [await makeMember(site.slug, 'viewer'), await makeMember(site.slug, 'author')];
  const [viewing, writing] = [await viewer.makeKey(), await author.makeKey()];
  const own = (await site.request('POST', '/content', { title: 'Mine' }, { key: writing })).data;
  const others = await create();
  for (const { id } of [own, others]) {
    await made('PATCH', `/content/${id}`, { title: 'By an editor' });
    expect((await site.request('GET', `/content/${id}/revisions/1`, undefined, { key: viewing })).status).toBe(200);
    expect((await restore(id, '1', { key: viewing })).error.code).toBe('role_insufficient');
  }
  expect((await restore(others.id, '1', { key: writing })).error.code).toBe('role_insufficient');
  expect((await restore(own.id, '1', { key: writing })).data.title).toBe('Mine');
  await made('PATCH', `/content/${own.id}`, { status: 'published' });
  await made('PATCH', `/content/${own.id}`, { status: 'draft' });
  const published = (await revisionsOf(own.id)).data[1].rev;
  expect((await restore(own.id, published, { key: writing })).error.code).toBe('role_insufficient');
});
