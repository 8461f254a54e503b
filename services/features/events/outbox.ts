import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OutboxPlan } from '../../../workflows/contracts/endpoint-actor.ts';
import { FetchError } from '../../engines/fetch/errors.ts';
import type { GuardedFetcher } from '../../engines/fetch/fetcher.ts';
import type { App } from '../app.ts';
import { disabledMessage } from './endpoints.ts';
import { disableEndpoint, type EndpointRow, markFailing, markWorking, selectEndpointById } from './endpoints-sql.ts';
import { endWaiting } from './events-sql.ts';
import { type ClaimedEvent, claimEvents, endSending, releaseEvents, selectNextEventMs } from './outbox-sql.ts';
import { nextSendMs } from './retry-schedule.ts';
import { openSigningSecrets } from './secrets.ts';
import { signEvent } from './sign-event.ts';

/** One turn claims new work for so long; then the actor begins another, so that its history stays small and it can be moved. */
const turnMs = 20_000;
/** Requests to one endpoint at once. */
const maxAtOnce = 16;
const maxLogEntries = 100;
const goneStatus = 410;

export interface OutboxDeps {
  app: Pick<App, 'db' | 'config' | 'cipher' | 'log'>;
  fetcher: Pick<GuardedFetcher, 'post'>;
}

interface Turn {
  endpointId: string;
  claim: string;
  signal: AbortSignal;
  running: Set<Promise<void>>;
  failure: { error: unknown } | null;
}

/** `error` null: the receiver has it. What a receiver says beyond its status is shown to nobody. */
interface Answer {
  status: number | null;
  error: string | null;
}

/** Works through what waits for an endpoint; see `EndpointActivities`. */
export function createOutbox({ app, fetcher }: OutboxDeps) {
  const { db, config, cipher, log } = app;

  async function post(endpoint: EndpointRow, event: ClaimedEvent, signal: AbortSignal): Promise<Answer> {
    try {
      const body = Buffer.from(event.payload);
      const signed = signEvent(event.id, body, openSigningSecrets(cipher, endpoint), Date.now());
      const headers = { 'content-type': 'application/json', ...signed };
      const totalTimeoutMs = config.eventTimeoutMs;
      const { status } = await fetcher.post(endpoint.url, { body, headers, totalTimeoutMs, signal });
      const isTaken = status >= 200 && status <= 299;
      return { status, error: isTaken ? null : `The endpoint answered with status ${status}.` };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof FetchError) return { status: null, error: error.message };
      log.error({ err: error, event: event.id }, 'an event could not be sent');
      return { status: null, error: "Something went wrong on our side; the worker's log has it under the event's id." };
    }
  }

  async function disable(tx: Pick<typeof db, 'query'>, id: string, failingDays: number, reason: string): Promise<void> {
    if (await disableEndpoint(tx, id, failingDays, reason)) await endWaiting(tx, id, disabledMessage);
  }

  /**
   * Ends a failed attempt. An endpoint that is gone is disabled, with everything that waits for it; so is one that has failed
   * for days when an event has used up its schedule, so that a site of few events does not lose its endpoint by one bad minute.
   */
  async function endFailed(endpoint: EndpointRow, event: ClaimedEvent, answer: Answer, log: ClaimedEvent['log']) {
    const isGone = answer.status === goneStatus;
    const retryMs = isGone ? null : nextSendMs(event.attempts, config);
    const days = config.eventDisableDays;
    await db.transaction(async (tx) => {
      await endSending(tx, event, { status: 'failed', error: answer.error, retryMs, log });
      await markFailing(tx, endpoint.id);
      if (isGone) await disable(tx, endpoint.id, 0, 'The endpoint answered 410 Gone.');
      else if (retryMs === null) await disable(tx, endpoint.id, days, `Nothing could be delivered for ${days} days.`);
    });
  }

  async function send(endpoint: EndpointRow, event: ClaimedEvent, signal: AbortSignal): Promise<void> {
    const begun = new Date();
    const answer = await post(endpoint, event, signal);
    const entry = { at: begun.toISOString(), duration_ms: Date.now() - begun.getTime(), ...answer };
    const entries = [...event.log, entry].slice(-maxLogEntries);
    if (answer.error !== null) return endFailed(endpoint, event, answer, entries);
    await endSending(db, event, { status: 'delivered', error: null, retryMs: null, log: entries });
    if (endpoint.failing_since) await markWorking(db, endpoint.id);
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

  /** The endpoint is read anew for each bundle, so that changes of it work at once. */
  async function sendNext(turn: Turn, room: number): Promise<void> {
    const { endpointId, claim, signal } = turn;
    const endpoint = await selectEndpointById(db, endpointId);
    if (endpoint?.enabled) {
      const claimed = await claimEvents(db, endpointId, claim, room);
      for (const event of claimed) track(turn, send(endpoint, event, signal));
    } else if (endpoint) {
      await endWaiting(db, endpointId, disabledMessage);
    }
  }

  async function runTurn(turn: Turn): Promise<void> {
    const { signal, running } = turn;
    const until = Date.now() + turnMs;
    for (;;) {
      const open = Date.now() < until && !signal.aborted && !turn.failure;
      if (open && running.size <= maxAtOnce / 2) await sendNext(turn, maxAtOnce - running.size);
      if (running.size === 0) return;
      await Promise.race([...running, ...(open ? [sleep(250)] : [])]);
    }
  }

  async function planNext(endpointId: string): Promise<OutboxPlan> {
    const dueMs = await selectNextEventMs(db, endpointId);
    if (dueMs === null) return { do: 'idle' };
    return dueMs <= 0 ? { do: 'continue' } : { do: 'sleep', ms: Math.ceil(dueMs) };
  }

  return {
    /** Sends what is due, for a bounded time. Throws when an engine is away; what was held is given back as far as possible. */
    async work(endpointId: string, signal: AbortSignal): Promise<OutboxPlan> {
      const turn: Turn = { endpointId, claim: randomUUID(), signal, running: new Set(), failure: null };
      await runTurn(turn);
      if (turn.failure) {
        await releaseEvents(db, turn.claim, endpointId);
        throw turn.failure.error;
      }
      return planNext(endpointId);
    },
  };
}
