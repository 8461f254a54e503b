import { z } from 'zod';
import { pageQuery, timestamp, timestampText } from '../../core/schema.ts';

export const deliveryStatuses = ['queued', 'processing', 'succeeded', 'skipped', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliveryListQuery = pageQuery.extend({
  status: z.enum(deliveryStatuses).optional(),
  since: timestamp.optional().describe('Received at this time or later'),
});
export type DeliveryListQuery = z.output<typeof deliveryListQuery>;

export const deliveryRecord = z.object({
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
  result: z
    .record(z.string(), z.unknown())
    .describe('What came of it: the item, the release that made it live, its URL'),
  error: z.string().nullable(),
  timeline: z.array(z.looseObject({ at: timestampText, elapsed_ms: z.int(), event: z.string() })),
});
