import { describe, expect, test } from '@jest/globals';
import { createPointerAges } from '../../../services/edge/pointers.ts';

const leaseMs = 1000;

function createAges() {
  const clock = { nowMs: 0 };
  return { clock, ages: createPointerAges(leaseMs, () => clock.nowMs) };
}

describe('the lease of an edge', () => {
  test('no pointer may be served from the cache before the edge is registered', () => {
    const { ages } = createAges();
    expect(ages.usableSince()).toBe(Number.POSITIVE_INFINITY);
  });

  test('pointers that were read after the registration had been committed may', () => {
    const { ages, clock } = createAges();
    ages.renewed(0, 20);
    clock.nowMs = 500;
    expect(ages.usableSince()).toBe(20);
  });

  test('it ends one lease after the statement of the last renewal began, by the edge’s own clock', () => {
    const { ages, clock } = createAges();
    ages.renewed(0, 20);
    clock.nowMs = leaseMs - 1;
    expect(ages.usableSince()).toBe(20);
    clock.nowMs = leaseMs;
    expect(ages.usableSince()).toBe(Number.POSITIVE_INFINITY);
  });

  test('a renewal in time keeps what was read before it', () => {
    const { ages, clock } = createAges();
    ages.renewed(0, 20);
    ages.renewed(600, 620);
    clock.nowMs = 1500;
    expect(ages.usableSince()).toBe(20);
  });

  test('after a gap only what is read from then on may be served: swaps of the gap were not pushed', () => {
    const { ages, clock } = createAges();
    ages.renewed(0, 20);
    ages.renewed(990, 1010);
    clock.nowMs = 1500;
    expect(ages.usableSince()).toBe(1010);
  });
});

describe('a push', () => {
  test('makes pointers of its site wrong that were read earlier, and no others', () => {
    const { ages, clock } = createAges();
    clock.nowMs = 300;
    ages.swapped('a');
    expect(ages.replacedAt('a')).toBe(300);
    expect(ages.replacedAt('b')).toBe(Number.NEGATIVE_INFINITY);
  });

  test('keeps requests of any site from joining a read that began earlier', () => {
    const { ages, clock } = createAges();
    clock.nowMs = 300;
    ages.swapped('a');
    clock.nowMs = 400;
    expect(ages.lastPushAt()).toBe(300);
  });
});
