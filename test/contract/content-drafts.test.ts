import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiReply, closeStack, makeSite, publish, stackDatabase, type TestSite } from '../harness/api.ts';
import { makeMember } from '../harness/people.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const get = (id: string) => site.request('GET', `/content/${id}/draft`);
const put = (id: string, members: object, options = {}) =>
  site.request('PUT', `/content/${id}/draft`, members, options);
const apply = (id: string, options = {}) => site.request('POST', `/content/${id}/draft/apply`, undefined, options);
const readItem = (id: string) => site.request('GET', `/content/${id}`);
const revisions = async (id: string) => (await site.request('GET', `/content/${id}/revisions`)).data.length as number;
const tagOf = ({ headers }: ApiReply) => ({ headers: { 'If-Match': headers.get('etag')! } });

async function create(members: object = {}): Promise<ApiReply['data']> {
  const { status, data, text } = await site.request('POST', '/content', { title: `Item ${randomUUID()}`, ...members });
  if (status !== 201) throw new Error(`${status} ${text}`);
  return data;
}

describe('a pending draft', () => {
  // rule: beyond.7
  test('has the members to change, and leaves the item as it is', async () => {
    const item = await create({ body_html: '<p>Live</p>', tags: ['a'] });
    expect([(await get(item.id)).status, (await readItem(item.id)).status]).toEqual([404, 200]);
    const members = { title: 'Half-written', tags: ['b'], scheduled_at: '2999-01-01T00:00:00Z', excerpt: null };
    const made = await put(item.id, { ...members, body_html: '<p>Half</p><script>1</script>' });
    expect(made.status).toBe(201);
    expect(made.data).toEqual({
      id: item.id,
      base_rev: '1',
      conflicts: [],
      ...members,
      body_html: '<p>Half</p>',
      warnings: [expect.objectContaining({ code: expect.any(String) })],
      by: { type: 'key', id: site.key.slice(3, 11), name: 'test', user: expect.any(String) },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const read = await get(item.id);
    expect([read.data, read.headers.get('etag')]).toEqual([made.data, made.headers.get('etag')]);
    expect((await readItem(item.id)).data).toEqual(item);
    expect(await revisions(item.id)).toBe(1);
  });

  test('is replaced as a whole, keeps its beginning, and can be sent back as it was read', async () => {
    const item = await create();
    expect((await put(item.id, { title: 'None' }, { headers: { 'If-Match': '*' } })).status).toBe(412);
    const first = await put(item.id, { title: 'One', excerpt: 'One' });
    await site.request('PATCH', `/content/${item.id}`, { author: 'Somebody' });
    const second = await put(item.id, { title: 'Two' });
    expect([second.status, second.data.title, second.data.base_rev]).toEqual([200, 'Two', '1']);
    expect(second.data).not.toHaveProperty('excerpt');
    expect(second.data.created_at).toBe(first.data.created_at);
    const again = await put(item.id, second.data);
    expect({ ...again.data, updated_at: second.data.updated_at }).toEqual(second.data);
  });

  test('is only made with If-None-Match: *, and by one of several that ask at the same time', async () => {
    const item = await create();
    const absent = { headers: { 'If-None-Match': '*' } };
    const replies = await Promise.all(['One', 'Two', 'Three'].map((title) => put(item.id, { title }, absent)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 412, 412]);
    const made = replies.find(({ status }) => status === 201)!;
    const refused = await put(item.id, { title: 'Four' }, absent);
    expect([refused.status, refused.error.code]).toEqual([412, 'precondition_failed']);
    expect(refused.headers.get('etag')).toBe(made.headers.get('etag'));
    expect((await get(item.id)).data).toEqual(made.data);
    const wrong = await put(item.id, { title: 'Five' }, { headers: { 'If-None-Match': 'any' } });
    expect([wrong.status, wrong.error.details[0].path]).toEqual([422, 'If-None-Match']);
    await site.request('DELETE', `/content/${item.id}/draft`);
    expect((await put(item.id, { title: 'Six' }, absent)).status).toBe(201);
  });

  test('with a body that lies in the object store is shown and applied whole', async () => {
    const item = await create();
    const body_html = `<p>${'long words '.repeat(40_000)}</p>`;
    const made = await put(item.id, { body_html });
    expect([made.status, made.data.body_html.length]).toEqual([201, body_html.length]);
    expect((await get(item.id)).data.body_html === made.data.body_html).toBe(true);
    expect((await apply(item.id)).data.body_html === made.data.body_html).toBe(true);
  });

  test('is held against the rules of an update', async () => {
    const item = await create();
    for (const [members, path] of [
      [{ title: '' }, 'title'],
      [{ no_such_member: 1 }, 'no_such_member'],
      [{ status: 'scheduled' }, 'scheduled_at'],
      [{ locale: 'fr' }, 'locale'],
      [{ featured_media_id: randomUUID() }, 'featured_media_id'],
      [{ translation_of: item.id }, 'translation_of'],
      [{ published_at: '2026-01-01T00:00:00+02:00' }, 'published_at'],
    ] as const) {
      const { status, error } = await put(item.id, members);
      expect([members, status, error.details[0].path]).toEqual([members, 422, path]);
    }
    expect((await get(item.id)).status).toBe(404);
  });

  test('is refused when it would be a second translation', async () => {
    const other = await makeSite();
    await other.request('POST', '/languages', { locale: 'de' });
    const { data: original } = await other.request('POST', '/content', { title: 'Original' });
    const german = { title: 'Deutsch', locale: 'de' };
    await other.request('POST', '/content', { ...german, translation_of: original.id });
    const { data: second } = await other.request('POST', '/content', german);
    const path = `/content/${second.id}/draft`;
    const refused = await other.request('PUT', path, { translation_of: original.id });
    expect([refused.status, refused.error.code]).toEqual([409, 'translation_taken']);
  });

  test('is deleted by itself, with its item, and hidden while the item is in the trash', async () => {
    const item = await create();
    await put(item.id, { title: 'Half' });
    await site.request('DELETE', `/content/${item.id}`);
    for (const reply of [await get(item.id), await put(item.id, { title: 'x' }), await apply(item.id)])
      expect(reply.status).toBe(404);
    await site.request('POST', `/content/${item.id}/restore`);
    expect((await get(item.id)).data.title).toBe('Half');
    const deleted = await site.request('DELETE', `/content/${item.id}/draft`);
    expect([deleted.status, deleted.data]).toEqual([200, { id: item.id, deleted: true }]);
    expect((await site.request('DELETE', `/content/${item.id}/draft`)).status).toBe(404);
    await put(item.id, { title: 'Again' });
    await site.request('DELETE', `/content/${item.id}`);
    await site.request('DELETE', `/content/${item.id}/purge`);
    const rows = await stackDatabase().query('SELECT content_id FROM content_drafts WHERE content_id = $1', [item.id]);
    expect(rows).toEqual([]);
  });

  // rule: beyond.7
  test('is seen by no list, search, publish or page', async () => {
    const own = await makeSite();
    const { data: item } = await own.request('POST', '/content', {
      title: 'Live words',
      body_html: '<p>Live body</p>',
      status: 'published',
    });
    await publish(own);
    const draft = { title: 'Pending words', body_html: '<p>Pending body</p>', slug: 'pending', status: 'archived' };
    expect((await own.request('PUT', `/content/${item.id}/draft`, draft)).status).toBe(201);
    for (const query of ['q=Pending', 'status=archived']) {
      expect([query, (await own.request('GET', `/content?${query}`)).data]).toEqual([query, []]);
    }
    expect((await own.request('GET', '/content')).data).toEqual([item]);
    const { result } = await publish(own);
    expect(result.changed).toBe(0);
  });
});

describe('applying a draft', () => {
  // rule: beyond.8
  test('changes the item in one update, and deletes the draft', async () => {
    const item = await create({ slug: `s-${randomUUID()}`, body_html: '<p>Before</p>' });
    const changes = { title: 'Whole', slug: 'Other Words', body_html: '<p>Findable aardvark</p><script>1</script>' };
    const { data: draft } = await put(item.id, changes);
    const applied = await apply(item.id);
    expect(applied.status).toBe(200);
    expect(applied.data).toMatchObject({
      title: 'Whole',
      slug: 'other-words',
      body_html: draft.body_html,
      warnings: draft.warnings,
    });
    const now = await readItem(item.id);
    expect([now.data, now.headers.get('etag')]).toEqual([applied.data, applied.headers.get('etag')]);
    expect([await revisions(item.id), (await get(item.id)).status, (await apply(item.id)).status]).toEqual([
      2, 404, 404,
    ]);
    const found = await site.request('GET', '/content?q=aardvark');
    expect(found.data.map(({ id }: { id: string }) => id)).toEqual([item.id]);
  });

  test('gives a slug that is in use a counter, as an update does', async () => {
    const { slug } = await create();
    const item = await create();
    expect((await put(item.id, { slug })).data.slug).toBe(slug);
    expect((await apply(item.id)).data.slug).toBe(`${slug}-2`);
  });

  test('keeps what the item has changed in other members meanwhile', async () => {
    const item = await create();
    await put(item.id, { title: 'From the draft' });
    await site.request('PATCH', `/content/${item.id}`, { excerpt: 'Meanwhile', title: item.title });
    expect((await get(item.id)).data.conflicts).toEqual([]);
    expect((await apply(item.id)).data).toMatchObject({ title: 'From the draft', excerpt: 'Meanwhile' });
  });

  // rule: beyond.8
  test('is 409 for members that the item has changed meanwhile too, and changes nothing', async () => {
    const item = await create({ body_html: '<p>First</p>' });
    await put(item.id, { title: 'Of the draft', body_html: '<p>Of the draft</p>', author: 'A', excerpt: 'E' });
    const meanwhile = { title: 'Meanwhile', body_html: '<p>Meanwhile</p>', author: 'A' };
    const changed = await site.request('PATCH', `/content/${item.id}`, meanwhile);
    expect((await get(item.id)).data.conflicts.toSorted()).toEqual(['body_html', 'title']);
    const refused = await apply(item.id);
    expect([refused.status, refused.error.code]).toEqual([409, 'draft_conflict']);
    expect(refused.error.details.map(({ path }: { path: string }) => path).toSorted()).toEqual(['body_html', 'title']);
    expect((await readItem(item.id)).data).toEqual(changed.data);
    expect((await get(item.id)).status).toBe(200);
    const seen = await apply(item.id, tagOf(changed));
    expect(seen.data).toMatchObject({ title: 'Of the draft', body_html: '<p>Of the draft</p>', excerpt: 'E' });
  });

  // rule: beyond.8
  test('is 412 with the tag of an earlier version, and keeps the draft', async () => {
    const item = await create();
    const first = await readItem(item.id);
    await put(item.id, { title: 'Of the draft' });
    await site.request('PATCH', `/content/${item.id}`, { excerpt: 'Meanwhile' });
    expect((await apply(item.id, tagOf(first))).status).toBe(412);
    expect([(await readItem(item.id)).data.title, (await get(item.id)).status]).toEqual([item.title, 200]);
  });

  test('is refused by rules that have changed since, and keeps the draft', async () => {
    const source_ref = randomUUID();
    const item = await create();
    await put(item.id, { source_ref });
    await create({ source_ref });
    expect((await apply(item.id)).error.code).toBe('conflict');
    expect((await get(item.id)).status).toBe(200);
    const other = await makeSite();
    await other.request('POST', '/languages', { locale: 'de' });
    const { data: original } = await other.request('POST', '/content', { title: 'Original' });
    const german = { title: 'Deutsch', locale: 'de' };
    const { data: second } = await other.request('POST', '/content', german);
    await other.request('PUT', `/content/${second.id}/draft`, { translation_of: original.id });
    await other.request('POST', '/content', { ...german, translation_of: original.id });
    const refused = await other.request('POST', `/content/${second.id}/draft/apply`);
    expect([refused.status, refused.error.code]).toEqual([409, 'translation_taken']);
  });

  test('happens once, however many ask at the same time', async () => {
    const item = await create();
    await put(item.id, { title: 'Applied' });
    const replies = await Promise.all(Array.from({ length: 5 }, () => apply(item.id)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404]);
    expect(await revisions(item.id)).toBe(2);
  });
});

describe('roles', () => {
  // rule: beyond.11
  test('a viewer reads drafts; an author writes those of their own items alone', async () => {
    const [viewer, author] = [await makeMember(site.slug, 'viewer'), await makeMember(site.slug, 'author')];
    const [viewing, writing] = [{ key: await viewer.makeKey() }, { key: await author.makeKey() }];
    const own = (await site.request('POST', '/content', { title: 'Mine' }, writing)).data;
    const others = await create();
    await put(others.id, { title: 'Half' });
    const path = `/content/${others.id}/draft`;
    expect((await site.request('GET', path, undefined, viewing)).status).toBe(200);
    for (const who of [viewing, writing])
      for (const reply of [
        await put(others.id, { title: 'Taken' }, who),
        await apply(others.id, who),
        await site.request('DELETE', path, undefined, who),
      ])
        expect([reply.status, reply.error.code]).toEqual([403, 'role_insufficient']);
    expect((await put(own.id, { title: 'Half' }, writing)).status).toBe(201);
    expect((await apply(own.id, writing)).data.title).toBe('Half');
  });

  test('an author proposes changes to a published item of their own, which an editor applies', async () => {
    const author = { key: await (await makeMember(site.slug, 'author')).makeKey() };
    const own = (await site.request('POST', '/content', { title: 'Mine' }, author)).data;
    await site.request('PATCH', `/content/${own.id}`, { status: 'published' });
    expect((await put(own.id, { title: 'Better' }, author)).status).toBe(201);
    expect((await put(own.id, { title: 'Better', status: 'published' }, author)).error.code).toBe('role_insufficient');
    expect((await apply(own.id, author)).error.code).toBe('role_insufficient');
    expect((await apply(own.id)).data).toMatchObject({ title: 'Better', status: 'published' });
    await put(own.id, { title: 'Half' });
    expect((await site.request('DELETE', `/content/${own.id}/draft`, undefined, author)).status).toBe(200);
  });

  test('an author brings nothing live with a draft that an editor wrote', async () => {
    const author = { key: await (await makeMember(site.slug, 'author')).makeKey() };
    const own = (await site.request('POST', '/content', { title: 'Mine' }, author)).data;
    await put(own.id, { status: 'published' });
    expect((await apply(own.id, author)).error.code).toBe('role_insufficient');
    expect((await readItem(own.id)).data.status).toBe('draft');
  });
});
