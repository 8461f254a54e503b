import { expect, test } from '@jest/globals';
import { loadConfig } from '../../../services/core/config.ts';

// rule: limit.1, limit.2
test('the limits are those of the specification', () => {
  const { rateLimitIp, rateLimitKey } = loadConfig({});
  expect([rateLimitIp, rateLimitKey]).toEqual([60, 120]);
});

test('the retries and the waits of rebuilds are those of the contract', () => {
  const { retryInitialMs, retryAttempts, rebuildQuietMs, rebuildMaxMs } = loadConfig({});
  expect([retryInitialMs, retryAttempts, rebuildQuietMs, rebuildMaxMs]).toEqual([5000, 6, 1000, 10_000]);
});

// rule: limit.5
test('the limits of media are those of the contract', () => {
  const mebibyte = 1024 * 1024;
  expect(loadConfig({}).mediaLimits).toEqual({
    imageBytes: 25 * mebibyte,
    imagePixels: 50_000_000,
    videoBytes: 512 * mebibyte,
    fileBytes: 100 * mebibyte,
  });
});
