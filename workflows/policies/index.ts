/** Timeouts and retries by name (all in milliseconds or Temporal durations). Imports nothing: definitions read it. */

/** Questions to SQL: short, and asked again for as long as the database is away. */
export const askPolicy = {
  startToCloseTimeout: '20 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
} as const;

/**
 * A build. It heartbeats every second, so a worker that was killed is noticed within `heartbeatTimeout`; what an author
 * broke is an outcome, not a failure, so every failure is an engine's and worth trying again.
 */
export const buildPolicy = {
  startToCloseTimeout: '30 minutes',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
} as const;

export const heartbeatMs = 1000;

/** A step of a workflow is short; a worker that was killed in one is noticed after this. */
export const workflowTaskTimeoutMs = 4000;

/** The longest sleep before something that is due: it is asked again then, so a clock that was set does no harm. */
export const actorRestMs = 6 * 60 * 60 * 1000;

/** An actor's work counts as its last caller's for so long. */
export const originKeptMs = 60 * 1000;

/** An actor continues as new after this many events at the latest. */
export const actorMaxEvents = 4000;

/**
 * Variants of one item. A worker that was killed is noticed within `heartbeatTimeout`; a file that cannot be processed is an
 * outcome, not a failure, so every failure is an engine's or a lost process'.
 */
export const mediaPolicy = {
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '6 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
} as const;

/** A fact check that somebody waits for; its own bounds are shorter. */
export const factCheckPolicy = {
  startToCloseTimeout: '65 seconds',
  heartbeatTimeout: '8 seconds',
  retry: { initialInterval: '200 milliseconds', maximumAttempts: 2 },
} as const;

/** A download that somebody waits for; tried again only when its worker was lost. */
export const mediaFetchPolicy = {
  startToCloseTimeout: '75 seconds',
  heartbeatTimeout: '8 seconds',
  retry: { initialInterval: '200 milliseconds', maximumAttempts: 3 },
} as const;

/**
 * One turn of an inbox or an outbox: it ends by itself after a while, and what it held is taken over when its worker was lost.
 * What a payload or a receiver broke is an outcome of its delivery or event, so every failure is an engine's.
 */
export const turnPolicy = {
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '8 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '15 seconds' },
} as const;
