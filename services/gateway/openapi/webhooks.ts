import { allEvents, payloadSchemaOf } from '../../features/events/index.ts';
import { metadataOf, reference } from './schemas.ts';

type Json = Record<string, unknown>;

const types = Object.keys(allEvents) as (keyof typeof allEvents)[];

/** The body schemas of all events, for the named schemas of the document. */
export const eventPayloads = types.map(payloadSchemaOf);

const header = (name: string, description: string, schema: Json = { type: 'string' }) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

/** The headers of an event (Standard Webhooks). */
const headers = [
  header('webhook-id', 'The same at every attempt', { type: 'string', format: 'uuid' }),
  header('webhook-timestamp', 'Seconds since 1970', { type: 'string', pattern: '^\\d+$' }),
  header('webhook-signature', 'One or more of `v1,<base64>`, separated by spaces'),
];

/** Returns the `webhooks` of the document: the requests to event endpoints, from the catalogue of events. */
export function webhooksOf(): Json {
  const entries = types.map((type, index) => {
    const payload = eventPayloads[index]!;
    const content = { 'application/json': { schema: reference(payload), example: metadataOf(payload).example } };
    const post = {
      operationId: `on${type.replaceAll(/(?:^|\.)(\w)/g, (_match, letter: string) => letter.toUpperCase())}`,
      summary: `Sent when ${allEvents[type].sentWhen}`,
      tags: ['Events'],
      security: [],
      parameters: headers,
      requestBody: { required: true, content },
      responses: { '2XX': { description: 'Received; any other reply is a failure, and the event is sent again' } },
    };
    return [type, { post }];
  });
  return Object.fromEntries(entries);
}
