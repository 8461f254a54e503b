import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { closeStack, makeSite, nextGateway, publish, type TestSite } from '../harness/api.ts';
import { runCli } from '../harness/cli.ts';
import { allEvents, makeEndpoint, startReceiver, type TestReceiver } from '../harness/events.ts';
import { jpeg, upload, waitForFormat } from '../harness/media.ts';
import { createItem, writeShell } from '../workflows/helpers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
type Any = any;

let receiver: TestReceiver;
let site: TestSite;
beforeAll(async () => {
  receiver = await startReceiver();
  site = await listenTo(await makeSite());
});
afterAll(async () => {
  await receiver.close();
  await closeStack();
});

/** Events are read from the service, which records them with the change; that they arrive is tested elsewhere. */
async function listenTo(one: TestSite, events: readonly string[] = allEvents): Promise<TestSite> {
  await makeEndpoint(one, receiver.url, { events });
  return one;
}

async function readEvents(of: TestSite, query = ''): Promise<Any[]> {
  const { status, data } = await of.request('GET', `/events?per_page=100${query}`);
  expect(status).toBe(200);
  return data.map(({ payload }: Any) => payload);
}

/** What a release meant: the ids of items by type of event, and the lists of URLs. */
async function changesBy(release: string, of = site): Promise<Any> {
  const told = (await readEvents(of)).filter(({ data }) => data.release === release);
  const items = (type: string) => told.filter((one) => one.type === type).map(({ data }) => data.content.id);
  const [published] = told.filter(({ type }) => type === 'site.published');
  const kinds = { published: 'content.published', updated: 'content.updated', unpublished: 'content.unpublished' };
  return {
    ...Object.fromEntries(Object.entries(kinds).map(([name, type]) => [name, items(type).sort()])),
    site: published.data,
  };
}

const releaseOf = async (of = site): Promise<string> => (await publish(of)).result.release;

// rule: beyond.12
test('a stored change of a live item is content.updated when it goes live, and lists the URLs that it changed', async () => {
  const item = await createItem(site, { title: 'Weather', body_html: '<p>Rain</p>' });
  const other = await createItem(site, { title: 'Untouched' });
  await releaseOf();
  await site.request('PATCH', `/content/${item.id}`, { body_html: '<p>Sun</p>' });
  const changed = await changesBy(await releaseOf());
  expect(changed).toMatchObject({ published: [], updated: [item.id], unpublished: [] });
  expect(changed.site).toMatchObject({ added: [], removed: [], truncated: false });
  expect(changed.site.changed).toContain(item.url);
  expect(changed.site.changed).not.toContain(other.url);
});

// rule: beyond.13
test('an item with another slug has moved: content.updated with its new URL, one added and one removed', async () => {
  const item = await createItem(site, { title: 'Old name' });
  await releaseOf();
  const { data: moved } = await site.request('PATCH', `/content/${item.id}`, { slug: 'new-name' });
  const release = await releaseOf();
  const changed = await changesBy(release);
  expect(changed).toMatchObject({ published: [], updated: [item.id], unpublished: [] });
  expect(changed.site.added).toEqual([moved.url]);
  expect(changed.site.removed).toEqual([item.url]);
  const [told] = (await readEvents(site, '&type=content.updated')).filter(({ data }) => data.release === release);
  expect(told.data.content).toEqual({ id: item.id, type: 'post', slug: 'new-name', locale: 'en', url: moved.url });
});

// rule: beyond.12
test('an update that leaves the page as it is, and a publish of nothing new, report no item', async () => {
  const item = await createItem(site, { title: 'Same', source_ref: 'same-1' });
  await releaseOf();
  await site.request('PATCH', `/content/${item.id}`, { source_ref: 'same-2' });
  const changed = await changesBy(await releaseOf());
  expect(changed).toMatchObject({ published: [], updated: [], unpublished: [] });
  const again = await changesBy(await releaseOf());
  expect(again).toMatchObject({ published: [], updated: [], unpublished: [] });
  expect(again.site).toMatchObject({ added: [], changed: [], removed: [] });
});

test('a template changes the pages that it makes, and is no change of an item', async () => {
  const own = await listenTo(await makeSite());
  const item = await createItem(own, { title: 'Framed' });
  await releaseOf(own);
  await writeShell(own, 'post.twig', '<!doctype html><html><body>{{ page.title }}!</body></html>');
  const changed = await changesBy(await releaseOf(own), own);
  expect(changed).toMatchObject({ published: [], updated: [], unpublished: [] });
  expect(changed.site.changed).toEqual([item.url]);
});

// rule: beyond.12
test('an item that is unpublished, trashed or purged is content.unpublished once it is gone, with the URL that it had', async () => {
  const items = await Promise.all(['Draft', 'Trash', 'Purge'].map((title) => createItem(site, { title })));
  const ids = items.map(({ id }) => id).sort();
  await releaseOf();
  const [draft, trash, purge] = items;
  await site.request('PATCH', `/content/${draft.id}`, { status: 'draft' });
  await site.request('DELETE', `/content/${trash.id}`);
  await site.request('DELETE', `/content/${purge.id}`);
  expect((await site.request('DELETE', `/content/${purge.id}/purge`)).status).toBe(200);
  const before = await readEvents(site, '&type=content.unpublished');
  expect(before.filter(({ data }) => ids.includes(data.content.id))).toEqual([]);
  const release = await releaseOf();
  const changed = await changesBy(release);
  expect(changed).toMatchObject({ published: [], updated: [], unpublished: ids });
  expect(changed.site.removed.sort()).toEqual(items.map(({ url }) => url).sort());
  const told = (await readEvents(site, '&type=content.unpublished')).filter(({ data }) => data.release === release);
  expect(told.map(({ data }) => data.content.url).sort()).toEqual(items.map(({ url }) => url).sort());
});

// rule: beyond.12
test('a rollback reports what it changes: items come back, change back and go', async () => {
  const stays = await createItem(site, { title: 'Stays', body_html: '<p>one</p>' });
  const goes = await createItem(site, { title: 'Goes' });
  const first = await releaseOf();
  await site.request('PATCH', `/content/${stays.id}`, { body_html: '<p>two</p>' });
  await site.request('PATCH', `/content/${goes.id}`, { status: 'archived' });
  const comes = await createItem(site, { title: 'Comes' });
  const second = await releaseOf();
  expect(await changesBy(second)).toMatchObject({
    published: [comes.id],
    updated: [stays.id],
    unpublished: [goes.id],
  });
  expect((await site.request('POST', `/releases/${first}/rollback`)).status).toBe(200);
  const { data: events } = await site.request('GET', '/events?per_page=100');
  const from = events.findIndex(
    ({ payload }: Any) => payload.type === 'site.published' && payload.data.release === second,
  );
  const back = events
    .slice(0, from)
    .map(({ payload }: Any) => payload)
    .filter(({ data }: Any) => data.release === first);
  const ids = (type: string) => back.filter((one: Any) => one.type === type).map(({ data }: Any) => data.content.id);
  expect([ids('content.published'), ids('content.updated'), ids('content.unpublished')]).toEqual([
    [goes.id],
    [stays.id],
    [comes.id],
  ]);
});

// rule: beyond.12
test('a restored backup reports what it brings back, changes back and takes away', async () => {
  const own = await listenTo(await makeSite());
  const [kept, lost] = await Promise.all(['Kept', 'Lost'].map((title) => createItem(own, { title })));
  await releaseOf(own);
  const backup = await runCli('backups', 'create', own.slug, '--json');
  await own.request('PATCH', `/content/${kept.id}`, { title: 'Kept and changed' });
  await own.request('DELETE', `/content/${lost.id}`);
  await own.request('DELETE', `/content/${lost.id}/purge`);
  const later = await createItem(own, { title: 'Later' });
  await releaseOf(own);
  expect((await runCli('backups', 'restore', JSON.parse(backup.stdout).id)).code).toBe(0);
  const [newest] = await readEvents(own, '&type=site.published');
  expect(await changesBy(newest.data.release, own)).toMatchObject({
    published: [lost.id],
    updated: [kept.id],
    unpublished: [later.id],
  });
});

test('a language that is removed takes its pages along', async () => {
  const own = await listenTo(await makeSite());
  await own.request('POST', '/languages', { locale: 'fr' });
  const item = await createItem(own, { title: 'Bonjour', locale: 'fr' });
  expect(await changesBy(await releaseOf(own), own)).toMatchObject({ published: [item.id] });
  await own.request('DELETE', '/languages/fr');
  expect(await changesBy(await releaseOf(own), own)).toMatchObject({
    published: [],
    updated: [],
    unpublished: [item.id],
  });
});

test('a redirect in the place of a page changes its URL', async () => {
  const own = await listenTo(await makeSite());
  const item = await createItem(own, { title: 'Here' });
  await releaseOf(own);
  await own.request('POST', '/redirects', { from: '/posts/here/', to: '/' });
  await own.request('POST', '/redirects', { from: '/elsewhere/', to: '/' });
  const { site: told } = await changesBy(await releaseOf(own), own);
  expect(told).toMatchObject({ changed: [item.url], removed: [] });
  expect(told.added).toEqual([`${told.url}elsewhere/`]);
});

// rule: beyond.13
test('lists of more than 1,000 URLs are cut, and say so', async () => {
  const own = await listenTo(await makeSite(), ['site.published']);
  for (let batch = 0; batch < 11; batch++) {
    const items = Array.from({ length: 100 }, (_, n) => ({ title: `Item ${batch} ${n}`, status: 'published' }));
    expect((await own.request('POST', '/content/batch', { items })).status).toBe(200);
  }
  const { added, changed, removed, truncated, pages } = (await changesBy(await releaseOf(own), own)).site;
  expect(pages).toBeGreaterThan(1100);
  expect([added.length, changed, removed, truncated]).toEqual([1000, [], [], true]);
});

// rule: beyond.14
test('media.ready is recorded once, at once for a file and after processing for an image', async () => {
  const own = await listenTo(await makeSite(), ['media.ready']);
  const { data: file } = await upload(own, Buffer.from('plain text'), { filename: 'notes.txt' });
  expect(file.status).toBe('ready');
  const media = ({ id, kind, filename }: Any) => ({ id, kind, filename });
  expect((await readEvents(own)).map(({ data }) => data.media)).toEqual([media(file)]);
  const { data: image } = await upload(own, await jpeg(), { fields: { alt: 'A picture' } });
  await waitForFormat(own, image.id, 'avif');
  expect((await readEvents(own)).map(({ data }) => data.media)).toEqual([media(image), media(file)]);
});

// rule: beyond.21
test('every event matches its schema in the webhooks of the OpenAPI document', async () => {
  await site.request('POST', `/event-endpoints/${(await site.request('GET', '/event-endpoints')).data[0].id}/test`);
  const document: Any = await (await fetch(`${nextGateway()}/openapi.json`)).json();
  expect(Object.keys(document.webhooks)).toEqual([...allEvents, 'endpoint.test']);
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', ...document });
  const { data: events } = await site.request('GET', '/events?per_page=100');
  const kinds = new Set(events.map(({ type }: Any) => type));
  expect([...kinds]).toEqual(expect.arrayContaining(['content.updated', 'content.unpublished', 'endpoint.test']));
  for (const { type, payload } of events) {
    const { $ref } = document.webhooks[type].post.requestBody.content['application/json'].schema;
    const validate = ajv.compile({ $ref: `document${$ref}` });
    expect([validate(payload), validate.errors]).toEqual([true, null]);
  }
});
