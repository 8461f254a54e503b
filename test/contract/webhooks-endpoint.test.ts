import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signBody } from '../../services/features/inbound/signature.ts';
import { closeStack, makeSite, stack, stackDatabase } from '../harness/api.ts';
import { findDelivery, makeIntegration, send, type TestIntegration, waitForDelivery } from '../harness/webhooks.ts';

let integration: TestIntegration;
const payload = { title: 'T', body_html: '' };
const fourMebibytes = 4 * 1024 * 1024;

beforeAll(async () => {
  integration = await makeIntegration(await makeSite(), 'create_post');
});
afterAll(closeStack);

const countRecords = async (deliveryId: string) =>
  (await stackDatabase().query('SELECT id FROM deliveries WHERE delivery_id = $1', [deliveryId])).length;

/** Sends a request through a socket, because `fetch` joins repeated headers itself. */
function sendRaw(headers: string[], body: Buffer): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(stack.gateways[0]!);
  return new Promise((resolve, reject) => {
    const req = httpRequest(
      {
        hostname,
        port,
        method: 'POST',
        path: `/webhooks/${integration.slug}`,
        headers: ['Host', `${hostname}:${port}`, ...headers],
      },
      (res) => {
        let text = '';
        res.on('data', (chunk) => {
          text += chunk;
        });
        res.on('end', () => resolve({ status: res.statusCode!, text }));
      },
    );
    req.on('error', reject);
    req.end(body);
  });
}

// rule: service.2, state.13, endpoint.43, reply.202, reply.200
test('a signed delivery is 202 with an empty body, and its id again is 200', async () => {
  const first = await send(integration, payload);
  expect([first.status, first.text]).toEqual([202, '']);
  const again = await send(integration, payload, { deliveryId: first.deliveryId });
  expect([again.status, again.text]).toEqual([200, '']);
  expect(await countRecords(first.deliveryId)).toBe(1);
});

// rule: state.14, event.3, break.22, break.30
test('a known id changes nothing, whatever comes with it', async () => {
  const { deliveryId } = await send(integration, payload);
  const before = await waitForDelivery(integration, deliveryId);
  for (const body of [payload, { title: 'Another', body_html: '<p>x</p>' }, 'x'.repeat(300 * 1024)])
    for (const gateway of [0, 1]) expect((await send(integration, body, { deliveryId, gateway })).status).toBe(200);
  expect(await findDelivery(integration, deliveryId)).toEqual(before);
});

// rule: event.3
test('an id known for one integration is new for another', async () => {
  const other = await makeIntegration(integration.site, 'create_post');
  const { deliveryId } = await send(integration, payload);
  expect((await send(other, payload, { deliveryId })).status).toBe(202);
});

// rule: state.14, event.3, break.11, threat.10
test('fifty deliveries with one id at once, on two gateways, make one record', async () => {
  const deliveryId = randomUUID();
  const replies = await Promise.all(Array.from({ length: 50 }, () => send(integration, payload, { deliveryId })));
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array(49).fill(200), 202]);
  expect(await countRecords(deliveryId)).toBe(1);
});

describe('404', () => {
  // rule: reply.404
  test.each(['nobody', 'UPPER', '%00', '%2e%2e', 'ä', '%ff'])('for the slug %s', async (slug) => {
    const { status } = await send({ slug, secret: 'x' }, payload);
    expect(status).toBe(404);
  });
  // rule: resource.13, reply.404, break.21
  test('for a disabled integration at once, and no longer once it is enabled', async () => {
    const off = await makeIntegration(integration.site, 'create_post');
    for (const [enabled, status] of [
      [false, 404],
      [true, 202],
      [false, 404],
    ] as const) {
      expect((await integration.site.request('PATCH', `/webhooks/${off.id}`, { enabled })).status).toBe(200);
      for (const gateway of [0, 1]) expect((await send(off, payload, { gateway })).status).toBe(status);
    }
    // nothing else distinguishes it from one that never existed
    for (const options of [{ signature: null }, { secret: 'wrong' }, { deliveryId: null }])
      expect((await send(off, payload, options)).status).toBe(404);
    expect((await send(off, Buffer.alloc(fourMebibytes + 1, 0x20))).status).toBe(404);
  });
  test('for a deleted integration', async () => {
    const gone = await makeIntegration(integration.site, 'create_post');
    await integration.site.request('DELETE', `/webhooks/${gone.id}`);
    expect((await send(gone, payload)).status).toBe(404);
  });
});

describe('the order of checks', () => {
  const large = Buffer.alloc(fourMebibytes + 1, 0x20);
  const none = { signature: null, deliveryId: null };
  test('an unknown integration comes before everything', async () => {
    expect((await send({ slug: 'nobody', secret: 'x' }, large, none)).status).toBe(404);
  });
  test('then the size', async () => {
    expect((await send(integration, large, none)).status).toBe(413);
  });
  // rule: event.1, reply.401, break.29
  test('then the signature', async () => {
    expect((await send(integration, payload, none)).status).toBe(401);
    const { deliveryId } = await send(integration, payload);
    expect((await send(integration, payload, { deliveryId, secret: 'wrong' })).status).toBe(401);
  });
  // rule: reply.400
  test('then the delivery id', async () => {
    expect((await send(integration, payload, { deliveryId: null })).status).toBe(400);
  });
  // rule: endpoint.43, break.30
  test('every refusal has an empty body', async () => {
    for (const sent of [
      await send(integration, large),
      await send(integration, payload, none),
      await send(integration, payload, { deliveryId: null }),
    ]) {
      expect(sent.text).toBe('');
    }
  });
});

test('a body of exactly 4 MiB is accepted, one byte more is not, whether its length is announced or not', async () => {
  const body = Buffer.alloc(fourMebibytes, 0x20);
  expect((await send(integration, body)).status).toBe(202);
  const chunked = (bytes: Buffer) =>
    sendRaw(
      [
        'Transfer-Encoding',
        'chunked',
        'X-Delivery-Id',
        randomUUID(),
        'X-Service-Signature',
        signBody(integration.secret, bytes),
      ],
      bytes,
    );
  expect((await chunked(body)).status).toBe(202);
  expect((await chunked(Buffer.alloc(fourMebibytes + 1, 0x20))).status).toBe(413);
});

describe('the signature', () => {
  const at = (offset: number) => ({ nowMs: Date.now() + offset * 1000 });
  // rule: event.2, limit.8, break.7, break.29
  test.each([
    [-290, 202],
    [290, 202],
    [-310, 401],
    [310, 401],
  ])('made %d seconds from now: %d', async (offset, status) => {
    expect((await send(integration, payload, at(offset))).status).toBe(status);
  });
  // rule: event.1, event.4, threat.11
  test('is over the bytes as they were sent: other white space breaks it', async () => {
    const signature = signBody(integration.secret, Buffer.from('{"title":"T"}'));
    expect((await send(integration, '{"title": "T"}', { signature })).status).toBe(401);
  });
  // rule: event.4
  test('is over the compressed bytes when the body is compressed', async () => {
    const packed = gzipSync(JSON.stringify(payload));
    const headers = { 'Content-Encoding': 'gzip' };
    expect((await send(integration, packed, { headers })).status).toBe(202);
    const signature = signBody(integration.secret, Buffer.from(JSON.stringify(payload)));
    expect((await send(integration, packed, { headers, signature })).status).toBe(401);
  });
  // rule: reply.401
  test('sent in two headers is refused', async () => {
    const body = Buffer.from('{}');
    const signature = signBody(integration.secret, body);
    const { status } = await sendRaw(
      ['X-Delivery-Id', 'a', 'X-Service-Signature', signature, 'X-Service-Signature', signature],
      body,
    );
    expect(status).toBe(401);
  });
});

// rule: reply.400
describe('the delivery id', () => {
  test.each([
    ['one character', '!', 202],
    ['255 characters', 'x'.repeat(255), 202],
    ['256 characters', 'x'.repeat(256), 400],
    ['nothing', '', 400],
    ['a space inside', 'a b', 400],
  ])('of %s', async (_name, id, status) => {
    const fresh = await makeIntegration(integration.site, 'create_post');
    expect((await send(fresh, payload, { deliveryId: id })).status).toBe(status);
  });
});

test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  '%s is 405 and says what is allowed',
  async (method) => {
    const reply = await send(integration, payload, { method });
    expect([reply.status, reply.headers.get('allow'), reply.text]).toEqual([405, 'POST', '']);
  },
);

// rule: auth.8
test('no API key is needed, and no rate limit is told', async () => {
  const { headers } = await send(integration, payload);
  expect(headers.get('ratelimit')).toBeNull();
  expect(headers.get('x-request-id')).not.toBeNull();
});

// rule: resource.15, mapping.6, break.22
test('headers and bytes are kept as they came, bytes that are no text too', async () => {
  const bytes = Buffer.from([0xff, 0x00, 0x7b, 0x0a]);
  const sent = await send(integration, bytes, { headers: { 'X-Odd': 'a  b', 'Content-Type': 'application/odd' } });
  const record = await findDelivery(integration, sent.deliveryId);
  expect(Buffer.from(record.body, 'base64')).toEqual(bytes);
  expect(record).toMatchObject({
    body_encoding: 'base64',
    body_bytes: 4,
    headers: { 'x-odd': 'a  b', 'content-type': 'application/odd' },
  });
});

test('a body beyond what a row holds comes back whole from the record', async () => {
  const text = JSON.stringify({ ...payload, body_html: 'ö'.repeat(300_000) });
  const { deliveryId } = await send(integration, text);
  const listed = await findDelivery(integration, deliveryId);
  expect(listed.body).toBeNull();
  const { data } = await integration.site.request('GET', `/webhooks/${integration.id}/deliveries/${listed.id}`);
  expect(data.body_encoding).toBe('utf8');
  expect(data.body === text).toBe(true);
});
