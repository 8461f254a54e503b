/**
 * Timeouts, retries and queues of calls, by name; all times in milliseconds. Imports only types: actors and definitions
 * import it.
 */

import type { MediaTask } from '../contracts/media.ts';
import type { CallName, Calls } from '../contracts/runtime.ts';
import type { BuildInput } from '../contracts/site-actor.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** A queue bounds the concurrency of one worker. A call that waits for external servers never delays a build. */
export type QueueName = 'general' | 'suspects' | 'fetch' | 'inbox' | 'outbox' | 'media' | 'video';

/** Maximum number of concurrent calls per worker, by queue. */
export const queueLimits: Record<QueueName, number> = {
  general: 20,
  /** Builds of sites whose builds crashed a worker: one at a time, to identify the site at fault. */
  suspects: 1,
  /**
   * Downloads, fact checks and operations on backups mostly wait, also for their turn within the worker: see
   * `fetchShares` and `backupShares`.
   */
  fetch: 256,
  /** Inboxes mostly wait. */
  inbox: 16,
  /** Slow receivers do not delay others. */
  outbox: 64,
  /** Making variants of an image uses a core or more. */
  media: 2,
  /** Videos take minutes; on a separate queue they do not delay images. */
  video: 1,
};

/**
 * Concurrency limits of calls to external servers, in total and per site; a call that waits longer than `waitMs` is
 * refused. Each download uses up to 8 MiB.
 */
export const fetchShares = {
  imports: { total: 20, perOwner: 6, waitingPerOwner: 64, waitMs: 12 * second },
  factChecks: { total: 10, perOwner: 3, waitingPerOwner: 32, waitMs: 12 * second },
  /** By host. */
  clientDocuments: { total: 4, perOwner: 1, waitingPerOwner: 8, waitMs: 5 * second },
} as const;

/**
 * Concurrency limits of previews in one worker, in total and per site; one that waits longer than `waitMs` is refused.
 */
export const previewShares = { total: 4, perOwner: 1, waitingPerOwner: 32, waitMs: 12 * second } as const;

/** Concurrency limits of operations on backups in one worker, in total and per user. Reads do not wait for backups. */
export const backupShares = {
  operations: { total: 4, perOwner: 1, waitingPerOwner: 8, waitMs: minute },
  reads: { total: 4, perOwner: 2, waitingPerOwner: 8, waitMs: minute },
} as const;

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
  /** `local`: short, and runs in the actor's worker instead of on a queue. */
  queue: QueueName | 'local' | ((input: Input) => QueueName);
  /** Maximum duration of one attempt. */
  startToCloseTimeout: number;
  /** Time after which a worker killed during the call is detected, if there are several workers. */
  heartbeatTimeout?: number;
  retry: RetryPolicy;
  /**
   * A Problem with a status below 500, or one caused by too many calls of the caller, is a result for the caller, not a
   * failure of an engine: it is not retried and reaches the caller unchanged.
   */
  problemsAreFinal?: true;
}

const engineRetry = { initialInterval: 0.5 * second, backoffCoefficient: 2, maximumInterval: 15 * second };
const callerRetry = { initialInterval: 0.2 * second, backoffCoefficient: 2, maximumInterval: 20 * second };

/** SQL queries: short, and retried until the database responds. */
const sqlQuery = { queue: 'local', startToCloseTimeout: 20 * second, retry: engineRetry } as const;

/** A render that a request waits for; it stops itself earlier (`previewLimitMs`). */
const previewPolicy = {
  queue: 'general',
  startToCloseTimeout: 65 * second,
  heartbeatTimeout: 8 * second,
  retry: { ...callerRetry, maximumAttempts: 3 },
  problemsAreFinal: true,
} as const;

/**
 * One turn of an inbox or an outbox. It ends after a limited time, and another worker continues when its worker was
 * lost. An error caused by a payload or a receiver is an outcome of its delivery or event, so every failure is an
 * engine's.
 */
const turn = { startToCloseTimeout: 15 * minute, heartbeatTimeout: 8 * second, retry: engineRetry } as const;

/** A build stops itself well before this (FIELDSTONE_BUILD_TIME_LIMIT_SECONDS); this is for one that hangs. */
const buildTimeoutMs = 30 * minute;

type CallPolicies = { [Name in CallName]: CallPolicy<Parameters<Calls[Name]>[0]> };

export const callPolicies: CallPolicies = {
  planSite: sqlQuery,
  planMedia: sqlQuery,
  /** An author's error is an outcome, not a failure, so every failure is an engine's and is retried. */
  buildSite: {
    queue: ({ alone }: BuildInput) => (alone ? 'suspects' : 'general'),
    startToCloseTimeout: buildTimeoutMs,
    heartbeatTimeout: 5 * second,
    retry: engineRetry,
  },
  /**
   * Makes variants of one item. A file that cannot be processed is an outcome, so every failure is caused by an engine
   * or a lost process.
   */
  processMedia: {
    queue: (task: MediaTask) => (task.work === 'video' ? 'video' : 'media'),
    startToCloseTimeout: 6 * hour,
    heartbeatTimeout: 6 * second,
    retry: { initialInterval: second, backoffCoefficient: 2, maximumInterval: minute },
  },
  workInbox: { queue: 'inbox', ...turn },
  sendEvents: { queue: 'outbox', ...turn },
  /** A download for a waiting request; retried only when its worker was lost. */
  fetchMedia: {
    queue: 'fetch',
    startToCloseTimeout: 75 * second,
    heartbeatTimeout: 8 * second,
    retry: { ...callerRetry, maximumAttempts: 3 },
    problemsAreFinal: true,
  },
  /** A fact check for a waiting request; its own limits are shorter. */
  checkFacts: {
    queue: 'fetch',
    startToCloseTimeout: 65 * second,
    heartbeatTimeout: 8 * second,
    retry: { ...callerRetry, maximumAttempts: 2 },
    problemsAreFinal: true,
  },
  /** A download for a waiting request, with a shorter limit of its own. */
  fetchClientDocument: {
    queue: 'fetch',
    startToCloseTimeout: 15 * second,
    heartbeatTimeout: 8 * second,
    retry: { ...callerRetry, maximumAttempts: 2 },
    problemsAreFinal: true,
  },
  /** An operation on backups. It is not repeated when its worker is lost: the agent lists the backups and decides. */
  runBackupOperation: {
    queue: 'fetch',
    startToCloseTimeout: hour,
    heartbeatTimeout: 8 * second,
    retry: { ...callerRetry, maximumAttempts: 1 },
    problemsAreFinal: true,
  },
  previewItem: previewPolicy,
  previewShell: previewPolicy,
};

export const heartbeatMs = second;

/** A stopping worker waits this long for running calls, then cancels them and waits as long again. */
export const shutdownGraceMs = 8 * second;

/** A step of a workflow is short; a worker killed during one is detected after this time. */
export const workflowTaskTimeoutMs = 4 * second;

/** The longest sleep before something is due: SQL is read again then, so that a change of the clock does no harm. */
export const actorRestMs = 6 * hour;

/** An actor that ends when idle waits this long for more work first. */
export const actorLingerMs = 20 * second;

/** An actor's work is attributed to its last caller for this long. */
export const traceContextKeptMs = minute;

/** Number of events after which an actor continues as new at the latest. */
export const actorMaxEvents = 4000;
