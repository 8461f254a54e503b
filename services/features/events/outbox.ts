import { randomUUID } from 'node:crypto';
import type { OutboxPlan } from '../../../workflows/contracts/endpoint-actor.ts';
import type { Db } from '../../core/db.ts';
import { FetchError } from '../../engines/fetch/errors.ts';
import type { GuardedFetcher } from '../../engines/fetch/fetcher.ts';
import { planAfter, runTurn, type Turn } from '../actor-turn.ts';
import type { App } from '../app.ts';
import { disabledMessage } from './endpoints.ts';
import { disableEndpoint, type EndpointRow, markFailing, markWorking, selectEndpointById } from './endpoints-sql.ts';
import { endWaiting } from './events-sql.ts';
import { countEvent } from './metrics.ts';
import { type ClaimedEvent, claimEvents, endSending, releaseEvents, selectNextEventMs } from './outbox-sql.ts';
import { nextSendMs } from './retry-schedule.ts';
import { endpointSecrets } from './secrets.ts';
import { signEvent } from './sign-event.ts';

/** Concurrent requests to one endpoint. */
const maxConcurrent = 16;
const maxLogEntries = 100;
const goneStatus = 410;

interface OutboxDeps {
  app: Pick<App, 'db' | 'config' | 'cipher' | 'log'>;
  fetcher: Pick<GuardedFetcher, 'post'>;
}

interface OutboxTurn {
  signal: AbortSignal;
  /** Whether the latest attempt of this turn failed; the endpoint's row may have been read before. */
  isFailing: boolean;
}

/** `error` null: the receiver has accepted the event. Only the status of its response is ever shown. */
interface AttemptResult {
  status: number | null;
  error: string | null;
}

/** Creates the sender of an endpoint's waiting events; see `EndpointActivities`. */
export function createOutbox({ app, fetcher }: OutboxDeps) {
  const { db, config, cipher, log } = app;

  async function post(endpoint: EndpointRow, event: ClaimedEvent, signal: AbortSignal): Promise<AttemptResult> {
    try {
      const body = Buffer.from(event.payload);
      const signed = signEvent(event.id, body, endpointSecrets.openValid(cipher, endpoint), Date.now());
      const headers = { 'content-type': 'application/json', ...signed };
      const totalTimeoutMs = config.eventTimeoutMs;
      const { status } = await fetcher.post(endpoint.url, { body, headers, totalTimeoutMs, signal });
      const isAccepted = status >= 200 && status <= 299;
      return { status, error: isAccepted ? null : `The endpoint responded with status ${status}.` };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof FetchError) return { status: null, error: error.message };
      log.error({ err: error, event: event.id }, 'an event could not be sent');
      return { status: null, error: "Something went wrong on our side; the worker's log has it under the event's id." };
    }
  }

  async function disable(tx: Db, endpoint: EndpointRow, failingDays: number, reason: string): Promise<void> {
    if (await disableEndpoint(tx, endpoint, failingDays, reason)) await endWaiting(tx, endpoint.id, disabledMessage);
  }

  /**
   * Ends a failed attempt. Disables an endpoint that responds 410, and ends its waiting events. Also disables one that
   * has failed for days, but only when an event has used up its retries, so that a site with few events does not lose
   * its endpoint over a short outage.
   */
  async function endFailed(
    endpoint: EndpointRow,
    event: ClaimedEvent,
    result: AttemptResult,
    log: ClaimedEvent['log'],
  ) {
    const isGone = result.status === goneStatus;
    const retryMs = isGone ? null : nextSendMs(event.attempts, config);
    const days = config.eventDisableDays;
    await db.transaction(async (tx) => {
      await endSending(tx, event, { status: 'failed', error: result.error, retryMs, log });
      await markFailing(tx, endpoint);
      if (isGone) await disable(tx, endpoint, 0, 'The endpoint responded with 410 Gone.');
      else if (retryMs === null) await disable(tx, endpoint, days, `Nothing could be delivered for ${days} days.`);
    });
    countEvent(retryMs === null ? 'failed' : 'retried');
  }

  async function send(outbox: OutboxTurn, endpoint: EndpointRow, event: ClaimedEvent): Promise<void> {
    const begun = new Date();
    const result = await post(endpoint, event, outbox.signal);
    const entry = { at: begun.toISOString(), duration_ms: Date.now() - begun.getTime(), ...result };
    const entries = [...event.log, entry].slice(-maxLogEntries);
    if (result.error !== null) {
      await endFailed(endpoint, event, result, entries);
      outbox.isFailing = true;
      return;
    }
    await endSending(db, event, { status: 'delivered', error: null, retryMs: null, log: entries });
    countEvent('delivered');
    if (!endpoint.failing_since && !outbox.isFailing) return;
    outbox.isFailing = false;
    await markWorking(db, endpoint);
  }

  return {
    /**
     * Sends what is due, for a bounded time. Throws when an engine is unavailable, after releasing the claimed events
     * if possible.
     */
    async work(endpointId: string, signal: AbortSignal): Promise<OutboxPlan> {
      const claim = randomUUID();
      const outbox: OutboxTurn = { signal, isFailing: false };
      await runTurn({
        atOnce: maxConcurrent,
        signal,
        async claim(room: number, turn: Turn) {
          // read again for each bundle, so that changes take effect at once
          const endpoint = await selectEndpointById(db, endpointId);
          if (!endpoint) return;
          if (!endpoint.enabled) return endWaiting(db, endpointId, disabledMessage);
          for (const event of await claimEvents(db, endpointId, claim, room)) turn.track(send(outbox, endpoint, event));
        },
        release: () => releaseEvents(db, claim, endpointId),
      });
      return planAfter(await selectNextEventMs(db, endpointId));
    },
  };
}
