import type { Config } from '../../core/config.ts';

/** However many attempts are set, no two lie further apart than this. */
export const maxRetryMs = 6 * 60 * 60 * 1000;

/**
 * Milliseconds until the next attempt after `attempts` of them, or null when none is left: exponential, a quarter more or
 * less at random, so that what failed together is not tried together (contract: Mappers, Retries).
 */
export function nextRetryMs(
  attempts: number,
  { retryInitialMs, retryAttempts }: Pick<Config, 'retryInitialMs' | 'retryAttempts'>,
  random = Math.random,
): number | null {
  if (attempts >= retryAttempts) return null;
  return Math.min(maxRetryMs, retryInitialMs * 2 ** (attempts - 1)) * (0.75 + random() * 0.5);
}
