import { expect, test } from '@jest/globals';
import { maxRetryMs, nextRetryMs } from '../../../services/features/inbound/retry.ts';

const settings = { retryInitialMs: 5000, retryAttempts: 6 };

test('each attempt waits twice as long as the one before, six in all', () => {
  const waits = [1, 2, 3, 4, 5, 6].map((attempts) => nextRetryMs(attempts, settings, () => 0.5));
  expect(waits).toEqual([5000, 10_000, 20_000, 40_000, 80_000, null]);
});

test('chance makes it a quarter more or less', () => {
  expect(nextRetryMs(1, settings, () => 0)).toBe(3750);
  expect(nextRetryMs(1, settings, () => 1)).toBe(6250);
});

test('no wait is longer than the cap, however many attempts are set', () => {
  expect(nextRetryMs(900, { retryInitialMs: 5000, retryAttempts: 1000 }, () => 0.5)).toBe(maxRetryMs);
});
