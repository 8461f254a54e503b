import type { App } from '../app.ts';
import { createEndpointFinder } from './find-endpoint.ts';
import { createRecorder } from './record.ts';
import type { Endpoint } from './record-sql.ts';
import { integrationSlugPattern } from './schema.ts';
import { integrationSecrets } from './secrets.ts';
import { isSignedBy } from './signature.ts';
import { createInboxWaker } from './wake.ts';

const deliveryIdPattern = /^[\x21-\x7e]{1,255}$/;

interface InboundRequest {
  signature: string | undefined;
  deliveryId: string | undefined;
  headers: readonly (readonly [string, string])[];
  /** The transmitted bytes. */
  body: Buffer;
  receivedAt: Date;
}

type InboundStatus = 200 | 202 | 400 | 401 | 404;

/** The endpoint's work between the socket and SQL (spec: Events, "The endpoint only records and queues"). */
export function createReceiver(app: Pick<App, 'db' | 'objects' | 'cipher' | 'actors'>) {
  const recorder = createRecorder(app);
  const findEndpoint = createEndpointFinder(app.db);
  const wakeInbox = createInboxWaker(app.actors);

  return {
    /** The enabled integration of a slug. */
    async findEndpoint(slug: string): Promise<Endpoint | undefined> {
      return integrationSlugPattern.test(slug) ? findEndpoint(slug) : undefined;
    },

    /** Checks and records; a 202 is given after the commit. Throws a Problem `unavailable` when an engine is down. */
    async receive(endpoint: Endpoint, request: InboundRequest): Promise<InboundStatus> {
      const { signature, deliveryId, headers, body, receivedAt } = request;
      const secrets = integrationSecrets.openValid(app.cipher, endpoint);
      if (!isSignedBy({ header: signature, body, secrets, nowMs: receivedAt.getTime() })) return 401;
      if (deliveryId === undefined || !deliveryIdPattern.test(deliveryId)) return 400;
      const verifiedAt = new Date();
      const outcome = await recorder.record({
        integrationId: endpoint.id,
        deliveryId,
        headers,
        body,
        receivedAt,
        verifiedAt,
      });
      if (outcome === 'gone') return 404;
      if (outcome === 'recorded') wakeInbox(endpoint.id);
      return outcome === 'recorded' ? 202 : 200;
    },
  };
}
