import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, type TestSite } from '../harness/api.ts';
import { findDelivery, makeIntegration, type SendOptions, send, waitForDelivery } from '../harness/webhooks.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const payload = { title: 'T', body_html: '' };

// rule: event.1, reply.401, break.29
describe('a delivery that is refused leaves no record and does not use up its id', () => {
  test.each<[string, number, SendOptions, unknown?]>([
    ['without a signature', 401, { signature: null }],
    ['with the signature of another secret', 401, { secret: 'wrong' }],
    ['with a signature that is too old', 401, { nowMs: Date.now() - 400_000 }],
    ['with a signature of what it does not say', 401, { signature: 'signed' }],
    ['larger than 4 MiB', 413, {}, Buffer.alloc(4 * 1024 * 1024 + 1, 0x20)],
  ])('%s', async (_name, status, options, body = payload) => {
    const integration = await makeIntegration(site, 'create_post');
    const deliveryId = randomUUID();
    expect((await send(integration, body, { deliveryId, ...options })).status).toBe(status);
    const { json } = await site.request('GET', `/webhooks/${integration.id}/deliveries`);
    expect(json.pagination.total).toBe(0);
    expect((await send(integration, payload, { deliveryId })).status).toBe(202);
    expect((await waitForDelivery(integration, deliveryId)).status).toBe('succeeded');
  });

  // rule: reply.404
  test('while its integration is disabled', async () => {
    const integration = await makeIntegration(site, 'create_post', { enabled: false });
    const deliveryId = randomUUID();
    expect((await send(integration, payload, { deliveryId })).status).toBe(404);
    // nothing else distinguishes it from one that does not exist
    const large = Buffer.alloc(4 * 1024 * 1024 + 1, 0x20);
    for (const refused of [
      await send(integration, payload, { signature: null }),
      await send(integration, payload, { deliveryId: null }),
      await send(integration, large),
    ])
      expect([refused.status, refused.text]).toEqual([404, '']);
    await site.request('PATCH', `/webhooks/${integration.id}`, { enabled: true });
    expect((await send(integration, payload, { deliveryId })).status).toBe(202);
  });
});

// rule: event.3, break.30
test.each([
  ['skipped', '{'],
  ['failed', { ...payload, status: 'nope' }],
])('the id of a delivery that was %s stays known, and nothing is done again', async (status, body) => {
  const integration = await makeIntegration(site, 'create_post');
  const { deliveryId } = await send(integration, body);
  const before = await waitForDelivery(integration, deliveryId);
  expect(before.status).toBe(status);
  for (const gateway of [0, 1])
    for (const sent of [body, payload])
      expect((await send(integration, sent, { deliveryId, gateway })).status).toBe(200);
  expect(await findDelivery(integration, deliveryId)).toEqual(before);
});
