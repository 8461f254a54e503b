import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, publish, stack, stackDatabase, type TestSite } from '../harness/api.ts';
import {
  makeEndpoint,
  type ReceiverResponse,
  readEvent,
  sendTest,
  startReceiver,
  type TestReceiver,
  verify,
  waitForEvent,
} from '../harness/events.ts';

let site: TestSite;
const receivers: TestReceiver[] = [];
beforeAll(async () => {
  site = await makeSite();
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((one) => one.close()));
});
afterAll(closeStack);

async function listen(respond?: (n: number, id: string) => ReceiverResponse): Promise<TestReceiver> {
  const receiver = await startReceiver(respond && (({ headers }, n) => respond(n, headers['webhook-id']!)));
  receivers.push(receiver);
  return receiver;
}

/** Number of attempts after which the stack gives up. */
const attempts = 1 + stack.env.FIELDSTONE_EVENT_RETRY_SECONDS!.split(',').length;

test('a test event arrives as announced, signed, and its record says so', async () => {
  const receiver = await listen();
  const endpoint = await makeEndpoint(site, receiver.url);
  const sent = await sendTest(site, endpoint.id);
  expect(sent).toMatchObject({ endpoint: endpoint.id, type: 'endpoint.test', status: 'queued', attempts: 0, log: [] });
  const event = await waitForEvent(site, sent.id);
  expect(event).toMatchObject({
    status: 'delivered',
    attempts: 1,
    next_attempt_at: null,
    error: null,
    log: [{ status: 204, error: null, duration_ms: expect.any(Number) }],
  });
  const [message] = receiver.received;
  expect(receiver.received).toHaveLength(1);
  expect(message!.headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(message!.text)),
    'user-agent': expect.stringContaining('Fieldstone'),
    'webhook-id': sent.id,
  });
  expect(message!.payload).toEqual({
    type: 'endpoint.test',
    timestamp: sent.created_at,
    data: { site: { id: site.id, slug: site.slug }, endpoint: endpoint.id },
  });
  expect(message!.payload).toEqual(event.payload);
  verify(endpoint.secret, message!);
  expect(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, message!)).toThrow();
});

test('while a secret is rotated both sign, and later only the new one', async () => {
  const receiver = await listen();
  const { id, secret: before } = await makeEndpoint(site, receiver.url);
  const { secret: after } = (await site.request('POST', `/event-endpoints/${id}/rotate`)).data;
  await waitForEvent(site, (await sendTest(site, id)).id);
  const both = receiver.received.at(-1)!;
  expect(both.headers['webhook-signature']!.split(' ')).toHaveLength(2);
  verify(before, both);
  verify(after, both);
  await stackDatabase().query("UPDATE event_endpoints SET previous_until = now() - INTERVAL '1 second' WHERE id = $1", [
    id,
  ]);
  await waitForEvent(site, (await sendTest(site, id)).id);
  const one = receiver.received.at(-1)!;
  verify(after, one);
  expect(() => verify(before, one)).toThrow();
});

test('what is not taken is sent again by the schedule, the same bytes under the same id, until it is taken', async () => {
  const receiver = await listen((n) => ({ status: n < attempts ? 503 : 200 }));
  const { id, secret } = await makeEndpoint(site, receiver.url);
  const sent = await sendTest(site, id);
  await eventually('an attempt has failed', async () => {
    const { status, next_attempt_at } = await readEvent(site, sent.id);
    return status === 'failed' && next_attempt_at;
  });
  expect((await site.request('GET', `/event-endpoints/${id}`)).data.failing_since).not.toBeNull();
  const event = await waitForEvent(site, sent.id);
  expect(event).toMatchObject({ status: 'delivered', attempts, error: null });
  expect(event.log.map(({ status }: { status: number }) => status)).toEqual([...Array(attempts - 1).fill(503), 200]);
  expect(new Set(receiver.received.map(({ text, headers }) => headers['webhook-id'] + text)).size).toBe(1);
  for (const message of receiver.received) verify(secret, message);
  await eventually('the endpoint works again', async () => {
    return (await site.request('GET', `/event-endpoints/${id}`)).data.failing_since === null;
  });
});

test('when the schedule is used up the event has failed; a replay sends it again with all of the schedule', async () => {
  let broken = true;
  const receiver = await listen(() => ({ status: broken ? 500 : 204, body: 'secret words of the receiver' }));
  const { id } = await makeEndpoint(site, receiver.url);
  const sent = await sendTest(site, id);
  const failed = await waitForEvent(site, sent.id);
  expect(failed).toMatchObject({ status: 'failed', attempts, next_attempt_at: null });
  expect(failed.error).toBe('The endpoint responded with status 500.');
  expect(JSON.stringify(failed)).not.toContain('secret words');
  expect(receiver.received).toHaveLength(attempts);
  broken = false;
  const replayed = await site.request('POST', `/events/${sent.id}/replay`);
  expect(replayed).toMatchObject({
    status: 202,
    data: { status: 'queued', attempts: 0, error: null, finished_at: null },
  });
  const event = await waitForEvent(site, sent.id);
  expect(event).toMatchObject({ status: 'delivered', attempts: 1 });
  expect(event.log).toHaveLength(attempts + 1);
  expect(receiver.received.at(-1)!.headers['webhook-id']).toBe(sent.id);
});

describe('what an endpoint answers', () => {
  test.each([[300], [301], [302], [307], [400], [404], [429], [502]])('%d is a failure', async (status) => {
    const target = await listen();
    const receiver = await listen((n) => (n === 1 ? { status, headers: { Location: target.url } } : { status: 202 }));
    const { id } = await makeEndpoint(site, receiver.url);
    const event = await waitForEvent(site, (await sendTest(site, id)).id);
    expect(event.log.map((entry: { status: number }) => entry.status)).toEqual([status, 202]);
    expect(target.received).toEqual([]);
  });

  test('a long or compressed answer is a success all the same: nobody reads it', async () => {
    const receiver = await listen(() => ({
      status: 200,
      headers: { 'Content-Encoding': 'gzip' },
      body: 'x'.repeat(9e6),
    }));
    const { id } = await makeEndpoint(site, receiver.url);
    expect(await waitForEvent(site, (await sendTest(site, id)).id)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  test('an endpoint that says nothing has failed after a while', async () => {
    const receiver = await listen((n) => (n === 1 ? { silent: true } : {}));
    const { id } = await makeEndpoint(site, receiver.url);
    const event = await waitForEvent(site, (await sendTest(site, id)).id);
    expect(event.log[0]).toMatchObject({ status: null, error: 'The server of the URL took too long to respond.' });
    expect(event).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  test('410 disables it at once, with all that waits for it, and nothing is sent to it', async () => {
    const receiver = await listen(() => ({ status: 410 }));
    const { id } = await makeEndpoint(site, receiver.url);
    const event = await waitForEvent(site, (await sendTest(site, id)).id);
    expect(event).toMatchObject({ status: 'failed', attempts: 1 });
    const endpoint = (await site.request('GET', `/event-endpoints/${id}`)).data;
    expect(endpoint).toMatchObject({ enabled: false, disabled_reason: 'The endpoint responded with 410 Gone.' });
    expect(endpoint.disabled_at).not.toBeNull();
    expect((await site.request('POST', `/event-endpoints/${id}/test`)).status).toBe(409);
    expect((await site.request('POST', `/events/${event.id}/replay`)).status).toBe(409);
    expect(receiver.received).toHaveLength(1);
  });
});

test('what the address before answers says nothing of the one that an endpoint has now', async () => {
  const { promise: moved, resolve: move } = Promise.withResolvers<void>();
  const before = await listen(() => ({ status: 410, after: moved }));
  const now = await listen();
  const { id } = await makeEndpoint(site, before.url);
  const sent = await sendTest(site, id);
  await eventually('it is being sent', async () => before.received.length > 0);
  expect((await site.request('PATCH', `/event-endpoints/${id}`, { url: now.url })).status).toBe(200);
  move();
  expect((await waitForEvent(site, sent.id)).log).toMatchObject([{ status: 410 }]);
  expect((await site.request('GET', `/event-endpoints/${id}`)).data).toMatchObject({
    enabled: true,
    failing_since: null,
  });
  expect(await waitForEvent(site, (await sendTest(site, id)).id)).toMatchObject({ status: 'delivered' });
  expect(now.received).toHaveLength(1);
});

test('an endpoint that takes one event works, also when another of the same bundle failed just before', async () => {
  const { promise: bothSent, resolve: second } = Promise.withResolvers<void>();
  const { promise: oneFailed, resolve: failed } = Promise.withResolvers<void>();
  let first = '';
  const receiver = await listen((n, event) => {
    first ||= event;
    if (event !== first) {
      second();
      return { after: oneFailed };
    }
    return { status: 500, ...(n === 1 ? { after: bothSent } : {}) };
  });
  const { id } = await makeEndpoint(site, receiver.url);
  const refused = await sendTest(site, id);
  const taken = await sendTest(site, id);
  const failingSince = async () => {
    const sql = 'SELECT failing_since FROM event_endpoints WHERE id = $1';
    return (await stackDatabase().query<{ failing_since: Date | null }>(sql, [id]))[0]!.failing_since;
  };
  await eventually('one has failed', failingSince);
  failed();
  const ends = await Promise.all([refused.id, taken.id].map((one) => waitForEvent(site, one)));
  expect(ends.map(({ status }) => status).sort()).toEqual(['delivered', 'failed']);
  // the refused event's other attempts came after: the endpoint has failed since the first of them
  const [row] = await stackDatabase().query<{ finished_at: Date }>(
    "SELECT finished_at FROM events WHERE endpoint_id = $1 AND status = 'delivered'",
    [id],
  );
  expect((await failingSince())!.getTime()).toBeGreaterThan(row!.finished_at.getTime());
});

test('an endpoint to which nothing could be delivered for days is disabled, and enabling it begins anew', async () => {
  let broken = true;
  const receiver = await listen(() => ({ status: broken ? 500 : 204 }));
  const { id } = await makeEndpoint(site, receiver.url);
  const read = async () => (await site.request('GET', `/event-endpoints/${id}`)).data;
  const first = await waitForEvent(site, (await sendTest(site, id)).id);
  expect(first.status).toBe('failed');
  expect(await read()).toMatchObject({ enabled: true });
  await stackDatabase().query(
    "UPDATE event_endpoints SET failing_since = failing_since - INTERVAL '5 days' WHERE id = $1",
    [id],
  );
  const second = await sendTest(site, id);
  await eventually('it is disabled', async () => !(await read()).enabled);
  expect(await read()).toMatchObject({ disabled_reason: 'Nothing could be delivered for 5 days.' });
  expect(await waitForEvent(site, second.id)).toMatchObject({ status: 'failed', attempts });
  broken = false;
  const enabled = await site.request('PATCH', `/event-endpoints/${id}`, { enabled: true });
  expect(enabled.data).toMatchObject({ enabled: true, failing_since: null, disabled_at: null, disabled_reason: null });
  expect((await site.request('POST', `/events/${second.id}/replay`)).status).toBe(202);
  expect((await waitForEvent(site, second.id)).status).toBe('delivered');
});

test('disabling ends what waits; what happened is told by its record', async () => {
  const receiver = await listen(() => ({ status: 500 }));
  const { id } = await makeEndpoint(site, receiver.url);
  const sent = await sendTest(site, id);
  await eventually('an attempt has failed', async () => (await readEvent(site, sent.id)).log.length > 0);
  await site.request('PATCH', `/event-endpoints/${id}`, { enabled: false });
  const event = await waitForEvent(site, sent.id);
  expect(event.status).toBe('failed');
  expect(event.next_attempt_at).toBeNull();
});

test('one slow endpoint holds up no other, and many events to it are sent beside each other', async () => {
  const slow = await listen(() => ({ silent: true }));
  const fast = await listen();
  const own = await makeSite();
  const slowId = (await makeEndpoint(own, slow.url)).id;
  const fastId = (await makeEndpoint(own, fast.url)).id;
  const waiting = await Promise.all(Array.from({ length: 40 }, () => sendTest(own, slowId)));
  await eventually('the slow one is busy', async () => slow.received.length > 4);
  for (let n = 0; n < 5; n++) {
    const event = await waitForEvent(own, (await sendTest(own, fastId)).id);
    expect(event).toMatchObject({ status: 'delivered', attempts: 1 });
  }
  // the slow one had not ended meanwhile
  const { data } = await own.request('GET', `/events?endpoint=${slowId}&status=delivered`);
  expect(data).toEqual([]);
  expect((await readEvent(own, waiting.at(-1)!.id)).finished_at).toBeNull();
  await own.request('PATCH', `/event-endpoints/${slowId}`, { enabled: false });
});

test('an address that leads inside when it is called is refused then, without telling what is there', async () => {
  const endpoint = await makeEndpoint(site, 'https://hooks.example.org/');
  for (const url of [
    'https://127.0.0.1/',
    'http://10.0.0.1/',
    'https://[::1]:443/',
    'https://localhost/',
    `http://127.0.0.1:${new URL(stack.gateways[0]!).port}/healthz`,
    'http://example.com/',
  ]) {
    await stackDatabase().query('UPDATE event_endpoints SET url = $2 WHERE id = $1', [endpoint.id, url]);
    const sent = await sendTest(site, endpoint.id);
    const event = await eventually('an attempt was made', async () => {
      const one = await readEvent(site, sent.id);
      return one.log.length > 0 && one;
    });
    expect(event.log[0].status).toBeNull();
    expect([
      'The URL does not lead to a public address.',
      'The port of the URL is not allowed; use 80, 443, 8080 or 8443.',
      'Only https URLs can be used here.',
    ]).toContain(event.log[0].error);
  }
});

test('lists are newest first and take filters', async () => {
  const receiver = await listen();
  const own = await makeSite();
  const endpoint = await makeEndpoint(own, receiver.url);
  const sent = [];
  for (let n = 0; n < 3; n++) sent.push((await sendTest(own, endpoint.id)).id);
  for (const id of sent) await waitForEvent(own, id);
  await publish(own);
  const ids = async (query: string) =>
    (await own.request('GET', `/events${query}`)).data.map(({ id }: { id: string }) => id);
  expect(await ids('?type=endpoint.test')).toEqual(sent.reverse());
  expect(await ids('?type=endpoint.test&per_page=2&page=2')).toEqual([sent[2]]);
  expect(await ids('?type=job.failed')).toEqual([]);
  expect(await ids('?status=failed')).toEqual([]);
  expect(await ids('?since=2999-01-01T00:00:00Z')).toEqual([]);
  expect(await ids(`?endpoint=${endpoint.id}&type=site.published`)).toHaveLength(1);
  for (const query of ['?type=x', '?status=x', '?since=x', '?endpoint=x', '?page=0']) {
    expect([query, (await own.request('GET', `/events${query}`)).status]).toEqual([query, 422]);
  }
});
