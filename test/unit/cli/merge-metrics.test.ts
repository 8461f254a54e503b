import { expect, test } from '@jest/globals';
import { mergeMetrics } from '../../../services/cli/up/merge-metrics.ts';

test('each metric is described once, and every sample names its role', () => {
  const text = '# HELP hits Hits.\n# TYPE hits counter\nhits 1\nhits{code="a,b"} 2\n';
  const merged = mergeMetrics([
    { role: 'gateway', text },
    { role: 'edge', text: `${text}# HELP other Other.\n# TYPE other gauge\nother 3\n` },
  ]);
  expect(merged.split('\n').filter(Boolean)).toEqual([
    '# HELP hits Hits.',
    '# TYPE hits counter',
    'hits{role="gateway"} 1',
    'hits{role="gateway",code="a,b"} 2',
    'hits{role="edge"} 1',
    'hits{role="edge",code="a,b"} 2',
    '# HELP other Other.',
    '# TYPE other gauge',
    'other{role="edge"} 3',
  ]);
});

test('a sample that names its role already keeps it; buckets stay with their metric', () => {
  const text = '# TYPE t histogram\nt_bucket{le="1",role="edge"} 1\nt_sum 2\n';
  expect(mergeMetrics([{ role: 'x', text }])).toBe(
    '# TYPE t histogram\nt_bucket{le="1",role="edge"} 1\nt_sum{role="x"} 2\n',
  );
});
