/** The public interface of events. */

export { allEvents, type EventData, maxListedUrls, payloadSchemaOf } from './catalogue.ts';
export { rotateEndpoint, updateEndpoint } from './endpoints.ts';
export { type EndpointRow, selectAllEndpoints, selectEndpointById } from './endpoints-sql.ts';
export { replayEvent, requireEvent, sendTestEvent } from './events.ts';
export { purgeEvents, selectEvents } from './events-sql.ts';
export { createOutbox } from './outbox.ts';
export { selectEndpointsToWake } from './outbox-sql.ts';
export { type EventRecord, presentEndpoint, presentEvent } from './present.ts';
export { hasSubscribers, recordEvents, shortError } from './record-events.ts';
export { eventStatuses } from './schema.ts';
export { endpointSecrets } from './secrets.ts';
