import { describe, expect, test } from '@jest/globals';
import { choosePlan } from '../../../services/features/publishing/plan.ts';

const settings = { rebuildQuietMs: 1000, rebuildMaxMs: 10_000 };
const job = (kind: string, members = {}) => ({ kind, running: false, age_ms: 0, quiet_ms: 0, ...members });

describe('a site actor', () => {
  test.each(['publish', 'scheduled', 'webhook'])('builds the live release for a %s at once', (kind) => {
    const waiting = [job('rebuild'), job(kind)];
    expect(choosePlan(waiting, null, false, settings)).toEqual({ do: 'build', target: 'live' });
  });
  test('waits for quiet after a shell edit, at most for the longest time', () => {
    expect(choosePlan([job('rebuild', { age_ms: 300, quiet_ms: 200 })], null, false, settings)).toEqual({
      do: 'sleep',
      ms: 800,
    });
    expect(choosePlan([job('rebuild', { age_ms: 9900, quiet_ms: 5 })], null, false, settings)).toEqual({
      do: 'sleep',
      ms: 100,
    });
  });
  test('then builds the preview, or the live release where the site says so', () => {
    const waiting = [job('rebuild', { age_ms: 1500, quiet_ms: 1000 })];
    expect(choosePlan(waiting, null, false, settings)).toEqual({ do: 'build', target: 'preview' });
    expect(choosePlan(waiting, null, true, settings)).toEqual({ do: 'build', target: 'live' });
  });
  test('takes up a rebuild whose build died without waiting again', () => {
    expect(choosePlan([job('rebuild', { running: true })], null, false, settings)).toEqual({
      do: 'build',
      target: 'preview',
    });
  });
  test('sleeps until the next item is due', () => {
    expect(choosePlan([], 12_345.2, false, settings)).toEqual({ do: 'sleep', ms: 12_346 });
  });
  test('is idle when nothing waits', () => {
    expect(choosePlan([], null, false, settings)).toEqual({ do: 'idle' });
  });
});
