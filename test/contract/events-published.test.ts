import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, publish, stackDatabase, type TestSite, waitForJob } from '../harness/api.ts';
import { allEvents, makeEndpoint, type Received, startReceiver, type TestReceiver, verify } from '../harness/events.ts';
import { makeIntegration, send, waitForDelivery } from '../harness/webhooks.ts';
import { createItem } from '../workflows/helpers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
type Any = any;

let receiver: TestReceiver;
let site: TestSite;
let endpoint: Any;
beforeAll(async () => {
  receiver = await startReceiver();
  site = await makeSite();
  endpoint = await makeEndpoint(site, receiver.url);
});
afterAll(async () => {
  await receiver.close();
  await closeStack();
});

const ofType = (type: string) => receiver.received.filter(({ payload }) => payload.type === type);

/** Waits for `count` messages of a type whose data this function accepts. */
function waitFor(type: string, accepts: (data: Any) => boolean, count = 1): Promise<Received[]> {
  return eventually(`${count} events ${type}`, async () => {
    const found = ofType(type).filter(({ payload }) => accepts(payload.data));
    return found.length >= count ? found : undefined;
  });
}

test('a publish is told with its release, and each item that the live site shows for the first time', async () => {
  const post = await createItem(site, { title: 'First', status: 'published' });
  const page = await createItem(site, { title: 'About', type: 'page', status: 'published' });
  await createItem(site, { title: 'Draft', status: 'draft' });
  const job = await publish(site);
  const { release, url, pages } = job.result;
  const [published] = await waitFor('site.published', (data) => data.release === release);
  verify(endpoint.secret, published!);
  expect(published!.payload).toEqual({
    type: 'site.published',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    data: {
      site: { id: site.id, slug: site.slug },
      release,
      url,
      pages,
      added: expect.arrayContaining([url, post.url, page.url, `${url}feed.xml`, `${url}sitemap.xml`]),
      changed: [],
      removed: [],
      truncated: false,
    },
  });
  const shown = await waitFor('content.published', (data) => data.release === release, 2);
  expect(shown.map(({ payload }) => payload.data.content).sort((a, b) => a.slug.localeCompare(b.slug))).toEqual(
    [page, post].map(({ id, type, slug, locale, url: at }) => ({ id, type, slug, locale, url: at })),
  );
  for (const message of shown) verify(endpoint.secret, message);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
});

// rule: beyond.12
test('what was live already is not told again; what comes back is', async () => {
  const item = await createItem(site, { title: 'Comes and goes', status: 'published' });
  const first = await publish(site);
  await waitFor('content.published', (data) => data.release === first.result.release);
  await site.request('PATCH', `/content/${item.id}`, { title: 'Changed', slug: 'moved' });
  const second = await publish(site);
  await site.request('PATCH', `/content/${item.id}`, { status: 'draft' });
  const third = await publish(site);
  await site.request('PATCH', `/content/${item.id}`, { status: 'published' });
  const fourth = await publish(site);
  const [back] = await waitFor('content.published', (data) => data.release === fourth.result.release);
  expect(back!.payload.data.content).toMatchObject({ id: item.id, slug: 'moved' });
  await waitFor('site.published', (data) => data.release === third.result.release);
  const releases = ofType('content.published').map(({ payload }) => payload.data.release);
  expect(releases).not.toContain(second.result.release);
  expect(releases).not.toContain(third.result.release);
});

test('a rollback is told as the publish that it is', async () => {
  const before = (await publish(site)).result.release;
  const item = await createItem(site, { title: 'Rolled back', status: 'published' });
  const after = (await publish(site)).result.release;
  await waitFor('content.published', (data) => data.content.id === item.id);
  const seen = ofType('site.published').length;
  expect((await site.request('POST', `/releases/${before}/rollback`)).status).toBe(200);
  await waitFor('site.published', () => true, seen + 1);
  expect((await site.request('POST', `/releases/${after}/rollback`)).status).toBe(200);
  const [, again] = await waitFor('content.published', (data) => data.content.id === item.id, 2);
  expect(again!.payload.data.release).toBe(after);
});

// rule: beyond.14
test('jobs that fail are told with the cause, deliveries that used up their attempts too', async () => {
  const broken = await makeSite();
  const own = await makeEndpoint(broken, receiver.url, { events: ['job.failed', 'delivery.failed'] });
  await broken.request('PUT', '/shell/file/post.twig', undefined, { raw: '{{ nothing(' });
  await createItem(broken, { title: 'Post', status: 'published' });
  const { data } = await broken.request('POST', '/publish');
  const job = await waitForJob(broken.key, data.job);
  expect(job.status).toBe('failed');
  const [failed] = await waitFor('job.failed', (told) => told.job === job.uuid);
  verify(own.secret, failed!);
  expect(failed!.payload.data).toEqual({
    site: { id: broken.id, slug: broken.slug },
    job: job.uuid,
    kind: 'publish',
    error: job.error.message,
  });

  const integration = await makeIntegration(broken, 'create_post');
  const unmapped = await send(integration, { title: 'x', body_html: '', status: 'scheduled' });
  const unbuilt = await send(integration, { title: 'y', body_html: '' });
  for (const { deliveryId } of [unmapped, unbuilt]) {
    const delivery = await waitForDelivery(integration, deliveryId);
    const [told] = await waitFor('delivery.failed', ({ delivery: { id } }) => id === delivery.id);
    expect(told!.payload.data).toEqual({
      site: { id: broken.id, slug: broken.slug },
      integration: { id: integration.id, slug: integration.slug },
      delivery: { id: delivery.id, delivery_id: deliveryId, attempts: delivery.attempts, error: delivery.error },
    });
  }
  // only at the end, not after each attempt
  const { data: events } = await broken.request('GET', '/events?type=delivery.failed');
  expect(events).toHaveLength(2);
});

test('only what an endpoint asked for is recorded, nothing while it is disabled, and nothing of other sites', async () => {
  const own = await makeSite();
  const narrow = await makeEndpoint(own, receiver.url, { events: ['content.published'] });
  const disabled = await makeEndpoint(own, receiver.url, { enabled: false });
  await createItem(own, { title: 'One', status: 'published' });
  await publish(own);
  const { data, json } = await own.request('GET', '/events');
  expect(data.map(({ endpoint: id, type }: Any) => [id, type])).toEqual([[narrow.id, 'content.published']]);
  expect(json.pagination.total).toBe(1);
  expect((await own.request('GET', `/events?endpoint=${disabled.id}`)).data).toEqual([]);
});

test('events are recorded in the transaction of what they tell: a first publish of many items is whole', async () => {
  const own = await makeSite();
  const { id } = await makeEndpoint(own, receiver.url, { events: allEvents });
  const items = Array.from({ length: 60 }, (_, n) => ({ title: `Item ${n}`, status: 'published' }));
  await own.request('POST', '/content/batch', { items });
  const { result } = await publish(own);
  const db = stackDatabase();
  const rows = await db.query<{ type: string }>('SELECT type FROM events WHERE endpoint_id = $1', [id]);
  expect(rows.filter(({ type }) => type === 'content.published')).toHaveLength(60);
  const told = await waitFor('content.published', (data) => data.release === result.release, 60);
  expect(new Set(told.map(({ payload }) => payload.data.content.id)).size).toBe(60);
});
