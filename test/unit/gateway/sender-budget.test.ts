import { expect, test } from '@jest/globals';
import { createSenderBudget } from '../../../services/gateway/sender-budget.ts';

const refused = expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 5 });

function makeBudget(totalBytes = 100, ownerBytes = 40) {
  const clock = { ms: 0 };
  const budget = createSenderBudget({ totalBytes, ownerBytes, now: () => clock.ms });
  const open = (owner: string) => {
    const state = { yielded: 0 };
    return Object.assign(
      budget.open(owner, () => state.yielded++),
      { state },
    );
  };
  return { clock, budget, open };
}

test('holds the given number of bytes, and refuses more of strangers who all send as fast', () => {
  const { budget, open } = makeBudget();
  const leases = ['a', 'b', 'c'].map(open);
  leases[0]!.hold(40);
  leases[1]!.hold(40);
  expect(() => leases[2]!.hold(21)).toThrow(refused);
  leases[2]!.hold(20);
  expect(budget.held()).toBe(100);
  for (const lease of leases) lease.release();
  leases[0]!.release();
  expect(budget.held()).toBe(0);
});

test('one owner cannot use what the others need', () => {
  const { open } = makeBudget();
  open('a').hold(40);
  expect(() => open('a').hold(1)).toThrow(refused);
  open('b').hold(40);
});

// rule: threat.8
test('bytes that dribble in yield to those that come at once, of their own owner first', () => {
  const { clock, budget, open } = makeBudget();
  const [slow, slower, foreign] = [open('a'), open('a'), open('b')];
  slow.hold(25);
  slower.hold(15);
  foreign.hold(1);
  clock.ms = 3_000;
  const fast = open('a');
  fast.hold(15);
  expect([slow, slower, foreign].map(({ state }) => state.yielded)).toEqual([0, 1, 0]);
  expect(budget.held()).toBe(41);
  expect(() => slower.hold(16)).toThrow(refused);
  fast.hold(40);
  expect(slow.state.yielded).toBe(1);
});

test('when the whole is full, the slowest of all yields', () => {
  const { clock, open } = makeBudget(100, 100);
  const [one, two] = [open('a'), open('b')];
  one.hold(60);
  two.hold(40);
  clock.ms = 5_000;
  open('c').hold(10);
  expect([one.state.yielded, two.state.yielded]).toEqual([0, 1]);
});

test('nobody yields to one who is slower still, nor in the first moments, nor once the bytes are trusted', () => {
  const { clock, open } = makeBudget();
  const [early, kept] = [open('a'), open('b')];
  early.hold(20);
  kept.hold(40);
  kept.keep();
  clock.ms = 4_000;
  const late = open('a');
  late.hold(20);
  expect(() => early.hold(21)).toThrow(refused); // it is itself the slowest
  early.release();
  clock.ms = 5_000;
  expect(() => open('b').hold(1)).toThrow(refused);
  expect(late.state.yielded).toBe(0);
  expect(() => open('a').hold(21)).toThrow(refused);
  expect(late.state.yielded).toBe(0);
});
