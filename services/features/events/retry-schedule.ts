import type { Config } from '../../core/config.ts';

/** Up to so much later than the schedule says, at random, so that what failed together is not tried together. */
const jitter = 0.2;

/** Milliseconds until the next attempt after `attempts` of them, or null when the schedule has no more. */
export function nextSendMs(
  attempts: number,
  { eventRetrySeconds }: Pick<Config, 'eventRetrySeconds'>,
  random = Math.random,
): number | null {
  const seconds = eventRetrySeconds[attempts - 1];
  return seconds === undefined ? null : seconds * 1000 * (1 + random() * jitter);
}
