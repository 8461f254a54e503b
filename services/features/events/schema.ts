import { z } from 'zod';
import { sample } from '../../core/sample.ts';
import { pageQuery, text, timestamp, timestampText } from '../../core/schema.ts';
import { eventTypes, payloadSchemaOf, testEventType } from './catalogue.ts';

export const eventStatuses = ['queued', 'sending', 'delivered', 'failed'] as const;
export type EventStatus = (typeof eventStatuses)[number];

const url = text(2048, 1).describe('https; redirects are not followed');
const events = z
  .array(z.enum(eventTypes))
  .min(1)
  .max(100)
  .transform((types) => eventTypes.filter((type) => types.includes(type)))
  .describe('The types of events that it subscribes to');

const endpointExample = {
  id: sample.id,
  url: 'https://hooks.example.org/fieldstone',
  events: ['content.published', 'site.published'],
  enabled: true,
  failing_since: null,
  disabled_at: null,
  disabled_reason: null,
  created_at: sample.at,
};

export const createEndpointBody = z
  .strictObject({ url, events, enabled: z.boolean().default(true) })
  .meta({ id: 'CreateEventEndpointBody', example: { url: endpointExample.url, events: endpointExample.events } });
export type CreateEndpoint = z.output<typeof createEndpointBody>;

export const updateEndpointBody = z
  .strictObject({
    url: url.optional(),
    events: events.optional(),
    enabled: z.boolean().optional(),
  })
  .meta({ id: 'UpdateEventEndpointBody', example: { enabled: true } });
export type UpdateEndpoint = z.output<typeof updateEndpointBody>;

export const readOnlyEndpointMembers = ['id', 'failing_since', 'disabled_at', 'disabled_reason', 'created_at'] as const;
/** The responses to create and rotate contain the secret; clients can send them back too. */
export const readOnlyOnEndpointUpdate = [...readOnlyEndpointMembers, 'secret', 'previous_valid_until'] as const;

export const eventListQuery = pageQuery.extend({
  endpoint: z.uuid().optional(),
  type: z.enum([...eventTypes, testEventType]).optional(),
  status: z.enum(eventStatuses).optional(),
  since: timestamp.optional().describe('Happened at this time or later'),
});
export type EventListQuery = z.output<typeof eventListQuery>;

export const endpointRecord = z
  .object({
    id: z.uuid(),
    url: z.string(),
    events: z.array(z.enum(eventTypes)),
    enabled: z.boolean(),
    failing_since: timestampText.nullable().describe('The first failure since the last success'),
    disabled_at: timestampText.nullable(),
    disabled_reason: z.string().nullable().describe('Why the service disabled it; null when a user did'),
    created_at: timestampText,
  })
  .meta({ id: 'EventEndpoint', example: endpointExample });

const endpointSecret = 'whsec_c2hvd24gb25jZSBhbmQgYnkgdGhlIENMSSAgIA==';

export const createdEndpointRecord = endpointRecord
  .extend({
    secret: z.string().describe('The signing secret, `whsec_…`; shown here and by the command line'),
  })
  .meta({ id: 'EventEndpointWithSecret', example: { ...endpointExample, secret: endpointSecret } });

export const rotatedEndpointRecord = createdEndpointRecord
  .extend({
    previous_valid_until: timestampText.describe('Until then every event has a signature by the previous secret too'),
  })
  .meta({
    id: 'RotatedEventEndpoint',
    example: { ...endpointExample, secret: endpointSecret, previous_valid_until: sample.at },
  });

const eventExample = {
  id: sample.other,
  endpoint: sample.id,
  type: 'site.published',
  status: 'delivered',
  attempts: 1,
  next_attempt_at: null,
  created_at: sample.at,
  finished_at: sample.at,
  payload: payloadSchemaOf('site.published').meta()!['example'],
  error: null,
  log: [{ at: sample.at, duration_ms: 84, status: 204, error: null }],
};

export const eventRecord = z
  .object({
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
      .describe('Every attempt with the status of the response; the last hundred'),
  })
  .meta({ id: 'Event', example: eventExample });
