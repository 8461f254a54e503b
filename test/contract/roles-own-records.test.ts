import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiReply, closeStack, makeSite, publish, request, stack, type TestSite } from '../harness/api.ts';
import { jpeg, upload } from '../harness/media.ts';
import { makeMember } from '../harness/people.ts';
import { deliver, makeIntegration } from '../harness/webhooks.ts';

let site: TestSite;
/** Keys of two authors and an editor. */
let author: string;
let second: string;
let editor: string;
beforeAll(async () => {
  site = await makeSite();
  const members = await Promise.all(
    (['author', 'author', 'editor'] as const).map((role) => makeMember(site.slug, role)),
  );
  [author, second, editor] = (await Promise.all(members.map((user) => user.makeKey()))) as [string, string, string];
});
afterAll(closeStack);

const as = (key: string, method: string, path: string, body?: unknown) => site.request(method, path, body, { key });

async function create(key: string, members: object = {}): Promise<string> {
  const { status, data } = await as(key, 'POST', '/content', { title: `Item ${randomUUID()}`, ...members });
  expect(status).toBe(201);
  return data.id;
}

const outcome = async (reply: Promise<ApiReply>) => {
  const { status, error } = await reply;
  return error ? `${status} ${error.code}` : status;
};
const refused = '403 role_insufficient';

/** The changes that an author may make to their own items. */
const changes: [string, (key: string, id: string) => Promise<ApiReply>][] = [
  ['change it', (key, id) => as(key, 'PATCH', `/content/${id}`, { title: 'Other words' })],
  ['trash it', (key, id) => as(key, 'DELETE', `/content/${id}`)],
  ['restore it', (key, id) => as(key, 'POST', `/content/${id}/restore`)],
  ['trash it again', (key, id) => as(key, 'DELETE', `/content/${id}`)],
  ['purge it', (key, id) => as(key, 'DELETE', `/content/${id}/purge`)],
];

/** Brings the item to the first state in which this change is possible. */
async function bringTo(change: string, id: string): Promise<void> {
  if (change !== 'restore it' && change !== 'purge it') return;
  expect((await as(editor, 'DELETE', `/content/${id}`)).status).toBe(200);
}

test('an author creates, changes, trashes, restores and purges an item of their own', async () => {
  const id = await create(author);
  for (const [change, send] of changes) expect([change, await outcome(send(author, id))]).toEqual([change, 200]);
});

describe.each(changes.filter(([change]) => change !== 'trash it again'))('an author may not %s', (change, send) => {
  // rule: threat.47
  test.each<[string, () => Promise<string>]>([
    ['made by another author', () => create(second)],
    [
      'that a webhook made',
      async () => {
        const integration = await makeIntegration(site, 'create_post');
        const payload = { title: `Sent ${randomUUID()}`, body_html: '', status: 'draft' };
        return (await deliver(integration, payload)).result.item.id;
      },
    ],
    [
      'of their own that an editor has made published',
      async () => {
        const id = await create(author);
        expect((await as(editor, 'PATCH', `/content/${id}`, { status: 'published' })).status).toBe(200);
        return id;
      },
    ],
  ])('an item %s', async (_which, make) => {
    const id = await make();
    await bringTo(change, id);
    const before = (await as(editor, 'GET', `/content/${id}`)).text;
    expect(await outcome(send(author, id))).toBe(refused);
    expect((await as(editor, 'GET', `/content/${id}`)).text).toBe(before);
    expect(await outcome(send(editor, id))).toBe(200);
  });
});

describe('an author makes nothing live, not with the publish of another either', () => {
  const later = '2999-01-01T00:00:00Z';
  // rule: threat.47
  test.each([
    ['published', { status: 'published' }],
    ['scheduled', { status: 'scheduled', scheduled_at: later }],
  ])('no item becomes %s', async (_status, members) => {
    const title = { title: 'Mine' };
    const ref = randomUUID();
    expect(await outcome(as(author, 'POST', '/content', { ...title, ...members }))).toBe(refused);
    expect(await outcome(as(author, 'PUT', `/content/by-ref/${ref}`, { ...title, ...members }))).toBe(refused);
    const id = await create(author);
    expect(await outcome(as(author, 'PATCH', `/content/${id}`, members))).toBe(refused);
    expect(await outcome(as(author, 'PATCH', `/content/${id}`, { status: 'archived' }))).toBe(200);
    expect(await outcome(as(editor, 'PATCH', `/content/${id}`, members))).toBe(200);
  });

  test('and what they make is a draft', async () => {
    const id = await create(author);
    expect((await as(author, 'GET', `/content/${id}`)).data.status).toBe('draft');
  });
});

test('each item of a batch is judged on its own', async () => {
  const items = [{ title: 'One' }, { title: 'Two', status: 'published' }, { title: 'Three' }];
  const { data } = await as(author, 'POST', '/content/batch', { items });
  expect(data.results.map(({ status, error }: ApiReply) => [status, error?.code])).toEqual([
    [201, undefined],
    [403, 'role_insufficient'],
    [201, undefined],
  ]);
});

// rule: threat.47
test('a reference of an item of another author is no way to change it', async () => {
  const ref = randomUUID();
  expect((await as(second, 'PUT', `/content/by-ref/${ref}`, { title: 'Of the second' })).status).toBe(201);
  expect(await outcome(as(author, 'PUT', `/content/by-ref/${ref}`, { title: 'Taken' }))).toBe(refused);
  expect((await as(second, 'PUT', `/content/by-ref/${ref}`, { title: 'Changed' })).data.title).toBe('Changed');
});

describe('media', () => {
  const bring = async (key: string) => (await upload(site, await jpeg(), { key })).data.id as string;
  const replace = async (key: string, id: string) => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(await jpeg(32, 32))]), 'other.jpg');
    return request('POST', `/sites/${site.slug}/media/${id}/replace`, { key, raw: form });
  };
  const ways: [string, (key: string, id: string) => Promise<ApiReply>][] = [
    ['replace', replace],
    ['describe', (key, id) => as(key, 'PATCH', `/media/${id}`, { alt: 'Other words' })],
    ['undo a replacement', (key, id) => as(key, 'POST', `/media/${id}/undo-replacement`)],
    ['trash', (key, id) => as(key, 'DELETE', `/media/${id}`)],
    ['restore', (key, id) => as(key, 'POST', `/media/${id}/restore`)],
    ['trash', (key, id) => as(key, 'DELETE', `/media/${id}`)],
    ['purge', (key, id) => as(key, 'DELETE', `/media/${id}/purge`)],
  ];

  test('an author changes what they brought themselves, and nobody else but an editor does', async () => {
    const id = await bring(author);
    for (const [way, send] of ways)
      expect([way, await outcome(send(second, id)), await outcome(send(author, id))]).toEqual([way, refused, 200]);
    const another = await bring(author);
    expect(await outcome(as(editor, 'PATCH', `/media/${another}`, { alt: 'By an editor' }))).toBe(200);
  });

  // rule: threat.47
  test('that a live page shows are changed and trashed by editors only', async () => {
    const id = await bring(author);
    const members = { status: 'published', body_html: `<p><img src="media:${id}"></p>` };
    await create(editor, members);
    await publish(site);
    for (const [way, send] of ways.slice(0, 4)) expect([way, await outcome(send(author, id))]).toEqual([way, refused]);
    for (const [way, send] of ways.slice(0, 4)) expect([way, await outcome(send(editor, id))]).toEqual([way, 200]);
  });
});

describe('a resumable upload', () => {
  const encode = (text: string) => Buffer.from(text).toString('base64');
  const tus = (key: string, method: string, url: string, headers: Record<string, string> = {}, body?: Buffer) =>
    fetch(url, {
      method,
      headers: { 'Tus-Resumable': '1.0.0', 'X-API-Key': key, ...headers },
      body: body ? new Uint8Array(body) : null,
    });
  const begin = (key: string, length: number) =>
    tus(key, 'POST', `${stack.gateways[0]}/uploads`, {
      'Upload-Length': String(length),
      'Upload-Metadata': `site ${encode(site.slug)},filename ${encode('a.jpg')},alt ${encode('A circle')}`,
    });

  // rule: threat.47
  test('of an author goes on by that author alone, and the item is theirs', async () => {
    const bytes = await jpeg();
    const url = (await begin(author, bytes.length)).headers.get('location')!;
    const headers = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
    for (const method of ['HEAD', 'PATCH', 'DELETE'])
      expect((await tus(second, method, url, headers, method === 'PATCH' ? bytes : undefined)).status).toBe(403);
    const sent = await tus(author, 'PATCH', url, headers, bytes);
    expect(sent.status).toBe(204);
    const id = sent.headers.get('x-media-id')!;
    expect(await outcome(as(second, 'PATCH', `/media/${id}`, { alt: 'Taken' }))).toBe(refused);
    expect(await outcome(as(author, 'PATCH', `/media/${id}`, { alt: 'Mine' }))).toBe(200);
  });

  test('needs a role that may bring media', async () => {
    const viewer = await (await makeMember(site.slug, 'viewer')).makeKey();
    const begun = await begin(viewer, 10);
    expect([begun.status, ((await begun.json()) as ApiReply).error.code]).toEqual([403, 'role_insufficient']);
    const stranger = await (await makeMember((await makeSite()).slug, 'owner')).makeKey();
    const elsewhere = await begin(stranger, 10);
    expect([elsewhere.status, ((await elsewhere.json()) as ApiReply).error.code]).toEqual([403, 'site_not_allowed']);
  });
});

test('items that were there before roles are nobody’s own, and editors change them', async () => {
  const id = await create(site.key);
  expect(await outcome(as(author, 'PATCH', `/content/${id}`, { title: 'Taken' }))).toBe(refused);
  expect((await request('GET', `/sites/${site.slug}/content/${id}`, { key: author })).status).toBe(200);
  expect(await outcome(as(editor, 'PATCH', `/content/${id}`, { title: 'Edited' }))).toBe(200);
});
