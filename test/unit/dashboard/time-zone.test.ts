import { expect, test } from '@jest/globals';
import { fromLocal, timeZones, toLocal } from '../../../services/dashboard/views/content/item/time-zone.ts';

test.each([
  ['UTC', '2026-12-01T06:00', '2026-12-01T06:00:00Z'],
  ['Europe/Berlin', '2026-12-01T07:00', '2026-12-01T06:00:00Z'],
  ['Europe/Berlin', '2026-07-01T07:00', '2026-07-01T05:00:00Z'],
  ['America/St_Johns', '2026-12-01T02:30', '2026-12-01T06:00:00Z'],
  ['Pacific/Kiritimati', '2026-12-01T20:00', '2026-12-01T06:00:00Z'],
])('in %s the clocks show %s at %s', (zone, local, timestamp) => {
  expect(fromLocal(local, zone)).toBe(timestamp);
  expect(toLocal(timestamp, zone)).toBe(local);
});

test('of a time that comes twice it is the first, and one that is skipped is an hour later', () => {
  expect(fromLocal('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00Z');
  expect(toLocal(fromLocal('2026-03-29T02:30', 'Europe/Berlin'), 'Europe/Berlin')).toBe('2026-03-29T03:30');
});

test('every zone is offered once', () => {
  expect(timeZones()).toContain('Asia/Tokyo');
  expect(new Set(timeZones()).size).toBe(timeZones().length);
});
