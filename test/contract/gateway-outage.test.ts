import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, publish, stack, type TestSite } from '../harness/api.ts';
import { startRole } from '../harness/role.ts';
import { startTcpProxy } from '../harness/tcp-proxy.ts';
import { makeIntegration, send, waitForDelivery } from '../harness/webhooks.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** A gateway whose way to one engine can be cut. */
async function gatewayBehind(setting: 'DATABASE_URL' | 'S3_ENDPOINT' | 'TEMPORAL_ADDRESS') {
  const address = stack.env[setting]!;
  const url = new URL(address.includes('://') ? address : `tcp://${address}`);
  const proxy = await startTcpProxy(url.hostname, Number(url.port));
  url.host = `127.0.0.1:${proxy.port}`;
  opened.push(async () => proxy[Symbol.asyncDispose]());
  const gateway = await startRole('gateway', {
    [setting]: address.includes('://') ? url.href.replace(/\/$/, '') : url.host,
  });
  opened.push(() => gateway.kill('SIGTERM'));
  const send = async (method: string, path: string, body?: string, type = 'application/json', idempotencyKey = '') => {
    const headers: Record<string, string> = { 'X-API-Key': site.key, 'Content-Type': type };
    if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey;
    const reply = await fetch(`${gateway.url}/api/v1/sites/${site.slug}${path}`, {
      method,
      headers,
      body: body ?? null,
    });
    const text = await reply.text();
    return {
      status: reply.status,
      retryAfter: Number(reply.headers.get('retry-after')),
      replayed: reply.headers.get('idempotency-replayed'),
      text,
      json: text ? JSON.parse(text) : null,
    };
  };
  return { proxy, send, url: gateway.url };
}

describe('an engine that is down', () => {
  test('database: 503 with Retry-After in the envelope, without a word of the inside; it recovers by itself', async () => {
    const { proxy, send } = await gatewayBehind('DATABASE_URL');
    expect((await send('GET', '/content')).status).toBe(200);
    proxy.cut();
    const refused = await send('GET', '/content');
    expect([refused.status, refused.json.success, refused.json.error.code]).toEqual([503, false, 'unavailable']);
    expect(refused.retryAfter).toBeGreaterThan(0);
    expect(refused.text).not.toMatch(/ECONN|127\.0\.0\.1|SELECT|\bat \//);
    proxy.mend();
    await eventually('requests are answered again', async () => (await send('GET', '/content')).status === 200);
  });

  test('object store: 503 for what needs bytes, 200 for what does not', async () => {
    const { proxy, send } = await gatewayBehind('S3_ENDPOINT');
    proxy.cut();
    const refused = await send('PUT', '/shell/file/css/outage.css', `body{margin:${Math.random()}px}`, 'text/css');
    expect([refused.status, refused.json.error.code]).toEqual([503, 'unavailable']);
    expect(refused.retryAfter).toBeGreaterThan(0);
    expect((await send('GET', '/content')).status).toBe(200);
    proxy.mend();
    await eventually('files are taken again', async () => {
      const written = await send('PUT', '/shell/file/css/outage.css', 'body{margin:0}', 'text/css');
      return written.status < 300;
    });
  });

  test('an idempotency key that was answered 503 is free for the real retry', async () => {
    const { proxy, send } = await gatewayBehind('S3_ENDPOINT');
    const key = randomUUID();
    const form = [
      '--b\r\nContent-Disposition: form-data; name="file"; filename="notes.txt"\r\n\r\n',
      `notes of ${key}\r\n--b--\r\n`,
    ].join('');
    const upload = () => send('POST', '/media', form, 'multipart/form-data; boundary=b', key);
    proxy.cut();
    expect((await upload()).status).toBe(503);
    proxy.mend();
    let reply = await upload();
    await eventually('the upload is taken', async () => {
      if (reply.status !== 201) reply = await upload();
      return reply.status === 201;
    });
    expect(reply.replayed).toBeNull();
    const again = await upload();
    expect([again.status, again.replayed, again.json.data.id]).toEqual([201, 'true', reply.json.data.id]);
  });

  test.each([
    ['database', 'DATABASE_URL', 'x'],
    ['object store, which holds large bodies', 'S3_ENDPOINT', 'x'.repeat(300 * 1024)],
  ] as const)(
    '%s: a delivery that cannot be recorded is not accepted, and is new when it comes again',
    async (_engine, setting, text) => {
      const integration = await makeIntegration(site, 'create_post');
      const { proxy, url: origin } = await gatewayBehind(setting);
      const deliveryId = randomUUID();
      // bytes of its own: those that the store has already need no store
      const deliver = () => send(integration, { title: deliveryId, body_html: text }, { origin, deliveryId });
      proxy.cut();
      const refused = await deliver();
      expect([refused.status, refused.text]).toEqual([503, '']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      proxy.mend();
      await eventually('it is recorded', async () => (await deliver()).status === 202);
      expect((await waitForDelivery(integration, deliveryId)).status).toBe('succeeded');
    },
  );

  test('workflow engine: a publish is answered 202 all the same, and done', async () => {
    const { proxy, send } = await gatewayBehind('TEMPORAL_ADDRESS');
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
});

test('after all of that the site publishes', async () => {
  expect((await publish(site)).status).toBe('succeeded');
});
