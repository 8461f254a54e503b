import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, type TestSite } from '../harness/api.ts';
import { type DashboardClient, signInByLink } from '../harness/dashboard.ts';
import { makeMember } from '../harness/people.ts';
import { deliver, makeIntegration, type TestIntegration } from '../harness/webhooks.ts';

let site: TestSite;
let integration: TestIntegration;
let viewer: DashboardClient;
beforeAll(async () => {
  site = await makeSite();
  integration = await makeIntegration(site, 'create_post');
  viewer = await signInByLink((await makeMember(site.slug, 'viewer')).id);
});
afterAll(closeStack);

const forecast = (delivery: string) =>
  viewer.call('GET', `/sites/${site.slug}/webhooks/${integration.id}/deliveries/${delivery}/forecast`);

test('says which members a replay would change, and changes nothing', async () => {
  const article = { source_ref: 'tide', body_html: '<p>x</p>' };
  const first = await deliver(integration, { ...article, title: 'First' });
  await deliver(integration, { ...article, title: 'Second' });
  const { status, data } = await forecast(first.id);
  expect([status, data.would, data.changes.title]).toEqual([200, 'update', { from: 'Second', to: 'First' }]);
  const { data: items } = await site.request('GET', '/content');
  expect(items.map(({ title }: { title: string }) => title)).toEqual(['Second']);
});

test('says why a delivery would be skipped', async () => {
  const { id } = await deliver(integration, { body_html: '<p>without title</p>' });
  const { data } = await forecast(id);
  expect([data.would, data.reason]).toEqual(['skip', expect.stringContaining('title')]);
});

test('is 404 for a delivery of another integration', async () => {
  const other = await makeIntegration(site, 'create_post');
  const { id } = await deliver(other, { title: 'Other', body_html: '' });
  for (const delivery of [id, randomUUID(), 'x']) expect((await forecast(delivery)).status).toBe(404);
});
