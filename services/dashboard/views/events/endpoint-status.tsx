import { Badge } from '../../parts/badge.tsx';
import type { Endpoint } from './endpoint-data.ts';
import { strings } from './strings.ts';

/** Whether an endpoint gets events, in a word. */
export function EndpointStatus({ endpoint: { enabled, failing_since } }: { endpoint: Endpoint }) {
  if (!enabled) return <Badge tone="bad">{strings.disabled}</Badge>;
  if (failing_since !== null) return <Badge tone="warn">{strings.failing}</Badge>;
  return <Badge tone="good">{strings.enabled}</Badge>;
}
