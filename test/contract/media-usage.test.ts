import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeKey, makeSite, stackDatabase, type TestSite } from '../harness/api.ts';
import { jpeg, upload } from '../harness/media.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const add = async (where = site): Promise<string> => (await upload(where, await jpeg())).data.id;
const create = async (members: object) => (await site.request('POST', '/content', { title: 'T', ...members })).data;

/** Returns the places in which each item names the media item, by the item's id. */
async function usesOf(id: string): Promise<Record<string, string[]>> {
  const { data } = await site.request('GET', `/media/${id}/usage`);
  return Object.fromEntries(data.map((use: { id: string; places: string[] }) => [use.id, use.places]));
}

test('names the items that show it in the body, in a component there, as featured image and in a field', async () => {
  const id = await add();
  const body = await create({ body_html: `<p><img src="media:${id.toUpperCase()}"></p>`, status: 'published' });
  const component = await create({
    body_html: `<x-component handle="card" vars='{"image":"${id}"}'></x-component>`,
  });
  const several = await create({ body_html: `<img src="media:${id}">`, featured_media_id: id });
  await site.request('PUT', '/types/hike', { name: 'Hike', fields_schema: { gallery: {} } });
  const fields = await create({ type: 'hike', fields: { gallery: [{ image: `media:${id}` }] } });
  await create({ body_html: `<img src="media:${await add()}">` });
  expect(await usesOf(id)).toEqual({
    [body.id]: ['body_html'],
    [component.id]: ['body_html'],
    [several.id]: ['body_html', 'featured_media_id'],
    [fields.id]: ['fields'],
  });
  const { data } = await site.request('GET', `/media/${id}/usage`);
  expect(data.find((use: { id: string }) => use.id === body.id)).toEqual({
    id: body.id,
    title: 'T',
    type: 'post',
    locale: 'en',
    status: 'published',
    trashed_at: null,
    places: ['body_html'],
  });
});

test('follows every change: updates, drafts once they are applied, restored revisions, the trash and the purge', async () => {
  const [first, second] = [await add(), await add()];
  const item = await create({ body_html: `<img src="media:${first}">`, featured_media_id: first });
  await site.request('PATCH', `/content/${item.id}`, { title: 'Only the title' });
  expect(await usesOf(first)).toEqual({ [item.id]: ['body_html', 'featured_media_id'] });
  await site.request('PATCH', `/content/${item.id}`, { featured_media_id: second });
  expect(await usesOf(first)).toEqual({ [item.id]: ['body_html'] });
  await site.request('PUT', `/content/${item.id}/draft`, { body_html: `<img src="media:${second}">` });
  expect(await usesOf(second)).toEqual({ [item.id]: ['featured_media_id'] });
  await site.request('POST', `/content/${item.id}/draft/apply`);
  expect(await usesOf(second)).toEqual({ [item.id]: ['body_html', 'featured_media_id'] });
  expect(await usesOf(first)).toEqual({});
  await site.request('POST', `/content/${item.id}/revisions/1/restore`);
  expect(await usesOf(first)).toEqual({ [item.id]: ['body_html', 'featured_media_id'] });
  await site.request('DELETE', `/content/${item.id}`);
  const { data } = await site.request('GET', `/media/${first}/usage`);
  expect(data[0].trashed_at).toEqual(expect.any(String));
  await site.request('DELETE', `/content/${item.id}/purge`);
  expect(await usesOf(first)).toEqual({});
});

test('a place that is written is recorded, even if the record was incomplete and the place did not change', async () => {
  const id = await add();
  const item = await create({ body_html: `<img src="media:${id}">`, featured_media_id: id });
  await stackDatabase().query('DELETE FROM content_media WHERE content_id = $1', [item.id]);
  const body_html = `<img src="media:${id}">`;
  await site.request('PATCH', `/content/${item.id}`, { title: 'Other', body_html, featured_media_id: id });
  expect(await usesOf(id)).toEqual({ [item.id]: ['body_html', 'featured_media_id'] });
});

test('a draft that was written before its ids were kept is recorded when it is applied', async () => {
  const id = await add();
  const item = await create({});
  await site.request('PUT', `/content/${item.id}/draft`, { body_html: `<img src="media:${id}">` });
  await stackDatabase().query(`UPDATE content_drafts SET body_media = '{}' WHERE content_id = $1`, [item.id]);
  await site.request('POST', `/content/${item.id}/draft/apply`);
  expect(await usesOf(id)).toEqual({ [item.id]: ['body_html'] });
});

test('a body too large for a row is known too, also when a draft brought it', async () => {
  const [first, second] = [await add(), await add()];
  const large = (id: string) => `<p>${'word '.repeat(60_000)}</p><img src="media:${id}">`;
  const item = await create({ body_html: large(first) });
  expect(await usesOf(first)).toEqual({ [item.id]: ['body_html'] });
  await site.request('PUT', `/content/${item.id}/draft`, { body_html: large(second) });
  await site.request('POST', `/content/${item.id}/draft/apply`);
  expect([await usesOf(first), await usesOf(second)]).toEqual([{}, { [item.id]: ['body_html'] }]);
});

test('is paginated, and counts each item once', async () => {
  const id = await add();
  const members = { body_html: `<img src="media:${id}">`, featured_media_id: id };
  const made = [await create(members), await create(members), await create(members)];
  const page = async (n: number) => (await site.request('GET', `/media/${id}/usage?per_page=2&page=${n}`)).json;
  const [one, two] = [await page(1), await page(2)];
  expect(one.pagination).toEqual({ total: 3, page: 1, per_page: 2, total_pages: 2 });
  const ids = [...one.data, ...two.data].map((use: { id: string }) => use.id);
  expect(ids.toSorted()).toEqual(made.map((item) => item.id).toSorted());
});

test('a key that may not read content is refused; one that may read both is not', async () => {
  const id = await add();
  const read = async (scopes: string[]) =>
    site.request('GET', `/media/${id}/usage`, undefined, { key: await makeKey(scopes, [site.slug]) });
  const refused = await read(['media:read']);
  expect([refused.status, refused.error.code]).toEqual([403, 'scope_missing']);
  expect((await read(['media:read', 'content:read'])).status).toBe(200);
});

test('an item of another site, in the trash, or unknown is 404; an item of another site that names it is not listed', async () => {
  const id = await add();
  const other = await makeSite();
  await other.request('POST', '/content', { title: 'Elsewhere', body_html: `<img src="media:${id}">` });
  expect(await usesOf(id)).toEqual({});
  expect((await other.request('GET', `/media/${id}/usage`)).status).toBe(404);
  expect((await site.request('GET', `/media/${randomUUID()}/usage`)).status).toBe(404);
  await site.request('DELETE', `/media/${id}`);
  expect((await site.request('GET', `/media/${id}/usage`)).status).toBe(404);
});
