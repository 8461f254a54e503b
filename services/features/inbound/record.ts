import { createBatches } from '../../core/batches.ts';
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

/** Returns how many of the deliveries, from the front of the queue, one statement records. */
function countFitting(deliveries: readonly NewDelivery[]): number {
  let bytes = 0;
  let count = 0;
  while (count < deliveries.length && count < maxBatch) {
    bytes += deliveries[count]!.bodyBytes;
    if (count > 0 && bytes > maxBatchBytes) break;
    count++;
  }
  return count;
}

/** Records a batch; of two with the same id, the first is the new one. */
async function recordBatch(
  { db }: Deps,
  integrationId: string,
  batch: readonly NewDelivery[],
): Promise<RecordOutcome[]> {
  const fresh = await insertDeliveries(db, integrationId, batch);
  return batch.map(({ deliveryId }) => {
    if (!fresh) return 'gone';
    return fresh.delete(deliveryId) ? 'recorded' : 'duplicate';
  });
}

/**
 * Creates the recorder of the endpoint's deliveries. Every delivery takes a number from its integration's row, which
 * defines the order of acceptance across replicas. To keep this row from becoming a bottleneck, deliveries that arrive
 * during a statement are recorded together by the next one (docs/decisions: deliveries are recorded in groups). Its
 * promises resolve after the commit.
 */
export function createRecorder(deps: Deps) {
  const record = createBatches<NewDelivery, RecordOutcome>(
    (integrationId, batch) => recordBatch(deps, integrationId, batch),
    countFitting,
  );

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
      return record(incoming.integrationId, toRow(incoming, null));
    },
  };
}
