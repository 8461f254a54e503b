import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, publish, stack, type TestSite } from '../harness/api.ts';
import { startGatewayBehind } from '../harness/gateway-behind.ts';
import { makeIntegration, send, waitForDelivery } from '../harness/webhooks.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

describe('an object store that is down', () => {
  test('503 for what needs bytes, 200 for what does not', async () => {
    await using gateway = await startGatewayBehind('S3_ENDPOINT', site);
    const { proxy, send } = gateway;
    proxy.cut();
    const refused = await send('PUT', '/shell/file/css/outage.css', `body{margin:${Math.random()}px}`, 'text/css');
    expect([refused.status, refused.json.error.code]).toEqual([503, 'unavailable']);
    expect(refused.retryAfter).toBeGreaterThan(0);
    expect((await send('GET', '/content')).status).toBe(200);
    proxy.restore();
    await eventually('files are taken again', async () => {
      const written = await send('PUT', '/shell/file/css/outage.css', 'body{margin:0}', 'text/css');
      return written.status < 300;
    });
  });

  // rule: idempotency.5
  test('an idempotency key that was answered 503 is free for the real retry', async () => {
    await using gateway = await startGatewayBehind('S3_ENDPOINT', site);
    const { proxy, send } = gateway;
    const key = randomUUID();
    const form = [
      '--b\r\nContent-Disposition: form-data; name="file"; filename="notes.txt"\r\n\r\n',
      `notes of ${key}\r\n--b--\r\n`,
    ].join('');
    const upload = () => send('POST', '/media', form, 'multipart/form-data; boundary=b', key);
    proxy.cut();
    expect((await upload()).status).toBe(503);
    proxy.restore();
    let reply = await upload();
    await eventually('the upload is taken', async () => {
      if (reply.status !== 201) reply = await upload();
      return reply.status === 201;
    });
    expect(reply.replayed).toBeNull();
    const again = await upload();
    expect([again.status, again.replayed, again.json.data.id]).toEqual([201, 'true', reply.json.data.id]);
  });

  test('large bodies: a delivery that cannot be recorded is not accepted, and is new when it comes again', async () => {
    const integration = await makeIntegration(site, 'create_post');
    await using gateway = await startGatewayBehind('S3_ENDPOINT', site);
    const deliveryId = randomUUID();
    // unique bytes: bytes that are stored already need no store
    const deliver = () =>
      send(integration, { title: deliveryId, body_html: 'x'.repeat(300 * 1024) }, { origin: gateway.url, deliveryId });
    gateway.proxy.cut();
    const refused = await deliver();
    expect([refused.status, refused.text]).toEqual([503, '']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    gateway.proxy.restore();
    await eventually('it is recorded', async () => (await deliver()).status === 202);
    expect((await waitForDelivery(integration, deliveryId)).status).toBe('succeeded');
  });
});

test('without Temporal a publish is answered 202 all the same, and done', async () => {
  await using gateway = await startGatewayBehind('TEMPORAL_ADDRESS', site);
  const { proxy, send } = gateway;
  proxy.cut();
  const { status, json } = await send('POST', '/publish');
  expect(status).toBe(202);
  await eventually('the job is done', async () => {
    const reply = await fetch(`${stack.gateways[0]}/api/v1/jobs/${json.data.job}`, {
      headers: { 'X-API-Key': site.key },
    });
    return ((await reply.json()) as { data: { status: string } }).data.status === 'succeeded';
  });
});

test('after all of that the site publishes', async () => {
  expect((await publish(site)).status).toBe('succeeded');
});
