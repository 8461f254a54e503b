import { z } from 'zod';
import { nameText, pageQuery, text, timestamp, timestampText } from '../../core/schema.ts';
import { maxSlugLength } from '../../core/slug.ts';
import { mapperNames } from './mappers/names.ts';

export const deliveryStatuses = ['queued', 'processing', 'succeeded', 'skipped', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** spec: Webhook integration. */
export const integrationSlugPattern = /^[a-z0-9-]+$/;

const slug = text(maxSlugLength, 1).regex(integrationSlugPattern, 'must be lowercase letters, digits and hyphens');

export const createIntegrationBody = z.strictObject({
  mapper: z.enum(mapperNames),
  slug: slug.optional().describe('Unique in the whole service; derived from the name when absent'),
  name: nameText.optional(),
  enabled: z.boolean().default(true),
});
export type CreateIntegration = z.output<typeof createIntegrationBody>;

export const updateIntegrationBody = z.strictObject({ name: nameText.optional(), enabled: z.boolean().optional() });
export type UpdateIntegration = z.output<typeof updateIntegrationBody>;

export const readOnlyOnCreate = ['id', 'url', 'created_at'] as const;
/** The secret is in the reply to create and to rotate, which can be sent back as well. */
export const readOnlyOnUpdate = [...readOnlyOnCreate, 'slug', 'mapper', 'secret', 'previous_valid_until'] as const;

export const deliveryListQuery = pageQuery.extend({
  status: z.enum(deliveryStatuses).optional(),
  since: timestamp.optional().describe('Received at this time or later'),
});
export type DeliveryListQuery = z.output<typeof deliveryListQuery>;

export const integrationRecord = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  mapper: z.enum(mapperNames),
  enabled: z.boolean(),
  url: z.url().describe('Where deliveries are sent'),
  created_at: timestampText,
});

export const createdIntegrationRecord = integrationRecord.extend({
  secret: z.string().describe('The signing secret; shown here and by the command line'),
});

export const rotatedIntegrationRecord = createdIntegrationRecord.extend({
  previous_valid_until: timestampText.describe('Until then the previous secret is accepted too'),
});

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
