import { describe, expect, test } from '@jest/globals';
import { entry, type TimelineEntry, type TimelineEvent } from '../../../services/features/inbound/timeline.ts';
import { stagesOf } from '../../../services/features/inbound/trace.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const on = (event: TimelineEvent, second: number, details = {}) => entry(event, at(second), details);
const through = (from: number): TimelineEntry[] => [
  on('attempt', from),
  on('prepared', from + 1, { ended_at: at(from + 5).toISOString() }),
  on('mapped', from + 6),
  on('publish_requested', from + 6),
  on('build_started', from + 7),
  on('live', from + 9),
];
const received = [on('received', 0), on('verified', 1), on('recorded', 2)];
const seconds = (timeline: TimelineEntry[]) =>
  Object.fromEntries(
    stagesOf(timeline).map(({ name, from, to }) => [
      name,
      [Date.parse(from), Date.parse(to)].map((ms) => (ms - at(0).getTime()) / 1000),
    ]),
  );

describe('the stages of a delivery', () => {
  test('follow each other from receipt to live', () => {
    expect(seconds([...received, ...through(3)])).toEqual({
      received: [0, 1],
      verified: [1, 2],
      queued: [2, 3],
      mapped: [3, 4],
      images: [4, 8],
      revision: [8, 9],
      build: [10, 12],
      live: [12, 12],
    });
  });

  test('are those of the attempt that came through', () => {
    const failed = [on('attempt', 3), on('prepared', 4, { ended_at: at(5).toISOString() }), on('failed', 6)];
    expect(seconds([...received, ...failed, ...through(20)])).toMatchObject({ queued: [2, 20], images: [21, 25] });
  });

  test('of a replay are its own, not those of the first time', () => {
    const stages = seconds([...received, ...through(3), on('replayed', 30), ...through(31)]);
    expect(stages).toMatchObject({ queued: [30, 31], live: [40, 40] });
    expect(stages).not.toHaveProperty('received');
  });

  test('leave out what a record does not tell', () => {
    expect(stagesOf([])).toEqual([]);
    expect(seconds(received)).toEqual({ received: [0, 1], verified: [1, 2] });
  });
});
