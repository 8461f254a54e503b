import { expect, test } from '@jest/globals';
import { createRewaker } from '../../../services/worker/rewake.ts';

/** Simulates turns of a sweep, two seconds apart like the sweeper's; returns what each woke. */
function sweep(turns: string[][]): string[][] {
  let now = 0;
  let woken: string[] = [];
  const rewake = createRewaker(
    (id) => woken.push(id),
    () => now,
  );
  return turns.map((found) => {
    woken = [];
    rewake(found);
    now += 2000;
    return woken;
  });
}

test('what is found turn after turn is woken at once and then ever more seldom, but never given up', () => {
  const turns = sweep(Array(20).fill(['a']));
  const at = turns.flatMap((woken, turn) => (woken.length > 0 ? [turn * 2] : []));
  expect(at).toEqual([0, 2, 6, 14, 22, 30, 38]);
});

test('what was not found by the last turn is woken at once, whatever was before', () => {
  expect(sweep([['a'], ['a'], ['a', 'b'], ['b'], ['a', 'b'], []])).toEqual([['a'], ['a'], ['b'], ['b'], ['a'], []]);
});
