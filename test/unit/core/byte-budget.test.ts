import { expect, test } from '@jest/globals';
import { type ByteHold, createByteBudget } from '../../../services/core/byte-budget.ts';

/** Requests bytes, and records the name once they are granted. */
function ask(hold: ByteHold, bytes: number, granted: string[], name: string): Promise<void> {
  return hold.hold(bytes).then(
    () => void granted.push(name),
    () => void granted.push(`${name} refused`),
  );
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('beyond the budget a request waits until others have released enough', async () => {
  const budget = createByteBudget({ totalBytes: 10, ownerBytes: 10 });
  const granted: string[] = [];
  const [a, b] = [budget.open('x'), budget.open('x')];
  await ask(a, 6, granted, 'a');
  void ask(b, 6, granted, 'b');
  await settle();
  expect([granted, budget.state()]).toEqual([['a'], { heldBytes: 6, waiting: 1 }]);
  a.shrink(4);
  await settle();
  expect([granted, budget.state()]).toEqual([['a', 'b'], { heldBytes: 10, waiting: 0 }]);
  a.release();
  b.release();
  expect(budget.state()).toEqual({ heldBytes: 0, waiting: 0 });
});

test('requests are served in order of arrival: small ones do not overtake a large one', async () => {
  const budget = createByteBudget({ totalBytes: 10, ownerBytes: 10 });
  const granted: string[] = [];
  const [first, large, small] = ['x', 'y', 'z'].map((owner) => budget.open(owner)) as [ByteHold, ByteHold, ByteHold];
  await first.hold(5);
  void ask(large, 8, granted, 'large');
  void ask(small, 1, granted, 'small');
  await settle();
  expect(granted).toEqual([]);
  first.release();
  await settle();
  expect(granted).toEqual(['large', 'small']);
});

// rule: threat.18
test('an owner that uses up its share waits, and others do not wait with it', async () => {
  const budget = createByteBudget({ totalBytes: 10, ownerBytes: 5 });
  const granted: string[] = [];
  const greedy = Array.from({ length: 20 }, () => budget.open('greedy'));
  const asked = greedy.map((hold, index) => ask(hold, 1, granted, `greedy ${index}`));
  await settle();
  expect(budget.state()).toEqual({ heldBytes: 5, waiting: 15 });
  await ask(budget.open('other'), 5, granted, 'other');
  expect(granted.at(-1)).toBe('other');
  for (const hold of greedy) {
    hold.release();
    await settle();
  }
  await Promise.all(asked);
  expect(granted).toHaveLength(21);
});

test('a holder that asks again goes behind those that wait, and holds nothing meanwhile', async () => {
  const budget = createByteBudget({ totalBytes: 10, ownerBytes: 10 });
  const granted: string[] = [];
  const [a, b] = [budget.open('x'), budget.open('y')];
  await a.hold(10);
  void ask(b, 10, granted, 'b');
  void ask(a, 10, granted, 'a');
  await settle();
  expect(granted).toEqual(['b']);
  b.release();
  await settle();
  expect(granted).toEqual(['b', 'a']);
});

test('more than a share is asked for as a share, so that it is granted some day', async () => {
  const budget = createByteBudget({ totalBytes: 10, ownerBytes: 5 });
  await budget.open('x').hold(1000);
  expect(budget.state()).toEqual({ heldBytes: 5, waiting: 0 });
});

test('a request that is given up does not wait any more, and lets those behind it go on', async () => {
  const budget = createByteBudget({ totalBytes: 10, ownerBytes: 10 });
  const granted: string[] = [];
  const [a, b, c] = ['x', 'y', 'z'].map((owner) => budget.open(owner)) as [ByteHold, ByteHold, ByteHold];
  await a.hold(5);
  const asked = ask(b, 10, granted, 'b');
  void ask(c, 5, granted, 'c');
  b.release();
  await asked;
  await settle();
  expect(granted.toSorted()).toEqual(['b refused', 'c']);
  await expect(b.hold(1)).rejects.toMatchObject({ code: 'bad_request' });
});
