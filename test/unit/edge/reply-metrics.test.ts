import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { countReply, createEdgeCounts, registerEdgeMetrics } from '../../../services/edge/metrics.ts';

test('times of replies are a histogram: each bucket counts the faster ones too', async () => {
  const registry = new Registry();
  const counts = createEdgeCounts();
  registerEdgeMetrics(registry, counts, () => ({ cachedBytes: 0, hits: 0, misses: 0 }));
  for (const seconds of [0.0005, 0.001, 0.02, 60]) countReply(counts, seconds);
  const text = await registry.metrics();
  const name = 'fieldstone_edge_reply_duration_seconds';
  const read = (series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );
  expect(text).toContain(`# TYPE ${name} histogram`);
  expect(['0.001', '0.01', '0.025', '2.5', '+Inf'].map((le) => read(`${name}_bucket{le="${le}"}`))).toEqual([
    2, 2, 3, 3, 4,
  ]);
  expect(read(`${name}_sum`)).toBeCloseTo(60.0215);
  expect(read(`${name}_count`)).toBe(4);
});
