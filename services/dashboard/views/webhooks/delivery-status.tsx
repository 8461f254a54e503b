import { Badge } from '../../parts/badge.tsx';
import type { Delivery } from './integrations.ts';
import { strings } from './strings.ts';

const tones = { queued: 'plain', processing: 'plain', succeeded: 'good', skipped: 'warn', failed: 'bad' } as const;

/** The status of a delivery in a word. */
export const DeliveryStatus = ({ status }: Pick<Delivery, 'status'>) => (
  <Badge tone={tones[status]}>{strings.statuses[status]}</Badge>
);
