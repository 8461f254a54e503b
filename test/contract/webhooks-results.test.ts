import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, stackDatabase, type TestSite } from '../harness/api.ts';
import { deliver, makeIntegration, send, waitForDelivery, waitForRetry } from '../harness/webhooks.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

test('the result of a delivery whose item was moved before it went live names where it is live', async () => {
  const integration = await makeIntegration(site, 'create_post');
  const { text: twig } = await site.request('GET', '/shell/file/post.twig');
  const put = (raw: string) => site.request('PUT', '/shell/file/post.twig', undefined, { raw });
  await put('{{ nothing( }}');
  const { deliveryId } = await send(integration, { title: 'To be moved', body_html: '' });
  const failed = await waitForRetry(integration, deliveryId);
  const { item } = failed.timeline.find(({ event }: { event: string }) => event === 'mapped');
  const moved = await site.request('PATCH', `/content/${item.id}`, { slug: 'moved-away' });
  expect(moved.status).toBe(200);
  await put(twig);
  await stackDatabase().query(
    "UPDATE deliveries SET next_attempt_at = now() WHERE id = $1 AND status = 'failed' AND next_attempt_at IS NOT NULL",
    [failed.id],
  );
  const { status, result } = await waitForDelivery(integration, deliveryId);
  expect(status).toBe('succeeded');
  expect(result).toMatchObject({
    url: moved.data.url,
    item: { id: item.id, slug: 'moved-away', trashed: false },
    action: 'created',
  });
  expect((await fetch(result.url)).status).toBe(200);
});

test('the time at which an article was published is no schedule', async () => {
  const integration = await makeIntegration(site, 'autoseo');
  const article = { id: 'timed', title: 'Timed', body_html: '', published_at: '2024-05-06T07:08:09Z' };
  const read = async ({ result }: { result: { item: { id: string } } }) =>
    (await site.request('GET', `/content/${result.item.id}`)).data;
  expect(await read(await deliver(integration, article))).toMatchObject({
    status: 'published',
    published_at: '2024-05-06T07:08:09Z',
    scheduled_at: null,
  });
  const coming = { ...article, id: 'coming', status: 'scheduled', published_at: '2099-05-06T07:08:09Z' };
  expect(await read(await deliver(integration, coming))).toMatchObject({
    status: 'scheduled',
    scheduled_at: '2099-05-06T07:08:09Z',
  });
});

test.each([[null], [''], [' \t']])('the slug %j is none: the title makes one, and the item keeps it', async (slug) => {
  const integration = await makeIntegration(site, 'create_post');
  const item = { title: `Without a slug ${JSON.stringify(slug).length}`, body_html: '', slug, source_ref: 'r' };
  const first = await deliver(integration, item);
  expect(first.result.item.slug).toMatch(/^without-a-slug-/);
  const again = await deliver(integration, { ...item, title: 'Another title' });
  expect(again.result.item.slug).toBe(first.result.item.slug);
});
