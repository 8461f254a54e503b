import { z } from 'zod';
import { sample } from '../../core/sample.ts';
import { pageQuery, timestamp, timestampText } from '../../core/schema.ts';

export const deliveryStatuses = ['queued', 'processing', 'succeeded', 'skipped', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliveryListQuery = pageQuery.extend({
  status: z.enum(deliveryStatuses).optional(),
  since: timestamp.optional().describe('Received at this time or later'),
});
export type DeliveryListQuery = z.output<typeof deliveryListQuery>;

const deliveryExample = {
  id: sample.id,
  delivery_id: 'evt_2041',
  status: 'succeeded',
  attempts: 1,
  next_attempt_at: null,
  received_at: sample.at,
  finished_at: sample.at,
  headers: { 'content-type': 'application/json' },
  body: '{"id":"1042","title":"What a cairn is for","body_html":"<p>…</p>"}',
  body_encoding: 'utf8',
  body_bytes: 66,
  result: { content_id: sample.other, release: sample.id, url: `${sample.url}/posts/what-a-cairn-is-for/` },
  error: null,
  timeline: [{ at: sample.at, elapsed_ms: 0, event: 'received' }],
};

export const deliveryRecord = z
  .object({
    id: z.uuid(),
    delivery_id: z.string(),
    status: z.enum(deliveryStatuses),
    attempts: z.int(),
    next_attempt_at: timestampText.nullable(),
    received_at: timestampText,
    finished_at: timestampText.nullable(),
    headers: z
      .record(z.string(), z.string())
      .describe('As received, by lowercase name; values of a repeated header are joined'),
    body: z.string().nullable().describe('The exact bytes; null after retention, and for large bodies in lists'),
    body_encoding: z.enum(['utf8', 'base64']),
    body_bytes: z.int(),
    result: z.record(z.string(), z.unknown()).describe('The outcome: the item, the release that made it live, its URL'),
    error: z.string().nullable(),
    timeline: z.array(z.looseObject({ at: timestampText, elapsed_ms: z.int(), event: z.string() })),
  })
  .meta({ id: 'Delivery', example: deliveryExample });
