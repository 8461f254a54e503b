import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, publish, type TestSite } from '../harness/api.ts';
import { startGatewayBehind } from '../harness/gateway-behind.ts';
import { makeIntegration, send, waitForDelivery } from '../harness/webhooks.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

describe('a database that is down', () => {
  // rule: threat.34
  test('503 with Retry-After in the envelope, without a word of the inside; it recovers by itself', async () => {
    await using gateway = await startGatewayBehind('DATABASE_URL', site);
    const { proxy, send } = gateway;
    expect((await send('GET', '/content')).status).toBe(200);
    proxy.cut();
    const refused = await send('GET', '/content');
    expect([refused.status, refused.json.success, refused.json.error.code]).toEqual([503, false, 'unavailable']);
    expect(refused.retryAfter).toBeGreaterThan(0);
    expect(refused.text).not.toMatch(/ECONN|127\.0\.0\.1|SELECT|\bat \//);
    proxy.restore();
    await eventually('requests are answered again', async () => (await send('GET', '/content')).status === 200);
  });

  // rule: reply.202, break.30
  test('a delivery that cannot be recorded is not accepted, and is new when it comes again', async () => {
    const integration = await makeIntegration(site, 'create_post');
    await using gateway = await startGatewayBehind('DATABASE_URL', site);
    const deliveryId = randomUUID();
    // unique bytes: bytes that are stored already need no store
    const deliver = () => send(integration, { title: deliveryId, body_html: 'x' }, { origin: gateway.url, deliveryId });
    gateway.proxy.cut();
    const refused = await deliver();
    expect([refused.status, refused.text]).toEqual([503, '']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    gateway.proxy.restore();
    await eventually('it is recorded', async () => (await deliver()).status === 202);
    expect((await waitForDelivery(integration, deliveryId)).status).toBe('succeeded');
  });
});

test('after all of that the site publishes', async () => {
  expect((await publish(site)).status).toBe('succeeded');
});
