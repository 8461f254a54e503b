/** Holds the types of the client: the step `types` compiles this file. A `@ts-expect-error` without an error fails it. */
import { createClient, type Schemas } from '../../services/client/index.ts';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function expectTrue<T extends true>(): T;

const client = createClient({ url: 'http://localhost', key: 'fs_x' });
const site = 'demo';
const id = '4f9c2c52-6f0e-4a5b-9d0c-6a4f6f1b2c3d';

export async function records() {
  const { data } = await client.call('getContent', { site, id });
  expectTrue<Equal<typeof data, Schemas['Content']>>();
  expectTrue<Equal<typeof data.status, 'draft' | 'scheduled' | 'published' | 'archived'>>();
  // @ts-expect-error an unknown operation
  await client.call('getContents', { site, id });
  // @ts-expect-error a path parameter is missing
  await client.call('getContent', { site });
  // @ts-expect-error an unknown member
  await client.call('getContent', { site, id, headers: {} });
  // @ts-expect-error an unknown member of the record
  data.body;
  const removed = await client.call('deleteShellFile', { site, path: 'css/site.css' });
  expectTrue<Equal<typeof removed.data, null>>();
  const file = await client.call('readShellFile', { site, path: 'css/site.css' });
  expectTrue<Equal<typeof file.data, string>>();
}

export async function bodies() {
  await client.call('createContent', { site, body: { title: 'A', tags: ['b'], scheduled_at: null } });
  // @ts-expect-error a member is missing
  await client.call('createContent', { site, body: {} });
  // @ts-expect-error a member is misspelt
  await client.call('createContent', { site, body: { title: 'A', tag: ['b'] } });
  // @ts-expect-error a member has another type
  await client.call('createContent', { site, body: { title: 'A', tags: 'b' } });
  // @ts-expect-error a form is no content item
  await client.call('createContent', { site, body: new FormData() });
  // @ts-expect-error nor is text
  await client.call('createContent', { site, body: '{}' });
  // @ts-expect-error the body is missing
  await client.call('createContent', { site });
  // @ts-expect-error the operation has no body
  await client.call('getContent', { site, id, body: {} });
  await client.call('uploadMedia', { site, body: new FormData() });
  await client.call('writeShellFile', { site, path: 'a.css', body: new Uint8Array(2) });
  // @ts-expect-error a shell file is bytes
  await client.call('writeShellFile', { site, path: 'a.css', body: { text: 'a' } });
}

export async function queries() {
  await client.call('listContent', { site, query: { status: 'published', per_page: 5 } });
  await client.call('listContent', { site, query: { filter: { 'fields.region': 'north' } } });
  // @ts-expect-error a filter is text
  await client.call('listContent', { site, query: { filter: { 'fields.km': 12 } } });
  // @ts-expect-error an unknown parameter
  await client.call('listContent', { site, query: { state: 'published' } });
  // @ts-expect-error a parameter has other values
  await client.call('listContent', { site, query: { status: 'live' } });
  // @ts-expect-error the operation has no query
  await client.call('publishSite', { site, query: { page: 1 } });
}

export async function lists() {
  const { data } = await client.call('listContent', { site });
  expectTrue<Equal<typeof data, Schemas['Content'][]>>();
  for await (const redirect of client.list('listRedirects', { site }))
    expectTrue<Equal<typeof redirect, Schemas['Redirect']>>();
  for await (const page of client.pages('listMedia', { site, query: { per_page: 10 } })) {
    expectTrue<Equal<typeof page.data, Schemas['Media'][]>>();
    expectTrue<Equal<typeof page.pagination.total, number>>();
  }
  // @ts-expect-error not a list
  client.list('getContent', { site, id });
}

export async function fields() {
  const { data } = await client.call('getContent', { site, id, query: { fields: ['title', 'url'] } });
  expectTrue<Equal<typeof data.title, string>>();
  expectTrue<Equal<typeof data.id, string>>();
  // @ts-expect-error left out by `fields`
  data.slug;
  // @ts-expect-error an unknown field
  await client.call('getContent', { site, id, query: { fields: ['titel'] } });
  const names: ('title' | 'slug')[] = ['title'];
  const some = await client.call('getContent', { site, id, query: { fields: names } });
  expectTrue<Equal<typeof some.data.slug, string | undefined>>();
  for await (const item of client.list('listContent', { site, query: { fields: ['slug'] } })) {
    expectTrue<Equal<typeof item.slug, string>>();
    // @ts-expect-error left out by `fields`
    item.title;
  }
}
