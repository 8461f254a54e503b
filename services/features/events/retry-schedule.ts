import type { Config } from '../../core/config.ts';

/**
 * Maximum random delay, as a fraction of the scheduled one, so that events that failed together are not retried
 * together.
 */
const jitter = 0.2;

/** Returns the milliseconds until the next attempt after `attempts` of them, or null when the schedule is used up. */
export function nextSendMs(
  attempts: number,
  { eventRetrySeconds }: Pick<Config, 'eventRetrySeconds'>,
  random = Math.random,
): number | null {
  const seconds = eventRetrySeconds[attempts - 1];
  return seconds === undefined ? null : seconds * 1000 * (1 + random() * jitter);
}
