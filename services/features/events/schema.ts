import { z } from 'zod';
import { pageQuery, text, timestamp, timestampText } from '../../core/schema.ts';

/** What an endpoint may ask for. */
const eventTypes = ['content.published', 'site.published', 'delivery.failed', 'job.failed'] as const;
export type EventType = (typeof eventTypes)[number];
/** Sent on request only, whatever the endpoint asked for. */
export const testEventType = 'endpoint.test';

export const eventStatuses = ['queued', 'sending', 'delivered', 'failed'] as const;
export type EventStatus = (typeof eventStatuses)[number];

const url = text(2048, 1).describe('https; redirects are not followed');
const events = z
  .array(z.enum(eventTypes))
  .min(1)
  .max(100)
  .transform((types) => eventTypes.filter((type) => types.includes(type)))
  .describe('The types of events that it wants');

export const createEndpointBody = z.strictObject({ url, events, enabled: z.boolean().default(true) });
export type CreateEndpoint = z.output<typeof createEndpointBody>;

export const updateEndpointBody = z.strictObject({
  url: url.optional(),
  events: events.optional(),
  enabled: z.boolean().optional(),
});
export type UpdateEndpoint = z.output<typeof updateEndpointBody>;

export const readOnlyEndpointMembers = ['id', 'failing_since', 'disabled_at', 'disabled_reason', 'created_at'] as const;
/** The secret is in the reply to create and to rotate, which can be sent back as well. */
export const readOnlyOnEndpointUpdate = [...readOnlyEndpointMembers, 'secret', 'previous_valid_until'] as const;

export const eventListQuery = pageQuery.extend({
  endpoint: z.uuid().optional(),
  type: z.enum([...eventTypes, testEventType]).optional(),
  status: z.enum(eventStatuses).optional(),
  since: timestamp.optional().describe('Happened at this time or later'),
});
export type EventListQuery = z.output<typeof eventListQuery>;

export const endpointRecord = z.object({
  id: z.uuid(),
  url: z.string(),
  events: z.array(z.enum(eventTypes)),
  enabled: z.boolean(),
  failing_since: timestampText.nullable().describe('The first failure since the last success'),
  disabled_at: timestampText.nullable(),
  disabled_reason: z.string().nullable().describe('Why the service disabled it; null when somebody did'),
  created_at: timestampText,
});

export const createdEndpointRecord = endpointRecord.extend({
  secret: z.string().describe('The signing secret, `whsec_…`; shown here and by the command line'),
});

export const rotatedEndpointRecord = createdEndpointRecord.extend({
  previous_valid_until: timestampText.describe('Until then every event has a signature by the previous secret too'),
});

export const eventRecord = z.object({
  id: z.uuid().describe('Sent as `webhook-id`'),
  endpoint: z.uuid(),
  type: z.enum([...eventTypes, testEventType]),
  status: z.enum(eventStatuses).describe('Between attempts it is `failed` with `next_attempt_at`'),
  attempts: z.int(),
  next_attempt_at: timestampText.nullable(),
  created_at: timestampText,
  finished_at: timestampText.nullable(),
  payload: z.record(z.string(), z.unknown()).nullable().describe('What is sent; null after retention'),
  error: z.string().nullable(),
  log: z
    .array(
      z.object({ at: timestampText, duration_ms: z.int(), status: z.int().nullable(), error: z.string().nullable() }),
    )
    .describe('Every attempt with the status of the answer; the last hundred'),
});
