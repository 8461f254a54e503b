import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  closeStack,
  eventually,
  makeSite,
  publish,
  readMetrics,
  stack,
  stackDatabase,
  type TestSite,
} from '../harness/api.ts';
import { visit } from '../harness/edge.ts';
import { startRole } from '../harness/role.ts';
import { startProxyOf } from '../harness/tcp-proxy.ts';

afterAll(closeStack);

let site: TestSite;
let item: string;

const show = async (text: string) => {
  await site.request('PATCH', `/content/${item}`, { body_html: `<p>Version ${text}.</p>` });
  await publish(site);
};
const path = () => `/sites/${site.slug}/posts/page/`;
const see = async (edge: { url: string }) =>
  /Version (\w+)\./.exec((await visit(path(), { origin: edge.url })).text)?.[1];

beforeEach(async () => {
  site = await makeSite();
  const body = { title: 'Page', slug: 'page', body_html: '<p>Version one.</p>', status: 'published' };
  item = (await site.request('POST', '/content', body)).data.id;
  await publish(site);
});

const edgeIds = async () => (await stackDatabase().query<{ id: string }>('SELECT id FROM edges')).map(({ id }) => id);

// rule: break.10
describe('after a publish has succeeded, no visitor sees the earlier page', () => {
  test('on any edge, however often it was asked before', async () => {
    const edges = stack.edges.map((url) => ({ url }));
    for (const text of ['two', 'three', 'four']) {
      for (const edge of edges) expect(await see(edge)).not.toBe(text);
      await show(text);
      for (const edge of edges) expect(await see(edge)).toBe(text);
    }
  });

  test('on an edge that was paused meanwhile, from its first response on', async () => {
    await using edge = await startRole('edge');
    expect(await see(edge)).toBe('one');
    const asking = see(edge); // so that a read may be under way
    edge.process.kill('SIGSTOP');
    await show('two');
    edge.process.kill('SIGCONT');
    const first = see(edge);
    await asking;
    expect(await first).toBe('two');
  });

  test('on an edge that was paused for longer than its lease', async () => {
    const before = await edgeIds();
    await using edge = await startRole('edge');
    expect(await see(edge)).toBe('one');
    const [id] = (await edgeIds()).filter((one) => !before.includes(one));
    edge.process.kill('SIGSTOP');
    await eventually('the lease has expired', async () => {
      const sql = `SELECT id FROM edges WHERE id = $1 AND expires_at < now() - INTERVAL '2 seconds'`;
      return (await stackDatabase().query(sql, [id])).length === 1;
    });
    await show('two');
    edge.process.kill('SIGCONT');
    expect(await see(edge)).toBe('two');
  });

  test('when another edge was killed', async () => {
    await using edge = await startRole('edge');
    expect(await see(edge)).toBe('one');
    await edge.kill();
    await show('two');
    for (const url of stack.edges) expect(await see({ url })).toBe('two');
  });

  test('on an edge that starts during the publish', async () => {
    const started = startRole('edge');
    await show('two');
    await using edge = await started;
    expect(await see(edge)).toBe('two');
  });

  test('on an edge that pushes do not reach', async () => {
    await using edge = await startRole('edge', { FIELDSTONE_EDGE_PUSH_HOST: '127.0.0.99' });
    for (const text of ['two', 'three']) {
      expect(await see(edge)).not.toBe(text);
      await show(text);
      expect(await see(edge)).toBe(text);
    }
  });

  test('on an edge that lost the database: it was told, and is unavailable until it can read the new one', async () => {
    await using proxy = await startProxyOf(stack.env.DATABASE_URL!);
    await using edge = await startRole('edge', { DATABASE_URL: proxy.address }, 'healthz');
    expect(await see(edge)).toBe('one');
    proxy.freeze();
    await show('two');
    const reply = await visit(path(), { origin: edge.url });
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '2']);
    proxy.restore();
    await eventually('the edge serves the new page', async () => (await see(edge)) === 'two');
  });
});

test('edges are told of a rollback, which needs no build', async () => {
  await show('two');
  const { data: releases } = await site.request('GET', '/releases');
  const edge = { url: stack.edges[0]! };
  expect(await see(edge)).toBe('two');
  const rollback = await site.request('POST', `/releases/${releases[1].id}/rollback`, undefined);
  expect(rollback.status).toBe(200);
  await eventually('the edge serves the earlier release', async () => (await see(edge)) === 'one');
});

describe('an edge', () => {
  test('is registered while it serves, and removes its registration when it ends', async () => {
    const before = await edgeIds();
    const edge = await startRole('edge');
    const [id] = (await edgeIds()).filter((one) => !before.includes(one));
    expect(id).toBeDefined();
    await edge.kill('SIGTERM');
    expect(await edgeIds()).not.toContain(id);
  });

  test('accepts no pushes where visitors come', async () => {
    expect((await visit('/swaps', { method: 'POST' })).status).toBe(405);
  });
});

test('pushes are counted by their results', async () => {
  await show('two');
  const name = Object.keys(stack.ops).find((one) => one.startsWith('worker'))!;
  const metrics = await readMetrics(stack.ops[name]!);
  expect(metrics).toMatch(/^fieldstone_edge_pushes_total\{result="confirmed"\} [1-9]/m);
});
