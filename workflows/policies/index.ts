/** Timeouts, retries and queues of calls, by name; all times in milliseconds. Imports types only: actors and definitions read it. */

import type { MediaTask } from '../contracts/media.ts';
import type { CallName, Calls } from '../contracts/runtime.ts';
import type { BuildOrder } from '../contracts/site-actor.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** A queue bounds what one worker does at once. A call that waits for other people's servers never keeps a build from starting. */
export type QueueName = 'general' | 'suspects' | 'fetch' | 'inbox' | 'outbox' | 'media' | 'video';

/** Number of calls that one worker runs at once, by queue. */
export const queueLimits: Record<QueueName, number> = {
  general: 20,
  /** Builds of sites whose builds ended a worker: one by one, so that the guilty one is found. */
  suspects: 1,
  /** Downloads and fact checks mostly wait, for their turn within the worker: see `fetchShares`. */
  fetch: 256,
  /** Inboxes mostly wait. */
  inbox: 16,
  /** Slow receivers hold up no other. */
  outbox: 64,
  /** Variants of an image use a core or more. */
  media: 2,
  /** Videos take minutes; on a queue of their own they do not keep images waiting. */
  video: 1,
};

/**
 * What other people's servers may keep a worker busy with, in all and for one site; what waits longer than its time is refused. Each
 * download holds up to 8 MiB.
 */
export const fetchShares = {
  imports: { total: 20, perOwner: 6, waitingPerOwner: 64, waitMs: 12 * second },
  factChecks: { total: 10, perOwner: 3, waitingPerOwner: 32, waitMs: 12 * second },
} as const;

/** Previews of items that one worker renders at once, in all and of one site; what waits longer than its time is refused. */
export const previewShares = { total: 4, perOwner: 1, waitingPerOwner: 32, waitMs: 12 * second } as const;

/** The task queues of Temporal. */
export const taskQueues: Record<QueueName, string> = {
  general: 'fieldstone',
  suspects: 'fieldstone-suspects',
  fetch: 'fieldstone-fetch',
  inbox: 'fieldstone-inbox',
  outbox: 'fieldstone-outbox',
  media: 'fieldstone-media',
  video: 'fieldstone-video',
};

export interface RetryPolicy {
  initialInterval: number;
  backoffCoefficient: number;
  maximumInterval: number;
  /** Unlimited when absent. */
  maximumAttempts?: number;
}

export interface CallPolicy<Input = never> {
  /** `local`: short, and run beside the actor instead of on a queue. */
  queue: QueueName | 'local' | ((input: Input) => QueueName);
  /** The longest that one attempt may take. */
  startToCloseTimeout: number;
  /** A worker that was killed during the call is noticed after this time, where workers are several. */
  heartbeatTimeout?: number;
  retry: RetryPolicy;
  /**
   * A Problem below 500, or that the caller has too much under way, is the caller's response and not a failure of an engine: it is
   * not retried and reaches the caller whole.
   */
  problemsAreFinal?: true;
}

const engineRetry = { initialInterval: 0.5 * second, backoffCoefficient: 2, maximumInterval: 15 * second };
const callerRetry = { initialInterval: 0.2 * second, backoffCoefficient: 2, maximumInterval: 20 * second };

/** Questions to SQL: short, and repeated for as long as the database does not answer. */
const ask = { queue: 'local', startToCloseTimeout: 20 * second, retry: engineRetry } as const;

/**
 * One turn of an inbox or an outbox. It ends by itself after a while, and another worker continues when its worker was lost. What
 * a payload or a receiver broke is an outcome of its delivery or event, so every failure is an engine's.
 */
const turn = { startToCloseTimeout: 15 * minute, heartbeatTimeout: 8 * second, retry: engineRetry } as const;

/** A build stops itself well before (FIELDSTONE_BUILD_TIME_LIMIT_SECONDS); this is for one that cannot. */
const buildTimeoutMs = 30 * minute;

type CallPolicies = { [Name in CallName]: CallPolicy<Parameters<Calls[Name]>[0]> };

export const callPolicies: CallPolicies = {
  planSite: ask,
  planMedia: ask,
  /** What an author broke is an outcome, not a failure, so every failure is an engine's and worth a retry. */
  buildSite: {
    queue: ({ alone }: BuildOrder) => (alone ? 'suspects' : 'general'),
    startToCloseTimeout: buildTimeoutMs,
    heartbeatTimeout: 5 * second,
    retry: engineRetry,
  },
  /** Variants of one item. A file that cannot be processed is an outcome, so every failure is an engine's or a lost process's. */
  processMedia: {
    queue: (task: MediaTask) => (task.work === 'video' ? 'video' : 'media'),
    startToCloseTimeout: 6 * hour,
    heartbeatTimeout: 6 * second,
    retry: { initialInterval: second, backoffCoefficient: 2, maximumInterval: minute },
  },
  workInbox: { queue: 'inbox', ...turn },
  sendEvents: { queue: 'outbox', ...turn },
  /** A download that a request waits for; retried only when its worker was lost. */
  fetchMedia: {
    queue: 'fetch',
    startToCloseTimeout: 75 * second,
    heartbeatTimeout: 8 * second,
    retry: { ...callerRetry, maximumAttempts: 3 },
    problemsAreFinal: true,
  },
  /** A fact check that a request waits for; its own limits are shorter. */
  checkFacts: {
    queue: 'fetch',
    startToCloseTimeout: 65 * second,
    heartbeatTimeout: 8 * second,
    retry: { ...callerRetry, maximumAttempts: 2 },
    problemsAreFinal: true,
  },
  /** A render that a request waits for; it ends itself before (`itemPreviewLimitMs`). */
  previewItem: {
    queue: 'general',
    startToCloseTimeout: 65 * second,
    heartbeatTimeout: 8 * second,
    retry: { ...callerRetry, maximumAttempts: 3 },
    problemsAreFinal: true,
  },
};

export const heartbeatMs = second;

/** A worker that stops waits this long for calls under way, then cancels them, and waits as long again. */
export const shutdownGraceMs = 8 * second;

/** A step of a workflow is short; a worker that was killed in one is noticed after this time. */
export const workflowTaskTimeoutMs = 4 * second;

/** The longest sleep before something that is due: SQL is asked again then, so a clock that was set does no harm. */
export const actorRestMs = 6 * hour;

/** An actor that ends when it has nothing to do waits this long for more. */
export const actorLingerMs = 20 * second;

/** An actor's work counts as its last caller's for this long. */
export const traceContextKeptMs = minute;

/** An actor continues as new after this number of events at the latest. */
export const actorMaxEvents = 4000;
