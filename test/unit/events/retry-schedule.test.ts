import { expect, test } from '@jest/globals';
import { loadConfig } from '../../../services/core/config.ts';
import { nextSendMs } from '../../../services/features/events/retry-schedule.ts';

const { eventRetrySeconds } = loadConfig({});
const minute = 60;
const hour = 60 * minute;

test('the published schedule: ten attempts within four days', () => {
  expect(eventRetrySeconds).toEqual([5, 5 * minute, 30 * minute, ...[2, 5, 10, 14, 20, 24].map((n) => n * hour)]);
  const waits = Array.from({ length: 9 }, (_, n) => nextSendMs(n + 1, { eventRetrySeconds }, () => 0));
  expect(waits).toEqual(eventRetrySeconds.map((seconds) => seconds * 1000));
  expect(nextSendMs(10, { eventRetrySeconds })).toBeNull();
});

test('each is up to a fifth later, at random', () => {
  expect(nextSendMs(2, { eventRetrySeconds }, () => 1)).toBe(360_000);
  expect(nextSendMs(2, { eventRetrySeconds }, () => 0.5)).toBe(330_000);
});

test('the schedule is a setting, and a wrong one is named', () => {
  expect(loadConfig({ FIELDSTONE_EVENT_RETRY_SECONDS: '1, 20' }).eventRetrySeconds).toEqual([1, 20]);
  for (const wrong of ['5,x', '-1', '1.5']) {
    expect(() => loadConfig({ FIELDSTONE_EVENT_RETRY_SECONDS: wrong })).toThrow(/FIELDSTONE_EVENT_RETRY_SECONDS/);
  }
});
