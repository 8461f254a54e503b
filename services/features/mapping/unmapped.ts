import { Problem } from '../../core/errors.ts';
import type { Site } from '../../core/http.ts';
import type { WorkerApp } from '../app.ts';
import {
  announceFailedDeliveries,
  type ClaimedDelivery,
  countDelivery,
  type DeliveryOutcome,
  type Ending,
  endAttempt,
  entry,
  nextRetryMs,
} from '../inbound/index.ts';
import { UnusablePayload } from './mappers/mapper.ts';

const internalMessage = "Something went wrong on our side; the worker's log has it under the id of this delivery.";

interface UnmappedDeps {
  app: Pick<WorkerApp, 'db' | 'config' | 'log'>;
  site: Site;
  /** The end of this worker, which is no fault of the delivery. */
  signal: AbortSignal;
}

/** The error for the record. Rethrows what is not the delivery's: an engine that is away, the end of this worker. */
function describeFailure({ app, signal }: UnmappedDeps, delivery: ClaimedDelivery, error: unknown): string {
  if (signal.aborted) throw signal.reason;
  if (error instanceof Problem && error.code === 'unavailable') throw error;
  if (error instanceof Problem) return error.message;
  app.log.error({ err: error, delivery: delivery.id }, 'a delivery could not be mapped');
  return internalMessage;
}

/** Ends a failed attempt; when it was the last, those who listen are told. False when this run held the delivery no longer. */
async function endFailed(
  { app, site }: UnmappedDeps,
  delivery: ClaimedDelivery,
  end: Omit<Ending, 'status' | 'result'>,
) {
  return app.db.transaction(async (tx) => {
    const ended = await endAttempt(tx, delivery, { ...end, status: 'failed', result: null });
    if (ended && end.retryMs === null) await announceFailedDeliveries(tx, site.id, [delivery.id]);
    return ended;
  });
}

/** The message stays in the record: it may quote the payload. */
function noteEnd({ app }: UnmappedDeps, delivery: ClaimedDelivery, outcome: DeliveryOutcome): void {
  countDelivery(outcome);
  app.log.info({ delivery: delivery.id, outcome, attempt: delivery.attempts }, 'delivery not mapped');
}

/** Ends an attempt as skipped, or as failed with the time of the next one (spec: Mappers, rule 4). Throws what is an engine's fault. */
export async function endUnmapped(deps: UnmappedDeps, delivery: ClaimedDelivery, error: unknown): Promise<void> {
  const { db, config } = deps.app;
  if (error instanceof UnusablePayload) {
    const { message } = error;
    const entries = [entry('skipped', undefined, { message })];
    const end = { status: 'skipped', error: message, result: null, retryMs: null, entries } as const;
    if (await endAttempt(db, delivery, end)) noteEnd(deps, delivery, 'skipped');
    return;
  }
  const message = describeFailure(deps, delivery, error);
  const retryMs = nextRetryMs(delivery.attempts, config);
  const entries = [entry('failed', undefined, { message, attempt: delivery.attempts })];
  if (await endFailed(deps, delivery, { error: message, retryMs, entries }))
    noteEnd(deps, delivery, retryMs === null ? 'failed' : 'retried');
}

/** Ends a delivery that ended its worker too often. */
export async function abandon(deps: UnmappedDeps, delivery: ClaimedDelivery): Promise<void> {
  const error = `The worker ended ${delivery.interruptions} times while it processed this delivery.`;
  const entries = [entry('failed', undefined, { message: error })];
  if (await endFailed(deps, delivery, { error, retryMs: null, entries })) noteEnd(deps, delivery, 'failed');
}
