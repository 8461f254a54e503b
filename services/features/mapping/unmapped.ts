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
  /** Aborted when this worker stops, which is not the delivery's fault. */
  signal: AbortSignal;
}

/**
 * Returns the error for the record. Rethrows errors that the delivery did not cause: an engine is unavailable, or this
 * worker stops.
 */
function describeFailure({ app, signal }: UnmappedDeps, delivery: ClaimedDelivery, error: unknown): string {
  if (signal.aborted) throw signal.reason;
  if (error instanceof Problem && error.code === 'unavailable') throw error;
  if (error instanceof Problem) return error.message;
  app.log.error({ err: error, delivery: delivery.id }, 'a delivery could not be mapped');
  return internalMessage;
}

/** Ends a failed attempt; after the last one, notifies the event endpoints of the site. */
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
  if (outcome) reportOutcome(deps, delivery, outcome);
}

/** Counts and logs the outcome. The message stays in the record, because it may quote the payload. */
function reportOutcome({ app }: UnmappedDeps, delivery: ClaimedDelivery, outcome: DeliveryOutcome): void {
  countDelivery(outcome);
  app.log.info({ delivery: delivery.id, outcome, attempt: delivery.attempts }, 'delivery not mapped');
}

/**
 * Ends an attempt as skipped, or as failed with the time of the next one (spec: Mappers, rule 4). Rethrows an engine's
 * error.
 */
export async function endUnmapped(deps: UnmappedDeps, delivery: ClaimedDelivery, error: unknown): Promise<void> {
  const { db, config } = deps.app;
  if (error instanceof UnusablePayload) {
    if (await endSkipped(db, delivery, error.message)) reportOutcome(deps, delivery, 'skipped');
    return;
  }
  const message = describeFailure(deps, delivery, error);
  await endAttempt(deps, delivery, { message, retry: config, details: { attempt: delivery.attempts } });
}

/** Ends a delivery that crashed its worker too often. */
export async function abandon(deps: UnmappedDeps, delivery: ClaimedDelivery): Promise<void> {
  const message = `The worker ended ${delivery.interruptions} times while it processed this delivery.`;
  await endAttempt(deps, delivery, { message, retry: null });
}
