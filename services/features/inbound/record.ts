import { currentOrigin } from '../../core/tracing.ts';
import type { App } from '../app.ts';
import { insertDeliveries, type NewDelivery } from './delivery-state.ts';
import { entry, toJson } from './timeline.ts';

/** Larger bodies are in the object store, not in SQL rows. */
const maxInlineBodyBytes = 256 * 1024;
const maxBatch = 64;
const maxBatchBytes = 1024 * 1024;

interface IncomingDelivery {
  integrationId: string;
  deliveryId: string;
  headers: readonly (readonly [string, string])[];
  body: Buffer;
  receivedAt: Date;
  verifiedAt: Date;
}

/** `gone`: the integration was deleted or disabled meanwhile. */
type RecordOutcome = 'recorded' | 'duplicate' | 'gone';

interface Waiting {
  delivery: NewDelivery;
  resolve: (outcome: RecordOutcome) => void;
  reject: (error: unknown) => void;
}

type Deps = Pick<App, 'db' | 'objects'>;

function toRow(incoming: IncomingDelivery, bodyHash: string | null): NewDelivery {
  const { deliveryId, headers, body, receivedAt, verifiedAt } = incoming;
  return {
    deliveryId,
    headers,
    body: bodyHash ? null : body,
    bodyHash,
    bodyBytes: body.length,
    timeline: toJson(entry('received', receivedAt), entry('verified', verifiedAt), entry('recorded')),
    origin: currentOrigin(),
  };
}

/** Removes the deliveries that one statement records from the front of the queue. */
function takeBatch(queue: Waiting[]): Waiting[] {
  let bytes = 0;
  let count = 0;
  while (count < queue.length && count < maxBatch) {
    bytes += queue[count]!.delivery.bodyBytes;
    if (count > 0 && bytes > maxBatchBytes) break;
    count++;
  }
  return queue.splice(0, count);
}

/** Records a batch and resolves its requests; of two with the same id, the first is the new one. */
async function recordBatch({ db }: Deps, integrationId: string, batch: Waiting[]): Promise<void> {
  try {
    const rows = batch.map(({ delivery }) => delivery);
    const fresh = await insertDeliveries(db, integrationId, rows);
    for (const { delivery, resolve } of batch) {
      if (!fresh) resolve('gone');
      else resolve(fresh.delete(delivery.deliveryId) ? 'recorded' : 'duplicate');
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

/**
 * Creates the recorder of the endpoint's deliveries. Every delivery takes a number from its integration's row, which
 * defines the order of acceptance across replicas. To keep this row from becoming a bottleneck, deliveries that arrive
 * during a statement are recorded together by the next one (docs/decisions: deliveries are recorded in groups). Its
 * promises resolve after the commit.
 */
export function createRecorder(deps: Deps) {
  const queues = new Map<string, Waiting[]>();

  async function drain(integrationId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) await recordBatch(deps, integrationId, takeBatch(queue));
    queues.delete(integrationId);
  }

  function enqueue(integrationId: string, delivery: NewDelivery): Promise<RecordOutcome> {
    return new Promise((resolve, reject) => {
      const waiting = { delivery, resolve, reject };
      const queue = queues.get(integrationId);
      if (queue) {
        queue.push(waiting);
        return;
      }
      const fresh = [waiting];
      queues.set(integrationId, fresh);
      void drain(integrationId, fresh);
    });
  }

  /** Records a delivery with a large body, which is stored first and pinned in the transaction that refers to it. */
  async function recordLarge(incoming: IncomingDelivery): Promise<RecordOutcome> {
    const hash = await deps.objects.putBytes(incoming.body);
    const fresh = await deps.db.transaction(async (tx) => {
      await deps.objects.pin(tx, [hash]);
      return insertDeliveries(tx, incoming.integrationId, [toRow(incoming, hash)]);
    });
    return fresh ? (fresh.size > 0 ? 'recorded' : 'duplicate') : 'gone';
  }

  return {
    /**
     * Records a delivery. Throws a Problem `unavailable` when an engine is down; then nothing is recorded, or the
     * sender's next attempt is a duplicate.
     */
    async record(incoming: IncomingDelivery): Promise<RecordOutcome> {
      if (incoming.body.length > maxInlineBodyBytes) return recordLarge(incoming);
      return enqueue(incoming.integrationId, toRow(incoming, null));
    },
  };
}
