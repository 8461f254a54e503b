import { afterAll, expect, test } from '@jest/globals';
import { closeStack, stack } from '../harness/api.ts';
import { makeEdgeSite, visit } from '../harness/edge.ts';

afterAll(closeStack);

async function readMetric(line: string): Promise<number> {
  const text = await (await fetch(`${stack.ops['edge-1']}/metrics`)).text();
  const found = text.split('\n').find((each) => each.startsWith(`${line} `));
  return Number(found?.split(' ')[1]);
}

test('metrics count requests by class of status, and hits of the memory', async () => {
  const site = await makeEdgeSite({ files: { '/': { body: 'home' } } });
  await visit(`${site.base}/`, { edge: 0 });
  const names = ['fieldstone_edge_requests_total{status="2xx"}', 'fieldstone_edge_cache_hits_total'];
  const before = await Promise.all(names.map(readMetric));
  for (let times = 0; times < 5; times++) await visit(`${site.base}/`, { edge: 0 });
  const after = await Promise.all(names.map(readMetric));
  for (const [index, count] of after.entries()) expect(count).toBeGreaterThanOrEqual(before[index]! + 5);
});

test('readiness and metrics are not on the main port', async () => {
  expect((await fetch(`${stack.ops['edge-1']}/readyz`)).status).toBe(200);
  for (const path of ['/metrics', '/readyz']) expect((await visit(path)).status).toBe(404);
});
