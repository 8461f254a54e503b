import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InboxPlan } from '../../../workflows/contracts/integration-actor.ts';
import { Problem } from '../../core/errors.ts';
import type { Site } from '../../core/http.ts';
import { currentOrigin, inSpan } from '../../core/tracing.ts';
import { withIds } from '../../core/work-context.ts';
import { requestPublish } from '../publishing/service.ts';
import { findSiteById } from '../sites/service.ts';
import { announceFailedDeliveries } from './announce.ts';
import {
  attachJob,
  type ClaimedDelivery,
  claimDeliveries,
  type Ending,
  endAttempt,
  releaseClaim,
  selectDueRebuilds,
  selectNextDueMs,
} from './inbox-sql.ts';
import { selectIntegrationById } from './integrations-sql.ts';
import {
  applyDelivery,
  type MapDeps,
  type MapOutcome,
  prepareDelivery,
  type ReadDelivery,
  readDelivery,
} from './map-delivery.ts';
import { mapperOf } from './mappers/index.ts';
import { type Mapper, UnusablePayload } from './mappers/mapper.ts';
import { countDelivery, type DeliveryOutcome } from './metrics.ts';
import { nextRetryMs } from './retry.ts';
import { entry } from './timeline.ts';

/** One turn claims new work for so long; then the actor begins another, so that its history stays small and it can be moved. */
const turnMs = 20_000;
const maxClaimed = 48;
/** A payload that ends its worker every time must not do so for ever. */
const maxInterruptions = 20;
/** While there is more to map, the site is woken this often at most: its builds take all that is mapped by then. */
const siteWakeMs = 1000;

interface Turn {
  deps: MapDeps;
  site: Site;
  mapper: Mapper;
  claim: string;
  signal: AbortSignal;
  running: Set<Promise<void>>;
  /** The last delivery of each item in this turn: the next one waits for it. */
  chains: Map<string, Promise<void>>;
  /** Transactions of one site conflict more than they overlap, so they are run one after the other. */
  applyInTurn(apply: () => Promise<MapOutcome>): Promise<MapOutcome>;
  wakeSite(more: boolean): void;
  failure: { error: unknown } | null;
}

const internalMessage = "Something went wrong on our side; the worker's log has it under the id of this delivery.";

/** The error for the record. Rethrows what is not the delivery's: an engine that is away, the end of this worker. */
function describeFailure({ deps, signal }: Turn, delivery: ClaimedDelivery, error: unknown): string {
  if (signal.aborted) throw signal.reason;
  if (error instanceof Problem && error.code === 'unavailable') throw error;
  if (error instanceof Problem) return error.message;
  deps.app.log.error({ err: error, delivery: delivery.id }, 'a delivery could not be mapped');
  return internalMessage;
}

/** Ends a failed attempt; when it was the last, those who listen are told. False when this run held the delivery no longer. */
async function endFailed({ deps, site }: Turn, delivery: ClaimedDelivery, end: Omit<Ending, 'status' | 'result'>) {
  return deps.app.db.transaction(async (tx) => {
    const ended = await endAttempt(tx, delivery, { ...end, status: 'failed', result: null });
    if (ended && end.retryMs === null) await announceFailedDeliveries(tx, site.id, [delivery.id]);
    return ended;
  });
}

/** The message stays in the record: it may quote the payload. */
function noteEnd({ deps }: Turn, delivery: ClaimedDelivery, outcome: DeliveryOutcome): void {
  countDelivery(outcome);
  deps.app.log.info({ delivery: delivery.id, outcome, attempt: delivery.attempts }, 'delivery not mapped');
}

/** Ends an attempt as skipped, or as failed with the time of the next one (spec: Mappers, rule 4). */
async function endUnmapped(turn: Turn, delivery: ClaimedDelivery, error: unknown): Promise<void> {
  const { db, config } = turn.deps.app;
  if (error instanceof UnusablePayload) {
    const { message } = error;
    const entries = [entry('skipped', undefined, { message })];
    const ended = await endAttempt(db, delivery, {
      status: 'skipped',
      error: message,
      result: null,
      retryMs: null,
      entries,
    });
    if (ended) noteEnd(turn, delivery, 'skipped');
    return;
  }
  const message = describeFailure(turn, delivery, error);
  const retryMs = nextRetryMs(delivery.attempts, config);
  const entries = [entry('failed', undefined, { message, attempt: delivery.attempts })];
  if (await endFailed(turn, delivery, { error: message, retryMs, entries }))
    noteEnd(turn, delivery, retryMs === null ? 'failed' : 'retried');
}

async function abandon(turn: Turn, delivery: ClaimedDelivery): Promise<void> {
  const error = `The worker ended ${delivery.interruptions} times while it processed this delivery.`;
  const entries = [entry('failed', undefined, { message: error })];
  if (await endFailed(turn, delivery, { error, retryMs: null, entries })) noteEnd(turn, delivery, 'failed');
}

/** Runs a delivery's work under its ids, and in the trace of the request that brought it. */
function asDelivery<T>(
  { id, integration_id, origin }: ClaimedDelivery,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const { request_id, traceparent } = origin ?? {};
  const turn = currentOrigin()?.traceparent;
  const options = {
    parent: traceparent,
    links: traceparent && turn ? [turn] : [],
    attributes: { 'fieldstone.delivery': id, 'fieldstone.integration': integration_id },
  };
  return withIds({ delivery: id, integration: integration_id, ...(request_id ? { request_id } : {}) }, () =>
    inSpan(name, options, work),
  );
}

/** Reads a delivery at once, so that its item is known, and maps it after those before it of the same item. */
async function begin(turn: Turn, delivery: ClaimedDelivery): Promise<void> {
  const { deps, mapper, chains } = turn;
  if (delivery.interruptions > maxInterruptions) return track(turn, abandon(turn, delivery));
  try {
    const read = await asDelivery(delivery, 'read delivery', () => readDelivery(deps, mapper, delivery));
    const before = chains.get(read.itemKey);
    const work = async () => {
      await before?.catch(() => undefined);
      await asDelivery(delivery, 'map delivery', () => map(turn, read));
    };
    const running = work();
    chains.set(read.itemKey, running);
    track(turn, running);
  } catch (error) {
    track(turn, endUnmapped(turn, delivery, error));
  }
}

async function map(turn: Turn, read: ReadDelivery): Promise<void> {
  const { deps, site, signal } = turn;
  try {
    const ready = await inSpan('prepare', {}, () => prepareDelivery(deps, site, read, signal));
    const outcome = await turn.applyInTurn(() => inSpan('apply', {}, () => applyDelivery(deps, site, ready)));
    deps.app.log.debug({ outcome, attempt: read.delivery.attempts }, 'delivery mapped');
    if (outcome === 'superseded') countDelivery('superseded');
    if (outcome === 'mapped') turn.wakeSite(turn.running.size > 1);
  } catch (error) {
    await endUnmapped(turn, read.delivery, error);
  }
}

/** An error that gets here is an engine's: the turn ends with it once everything under way has come to an end. */
function track(turn: Turn, work: Promise<void>): void {
  const tracked: Promise<void> = work
    .catch((error: unknown) => {
      turn.failure ??= { error };
    })
    .finally(() => turn.running.delete(tracked));
  turn.running.add(tracked);
}

/** Mapped deliveries whose build failed ask for another one, all of them for the same (contract: Records, delivery). */
async function retryBuilds({ app }: MapDeps, integrationId: string, siteId: string): Promise<void> {
  const retried = await app.db.transaction(async (tx) => {
    const due = await selectDueRebuilds(tx, integrationId);
    if (due.length === 0) return false;
    await attachJob(
      tx,
      due.map(({ id }) => id),
      await requestPublish(tx, siteId, 'webhook'),
    );
    return true;
  });
  if (retried) app.temporal.wakeSite(siteId);
}

async function runTurn(turn: Turn, integrationId: string): Promise<void> {
  const { deps, claim, signal, running } = turn;
  const until = Date.now() + turnMs;
  for (;;) {
    const open = Date.now() < until && !signal.aborted && !turn.failure;
    // claimed in bundles: as soon as there is room for half of one
    if (open && running.size <= maxClaimed / 2) {
      const claimed = await claimDeliveries(deps.app.db, integrationId, claim, maxClaimed - running.size);
      for (const delivery of claimed) await begin(turn, delivery);
    }
    if (running.size === 0) return;
    await Promise.race([...running, ...(open ? [sleep(250)] : [])]);
  }
}

/** Runs what it is given one after the other. */
function createTurnstile() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}

function createSiteWaker({ app }: MapDeps, siteId: string) {
  let wokenAt = 0;
  return (more: boolean) => {
    if (more && Date.now() - wokenAt < siteWakeMs) return;
    wokenAt = Date.now();
    app.temporal.wakeSite(siteId);
  };
}

/** Works through the inbox of an integration; see `IntegrationActivities`. */
export function createInbox(deps: MapDeps) {
  const { app } = deps;

  async function planNext(integrationId: string): Promise<InboxPlan> {
    const dueMs = await selectNextDueMs(app.db, integrationId);
    if (dueMs === null) return { do: 'idle' };
    return dueMs <= 0 ? { do: 'continue' } : { do: 'sleep', ms: Math.ceil(dueMs) };
  }

  return {
    /** Maps what is due, for a bounded time. Throws when an engine is away; what was held is given back as far as possible. */
    async work(integrationId: string, signal: AbortSignal): Promise<InboxPlan> {
      const integration = await selectIntegrationById(app.db, integrationId);
      const site = integration && (await findSiteById(app.db, integration.site_id));
      if (!integration || !site) return { do: 'end' };
      await retryBuilds(deps, integrationId, site.id);
      const turn: Turn = {
        deps,
        site,
        mapper: mapperOf(integration.mapper),
        claim: randomUUID(),
        signal,
        running: new Set(),
        chains: new Map(),
        applyInTurn: createTurnstile(),
        wakeSite: createSiteWaker(deps, site.id),
        failure: null,
      };
      await runTurn(turn, integrationId);
      if (turn.failure) {
        await releaseClaim(app.db, turn.claim, integrationId);
        throw turn.failure.error;
      }
      return planNext(integrationId);
    },
  };
}
