import { Problem } from '../../core/errors.ts';
import type { Site } from '../../core/http.ts';
import type { WorkerApp } from '../app.ts';
import {
  announceFailedDeliveries,
  type ClaimedDelivery,
  countDelivery,
  type DeliveryOutcome,
  endFailed,
  endSkipped,
  type RetrySettings,
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

/** Ends a failed attempt; when it was the last, the event endpoints of the site are told. */
async function endAttempt(
  deps: UnmappedDeps,
  delivery: ClaimedDelivery,
  failure: { message: string; retry: RetrySettings | null; details?: Record<string, unknown> },
): Promise<void> {
  const outcome = await deps.app.db.transaction(async (tx) => {
    const outcome = await endFailed(tx, delivery, failure);
    if (outcome === 'failed') await announceFailedDeliveries(tx, deps.site.id, [delivery.id]);
    return outcome;
  });
  if (outcome) noteEnd(deps, delivery, outcome);
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
    if (await endSkipped(db, delivery, error.message)) noteEnd(deps, delivery, 'skipped');
    return;
  }
  const message = describeFailure(deps, delivery, error);
  await endAttempt(deps, delivery, { message, retry: config, details: { attempt: delivery.attempts } });
}

/** Ends a delivery that ended its worker too often. */
export async function abandon(deps: UnmappedDeps, delivery: ClaimedDelivery): Promise<void> {
  const message = `The worker ended ${delivery.interruptions} times while it processed this delivery.`;
  await endAttempt(deps, delivery, { message, retry: null });
}
