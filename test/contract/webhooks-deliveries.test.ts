import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, stackDatabase, type TestSite } from '../harness/api.ts';
import {
  deliver,
  findDelivery,
  makeIntegration,
  send,
  type TestIntegration,
  waitForDelivery,
} from '../harness/webhooks.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
type Any = any;
const read = async (id: string) => (await site.request('GET', `/content/${id}`)).data;
const deliveriesOf = ({ id }: TestIntegration, query = '') => site.request('GET', `/webhooks/${id}/deliveries${query}`);
const replay = (integration: TestIntegration, id: string) =>
  site.request('POST', `/webhooks/${integration.id}/deliveries/${id}/replay`);
/** Postpones the next attempt of everything that waits, or makes it due now. */
const dueIn = ({ id }: TestIntegration, seconds: number) =>
  stackDatabase().query(
    "UPDATE deliveries SET next_attempt_at = now() + $2::INT8 * INTERVAL '1 second' WHERE integration_id = $1 AND next_attempt_at IS NOT NULL",
    [id, seconds],
  );

// rule: resource.15, mapping.6
test('the record has every member', async () => {
  const integration = await makeIntegration(site, 'create_post');
  const delivery = await deliver(integration, { title: 'Record', body_html: '' });
  const members = [
    'attempts',
    'body',
    'body_encoding',
    'delivery_id',
    'error',
    'finished_at',
    'headers',
    'id',
    'next_attempt_at',
    'received_at',
    'result',
    'status',
  ];
  expect(Object.keys(delivery)).toEqual(expect.arrayContaining(members));
  for (const member of ['received_at', 'finished_at'])
    expect(delivery[member]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const one = await site.request('GET', `/webhooks/${integration.id}/deliveries/${delivery.id}`);
  expect(one.data).toEqual(delivery);
});

// rule: state.13, mapping.5
test('the timeline tells the way from the endpoint to the live site', async () => {
  const integration = await makeIntegration(site, 'autoseo');
  const { timeline } = await deliver(integration, { id: 1, title: 'Way', body_html: '' });
  const events = timeline.map(({ event }: Any) => event);
  expect(events).toEqual([
    'received',
    'verified',
    'recorded',
    'attempt',
    'prepared',
    'mapped',
    'publish_requested',
    'build_started',
    'live',
  ]);
  const times = timeline.map(({ elapsed_ms }: Any) => elapsed_ms);
  expect(times[0]).toBe(0);
  expect(Math.min(...times)).toBe(0);
});

describe('the list', () => {
  let integration: TestIntegration;
  let ids: string[];
  beforeAll(async () => {
    integration = await makeIntegration(site, 'create_post');
    ids = [];
    for (const payload of [{ title: 'One', body_html: '' }, '{', { title: 'Two', body_html: '' }]) {
      ids.unshift((await deliver(integration, payload)).delivery_id);
    }
  });
  // rule: endpoint.39, break.27
  test('is newest first and paginated', async () => {
    const { json } = await deliveriesOf(integration, '?per_page=2');
    expect(json.data.map((one: Any) => one.delivery_id)).toEqual(ids.slice(0, 2));
    expect(json.pagination).toEqual({ total: 3, page: 1, per_page: 2, total_pages: 2 });
  });
  test('filters by status', async () => {
    const { json } = await deliveriesOf(integration, '?status=skipped');
    expect(json.data.map((one: Any) => one.delivery_id)).toEqual([ids[1]]);
    expect(json.pagination.total).toBe(1);
  });
  test('filters by time', async () => {
    expect((await deliveriesOf(integration, '?since=2020-01-01T00:00:00Z')).json.pagination.total).toBe(3);
    expect((await deliveriesOf(integration, '?since=2099-01-01T00:00:00Z')).json.data).toEqual([]);
  });
  test.each(['?status=done', '?since=yesterday', '?since=2026-01-01T00:00:00%2B02:00', '?page=0'])(
    '%s is 422',
    async (query) => {
      expect((await deliveriesOf(integration, query)).status).toBe(422);
    },
  );
});

describe('order is the order of acceptance', () => {
  test('a burst for one article leaves the last one', async () => {
    const integration = await makeIntegration(site, 'autoseo');
    const sent = [];
    for (let n = 0; n < 12; n++)
      sent.push(await send(integration, { id: 'burst', title: `Version ${n}`, body_html: `${n}` }));
    const ended = [];
    for (const { deliveryId } of sent) ended.push(await waitForDelivery(integration, deliveryId));
    expect(ended.every(({ status }) => status === 'succeeded')).toBe(true);
    const items = ended.flatMap(({ result }) => (result.item ? [result.item.id] : []));
    expect(new Set(items).size).toBe(1);
    expect(await read(items[0])).toMatchObject({ title: 'Version 11', slug: 'version-0' });
  });

  // rule: mapping.2
  test('two deliveries for one article at once make one article', async () => {
    const integration = await makeIntegration(site, 'autoseo');
    const sent = await Promise.all(
      [0, 1, 2, 3].map((n) => send(integration, { id: 'race', title: `Race ${n}`, body_html: '' })),
    );
    const ended = await Promise.all(sent.map(({ deliveryId }) => waitForDelivery(integration, deliveryId)));
    expect(new Set(ended.map(({ result }) => result.item?.id).filter(Boolean)).size).toBe(1);
  });

  test('a retry never overwrites a delivery accepted later', async () => {
    const integration = await makeIntegration(site, 'autoseo');
    const older = await send(integration, { id: 'order', title: 'Older', body_html: '', status: 'scheduled' });
    await eventually(
      'the first attempt fails',
      async () => (await findDelivery(integration, older.deliveryId))?.status === 'failed',
    );
    await dueIn(integration, 3600);
    const newer = await deliver(integration, { id: 'order', title: 'Newer', body_html: '' });
    // fixed from outside, as an upgrade of a mapper would
    const mended = JSON.stringify({ id: 'order', title: 'Older', body_html: '' });
    await stackDatabase().query('UPDATE deliveries SET body = $2 WHERE delivery_id = $1', [
      older.deliveryId,
      Buffer.from(mended),
    ]);
    await dueIn(integration, 0);
    const ended = await waitForDelivery(integration, older.deliveryId);
    expect(ended).toMatchObject({ status: 'succeeded', result: { superseded_by: newer.id } });
    expect((await read(newer.result.item.id)).title).toBe('Newer');
  });

  test('an explicit replay counts as newest', async () => {
    const integration = await makeIntegration(site, 'autoseo');
    const first = await deliver(integration, { id: 'replay', title: 'First', body_html: '' });
    const second = await deliver(integration, { id: 'replay', title: 'Second', body_html: '' });
    const { status, data } = await replay(integration, first.id);
    expect([status, data.status, data.attempts, data.result]).toEqual([202, 'queued', 0, {}]);
    const ended = await waitForDelivery(integration, first.delivery_id);
    expect(ended).toMatchObject({ status: 'succeeded', attempts: 1, result: { item: { id: first.result.item.id } } });
    expect((await read(second.result.item.id)).title).toBe('First');
  });
});

describe('replay', () => {
  test('of a delivery without a key changes what it made, and makes nothing new', async () => {
    const integration = await makeIntegration(site, 'create_post');
    const made = await deliver(integration, { title: 'Keyless', body_html: 'x' });
    await site.request('PATCH', `/content/${made.result.item.id}`, { title: 'Edited' });
    await replay(integration, made.id);
    const ended = await waitForDelivery(integration, made.delivery_id);
    expect(ended.result.item.id).toBe(made.result.item.id);
    expect((await read(made.result.item.id)).title).toBe('Keyless');
  });
  test('of one that was skipped is skipped again, of an unknown one 404, of one whose bytes are gone 409', async () => {
    const integration = await makeIntegration(site, 'create_post');
    const skipped = await deliver(integration, '{');
    expect((await replay(integration, skipped.id)).status).toBe(202);
    expect((await waitForDelivery(integration, skipped.delivery_id)).status).toBe('skipped');
    expect((await replay(integration, randomUUID())).status).toBe(404);
    expect((await replay(integration, 'x')).status).toBe(404);
    await stackDatabase().query('UPDATE deliveries SET purged_at = now(), body = NULL WHERE id = $1', [skipped.id]);
    expect((await replay(integration, skipped.id)).status).toBe(409);
  });
  test('of one that used up its attempts begins anew', async () => {
    const integration = await makeIntegration(site, 'create_post');
    const failed = await deliver(integration, { title: 'T', body_html: '', status: 'nope' });
    expect(failed).toMatchObject({ status: 'failed', attempts: 6 });
    await replay(integration, failed.id);
    expect(await waitForDelivery(integration, failed.delivery_id)).toMatchObject({ status: 'failed', attempts: 6 });
  });
});

test('a build that failed leaves the delivery failed; it is retried without mapping again, and then live', async () => {
  const broken = await makeSite();
  const integration = await makeIntegration(broken, 'create_post');
  const { text: twig } = await broken.request('GET', '/shell/file/post.twig');
  const put = (raw: string) => broken.request('PUT', '/shell/file/post.twig', undefined, { raw });
  await put('{{ nothing( }}');
  const { deliveryId } = await send(integration, { title: 'Broken build', body_html: '' });
  const failed = await eventually('the build fails', async () => {
    const one = await findDelivery(integration, deliveryId);
    return one?.status === 'failed' ? one : undefined;
  });
  expect(failed.error).toContain('post.twig');
  await put(twig);
  await dueIn(integration, 0);
  const ended = await waitForDelivery(integration, deliveryId);
  expect(ended.status).toBe('succeeded');
  expect(ended.attempts).toBeGreaterThan(1);
  expect(ended.timeline.filter(({ event }: Any) => event === 'mapped')).toHaveLength(1);
  const { json } = await broken.request('GET', '/content');
  expect(json.pagination.total).toBe(1);
});

// rule: state.16, mapping.4, break.32
test('a build that goes on failing is tried six times in all, each wait twice as long as the one before', async () => {
  const broken = await makeSite();
  const integration = await makeIntegration(broken, 'create_post');
  await broken.request('PUT', '/shell/file/post.twig', undefined, { raw: '{{ nothing( }}' });
  const { deliveryId } = await send(integration, { title: 'Never live', body_html: '' });
  const db = stackDatabase();
  await eventually('it waits, and is told that it was its fourth attempt', async () => {
    const sql = `UPDATE deliveries SET attempts = 4, next_attempt_at = now()
                 WHERE delivery_id = $1 AND status = 'failed' AND next_attempt_at IS NOT NULL RETURNING id`;
    return (await db.query(sql, [deliveryId])).length > 0;
  });
  const fifth = await eventually('the fifth fails', async () => {
    const sql = 'SELECT status, attempts, next_attempt_at, timeline FROM deliveries WHERE delivery_id = $1';
    const [row] = await db.query<Any>(sql, [deliveryId]);
    return row.status === 'failed' && row.attempts === 5 && row;
  });
  const failedAt = fifth.timeline.findLast(({ event }: Any) => event === 'failed').at;
  expect(fifth.next_attempt_at - Date.parse(failedAt)).toBeGreaterThanOrEqual(0.75 * 200 * 2 ** 4);
  const ended = await waitForDelivery(integration, deliveryId);
  expect(ended).toMatchObject({ status: 'failed', attempts: 6, next_attempt_at: null });
  expect(ended.error).toContain('post.twig');
}, 120_000);

// rule: mapping.5
test('a burst of 200 deliveries makes far fewer builds, and every one ends with the release that made it live', async () => {
  const busy = await makeSite();
  const integration = await makeIntegration(busy, 'autoseo');
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, n) => send(integration, { id: n, title: `Burst ${n}`, body_html: '' })),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]));
  const all = await eventually(
    'all of them end',
    async () => {
      const pages = await Promise.all(
        [1, 2].map((page) => busy.request('GET', `/webhooks/${integration.id}/deliveries?per_page=100&page=${page}`)),
      );
      const rows = pages.flatMap(({ data }) => data);
      return rows.every(({ finished_at }: Any) => finished_at) ? rows : undefined;
    },
    120_000,
  );
  expect(new Set(all.map(({ status }: Any) => status))).toEqual(new Set(['succeeded']));
  expect(new Set(all.map(({ result }: Any) => result.item.id)).size).toBe(200);
  const { data: releases } = await busy.request('GET', '/releases?per_page=100');
  const known = new Set(releases.map(({ id }: Any) => id));
  for (const { result } of all) expect(known.has(result.release)).toBe(true);
  expect(releases.length).toBeLessThan(100);
});
