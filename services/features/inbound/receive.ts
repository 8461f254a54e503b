import type { App } from '../app.ts';
import { integrationSecrets, integrationSlugPattern } from '../integrations/index.ts';
import { createEndpointFinder, type Endpoint } from './find-endpoint.ts';
import { createRecorder } from './record.ts';
import { openSignature } from './signature.ts';
import { createInboxWaker } from './wake.ts';

const deliveryIdPattern = /^[\x21-\x7e]{1,255}$/;

interface InboundHead {
  signature: string | undefined;
  deliveryId: string | undefined;
  headers: readonly (readonly [string, string])[];
  receivedAt: Date;
}

type InboundStatus = 200 | 202 | 400 | 401 | 404;

/** A delivery whose body is being received. */
export interface InboundDelivery {
  /** Whether the body is needed after a valid signature; otherwise it need not be buffered. */
  keepsBody: boolean;
  /** Processes the next transmitted bytes. */
  update(chunk: Buffer): void;
  /**
   * Checks signature and id: undefined when the delivery is to be recorded, otherwise the status of the refusal. Call
   * it once, at the end of the body.
   */
  refuse(): 400 | 401 | undefined;
  /**
   * Records the whole body; resolves to 202 after the commit. Throws a Problem `unavailable` when an engine is down.
   */
  record(body: Buffer): Promise<InboundStatus>;
}

/** Creates the endpoint's logic between the socket and SQL (spec: Events, "The endpoint only records and queues"). */
export function createReceiver(app: Pick<App, 'db' | 'objects' | 'cipher' | 'actors'>) {
  const recorder = createRecorder(app);
  const findEndpoint = createEndpointFinder(app.db);
  const wakeInbox = createInboxWaker(app.actors);

  async function record(endpoint: Endpoint, head: InboundHead, body: Buffer): Promise<InboundStatus> {
    const { headers, receivedAt } = head;
    const deliveryId = head.deliveryId!;
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
  }

  return {
    /** Returns the enabled integration of a slug. */
    async findEndpoint(slug: string): Promise<Endpoint | undefined> {
      return integrationSlugPattern.test(slug) ? findEndpoint(slug) : undefined;
    },

    /**
     * Starts to receive a delivery; returns undefined when the headers alone show that the signature is invalid (401).
     */
    begin(endpoint: Endpoint, head: InboundHead): InboundDelivery | undefined {
      const { signature: header, deliveryId, receivedAt } = head;
      const secrets = integrationSecrets.openValid(app.cipher, endpoint);
      const signature = openSignature({ header, secrets, nowMs: receivedAt.getTime() });
      if (!signature) return undefined;
      const isNamed = deliveryId !== undefined && deliveryIdPattern.test(deliveryId);
      return {
        keepsBody: isNamed,
        update: signature.update,
        refuse: () => (!signature.matches() ? 401 : isNamed ? undefined : 400),
        record: (body) => record(endpoint, head, body),
      };
    },
  };
}
