import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, makeKey, makeSite, publish, stackDatabase, type TestSite } from '../harness/api.ts';
import { jpeg, upload, waitUntilProcessed } from '../harness/media.ts';

let site: TestSite;
let photo: Buffer;
beforeAll(async () => {
  site = await makeSite();
  photo = await jpeg();
});
afterAll(closeStack);

async function add(where = site): Promise<string> {
  const { data } = await upload(where, photo);
  return data.id;
}

describe('the list', () => {
  const idsOf = (reply: { data: { id: string }[] }) => reply.data.map(({ id }) => id);
  let library: TestSite;
  let image: string;
  let file: string;
  let video: string;
  beforeAll(async () => {
    library = await makeSite();
    image = await add(library);
    file = (await upload(library, Buffer.from('words'), { fields: {} })).data.id;
    const clip = Buffer.concat([
      Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex'),
      Buffer.alloc(64),
    ]);
    video = (await upload(library, clip, { fields: {} })).data.id;
  });

  // rule: endpoint.12, break.16
  test('is newest first and paginated', async () => {
    const all = await library.request('GET', '/media');
    expect(idsOf(all)).toEqual([video, file, image]);
    expect(all.json.pagination).toEqual({ total: 3, page: 1, per_page: 20, total_pages: 1 });
    const second = await library.request('GET', '/media?per_page=2&page=2');
    expect(idsOf(second)).toEqual([image]);
    expect(second.json.pagination).toEqual({ total: 3, page: 2, per_page: 2, total_pages: 2 });
    await library.request('PATCH', `/media/${image}`, { alt: 'Changed, not newer' });
    expect(idsOf(await library.request('GET', '/media'))).toEqual([video, file, image]);
    expect((await library.request('GET', '/media?page=99')).data).toEqual([]);
    expect((await library.request('GET', '/media?per_page=500')).json.pagination.per_page).toBe(100);
  });

  // rule: media.6, endpoint.46, break.19
  test.each([
    ['image', () => [image]],
    ['video', () => [video]],
    ['file', () => [file]],
    ['image,file', () => [file, image]],
    ['image,video,file', () => [video, file, image]],
    ['video,video', () => [video]],
  ])('takes kind=%s', async (kind, expected) => {
    const reply = await library.request('GET', `/media?kind=${kind}`);
    expect(idsOf(reply)).toEqual(expected());
    expect(reply.json.pagination.total).toBe(expected().length);
  });

  // rule: media.6
  test.each([
    'kind=audio',
    'kind=',
    'kind=image,',
    'kind=IMAGE',
    'kind=image;file',
    'page=0',
    'per_page=x',
    'page=-1',
    'kind=%00',
    'alt=none',
    'alt=',
  ])('refuses %s with 422', async (query) => {
    const { status, error } = await library.request('GET', `/media?${query}`);
    expect(status).toBe(422);
    expect(error.details.length).toBeGreaterThan(0);
  });
});

describe('alt=missing', () => {
  const listed = async (own: TestSite, query: string) =>
    (await own.request('GET', `/media?${query}`)).data.map(({ id }: { id: string }) => id);

  test('lists images without a written text, until a text is written or they are marked as decorative', async () => {
    const own = await makeSite();
    const [described, first, second] = [await add(own), await add(own), await add(own)];
    await upload(own, Buffer.from('words'), { fields: {} });
    const decorative = (await upload(own, photo, { fields: { decorative: 'true' } })).data.id;
    const undescribed = [first, second];
    await stackDatabase().query('UPDATE media SET alt_stand_in = true WHERE id = ANY($1::UUID[])', [undescribed]);
    expect(await listed(own, 'alt=missing')).toEqual([second, first]);
    expect(await listed(own, 'alt=missing&kind=file')).toEqual([]);
    expect(await listed(own, 'alt=decorative')).toEqual([decorative]);
    const { data } = await own.request('GET', `/media/${first}`);
    expect(data.alt_stand_in).toBe(true);
    expect((await own.request('GET', `/media/${described}`)).data).not.toHaveProperty('alt_stand_in');
    await own.request('PATCH', `/media/${first}`, { focal_point: { x: 0, y: 0 } });
    expect(await listed(own, 'alt=missing')).toEqual([second, first]);
    expect((await own.request('PATCH', `/media/${first}`, { alt: data.alt })).data).not.toHaveProperty('alt_stand_in');
    await own.request('PATCH', `/media/${second}`, { decorative: true });
    expect(await listed(own, 'alt=missing')).toEqual([]);
    await own.request('DELETE', `/media/${decorative}`);
    expect(await listed(own, 'alt=decorative')).toEqual([second]);
  });
});

describe('an item', () => {
  test('can be read; unknown ids, and ids that are none, are 404', async () => {
    const id = await add();
    expect((await site.request('GET', `/media/${id}`)).data.id).toBe(id);
    expect((await site.request('GET', `/media/${randomUUID()}`)).status).toBe(404);
    expect((await site.request('GET', '/media/not-an-id')).status).toBe(404);
  });

  test('of another site is 404 for every operation', async () => {
    const id = await add();
    const other = await makeSite();
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/restore'],
      ['DELETE', '/purge'],
    ] as const) {
      expect(
        (await other.request(method, `/media/${id}${path}`, method === 'PATCH' ? { alt: 'x' } : undefined)).status,
      ).toBe(404);
    }
    expect((await site.request('GET', `/media/${id}`)).status).toBe(200);
  });

  // rule: media.3
  test('takes a new alt text, and the alt rule still holds', async () => {
    const id = await add();
    const changed = await site.request('PATCH', `/media/${id}`, { alt: 'New words' });
    expect(changed.status).toBe(200);
    expect(changed.data.alt).toBe('New words');
    for (const body of [{ alt: '' }, { alt: null }, { alt: ' ' }]) {
      expect((await site.request('PATCH', `/media/${id}`, body)).status).toBe(422);
    }
    expect((await site.request('PATCH', `/media/${id}`, { alt: null, decorative: true })).data).toMatchObject({
      alt: null,
      decorative: true,
    });
    expect((await site.request('PATCH', `/media/${id}`, { decorative: false })).status).toBe(422);
    expect((await site.request('PATCH', `/media/${id}`, { decorative: false, alt: 'Again' })).status).toBe(200);
  });

  test('can be sent back as it was read; an unknown member is 422', async () => {
    const id = await add();
    const { data } = await site.request('GET', `/media/${id}`);
    const { status, data: again } = await site.request('PATCH', `/media/${id}`, { ...data, alt: 'Sent back' });
    expect(status).toBe(200);
    expect(again.alt).toBe('Sent back');
    const { status: refused, error } = await site.request('PATCH', `/media/${id}`, { caption: 'x' });
    expect(refused).toBe(422);
    expect(error.details[0].path).toBe('caption');
  });
});

describe('the trash', () => {
  // rule: state.7, state.8, endpoint.14, endpoint.15
  test('takes an item, lists it, gives it back', async () => {
    const own = await makeSite();
    const id = await add(own);
    const trashed = await own.request('DELETE', `/media/${id}`);
    expect(trashed.status).toBe(200);
    expect(trashed.data.trashed_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect((await own.request('GET', `/media/${id}`)).status).toBe(404);
    expect((await own.request('PATCH', `/media/${id}`, { alt: 'x' })).status).toBe(404);
    expect((await own.request('DELETE', `/media/${id}`)).status).toBe(404);
    expect((await own.request('GET', '/media')).data).toEqual([]);
    const trash = await own.request('GET', '/media/trash');
    expect(trash.data.map((item: { id: string }) => item.id)).toEqual([id]);
    expect(trash.json.pagination.total).toBe(1);
    const restored = await own.request('POST', `/media/${id}/restore`);
    expect(restored.status).toBe(200);
    expect(restored.data).toMatchObject({ id, trashed_at: null });
    expect((await own.request('GET', '/media/trash')).data).toEqual([]);
  });

  test('restore and purge of what is not in it are 409', async () => {
    const id = await add();
    expect((await site.request('POST', `/media/${id}/restore`)).status).toBe(409);
    expect((await site.request('DELETE', `/media/${id}/purge`)).status).toBe(409);
    expect((await site.request('POST', `/media/${randomUUID()}/restore`)).status).toBe(404);
    expect((await site.request('DELETE', `/media/${randomUUID()}/purge`)).status).toBe(404);
  });

  // rule: state.8, endpoint.16
  test('purge removes for ever', async () => {
    const id = await add();
    await site.request('DELETE', `/media/${id}`);
    const { status, data } = await site.request('DELETE', `/media/${id}/purge`);
    expect(status).toBe(200);
    expect(data).toEqual({ id, deleted: true });
    expect((await site.request('DELETE', `/media/${id}/purge`)).status).toBe(404);
    expect((await site.request('POST', `/media/${id}/restore`)).status).toBe(404);
  });

  test('its files are no longer served, until they are restored', async () => {
    const { data } = await upload(site, photo);
    expect((await fetch(data.url)).status).toBe(200);
    await site.request('DELETE', `/media/${data.id}`);
    await eventually('the address answers 404', async () => (await fetch(data.url)).status === 404);
    await site.request('POST', `/media/${data.id}/restore`);
    await eventually('the address answers again', async () => (await fetch(data.url)).status === 200);
  });

  test('an item goes on being processed while it is in it', async () => {
    const { data } = await upload(site, await jpeg(700, 500));
    await site.request('DELETE', `/media/${data.id}`);
    await site.request('POST', `/media/${data.id}/restore`);
    expect((await waitUntilProcessed(site, data.id)).status).toBe('ready');
  });

  test('needs media:write', async () => {
    const id = await add();
    const reader = await makeKey(['media:read'], [site.slug]);
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/restore'],
      ['DELETE', '/purge'],
    ] as const) {
      expect((await site.request(method, `/media/${id}${path}`, undefined, { key: reader })).status).toBe(403);
    }
    expect((await site.request('GET', '/media/trash', undefined, { key: reader })).status).toBe(200);
  });
});

test('purging what live pages show is 409 until they are published without it', async () => {
  const own = await makeSite();
  const { data } = await upload(own, photo);
  await waitUntilProcessed(own, data.id);
  const body = {
    title: 'With a picture',
    status: 'published',
    body_html: `<p>See:</p><img src="media:${data.id}" alt="x">`,
  };
  const item = (await own.request('POST', '/content', body)).data;
  await publish(own);
  await own.request('DELETE', `/media/${data.id}`);
  const refused = await own.request('DELETE', `/media/${data.id}/purge`);
  expect(refused.status).toBe(409);
  expect(refused.error.code).toBe('in_use');
  await own.request('PATCH', `/content/${item.id}`, { body_html: '<p>Nothing to see</p>' });
  await publish(own);
  expect((await own.request('DELETE', `/media/${data.id}/purge`)).status).toBe(200);
});
