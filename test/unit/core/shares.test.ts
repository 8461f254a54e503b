import { expect, test } from '@jest/globals';
import { createShares } from '../../../services/core/shares.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const signal = new AbortController().signal;
const refuse = () => new Error('too much of it');

/** Creates shares for work that ends when told. */
function open(limits: { total: number; perOwner: number; waitingPerOwner?: number; waitMs?: number }) {
  const shares = createShares({ waitingPerOwner: 100, waitMs: 60_000, refuse, ...limits });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (owner: string, name = owner) =>
    shares.pass(owner, signal, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  return { shares, begun, ends, ask };
}

// rule: threat.24
test('sixty slow pieces of one site leave places for another', async () => {
  const { begun, ends, ask } = open({ total: 20, perOwner: 6 });
  const asked = [...Array(60).fill('greedy'), 'modest'].map((name) => ask(name));
  await settled();
  expect(begun.filter((name) => name === 'greedy')).toHaveLength(6);
  expect(begun).toContain('modest');
  // work that still waits would be rejected while another suite runs
  const all = Promise.all(asked);
  for (let ended = 0; ended < asked.length; ended++) {
    ends.shift()!();
    await settled();
  }
  await all;
});

test('sites take turns, those that come later too', async () => {
  const { begun, ends, ask } = open({ total: 1, perOwner: 1 });
  for (const name of ['a1', 'a2', 'a3']) void ask('a', name);
  for (const name of ['b1', 'b2']) void ask('b', name);
  for (let n = 0; n < 5; n++) {
    await settled();
    ends.shift()?.();
  }
  await settled();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
});

test('what waits too long, or behind too much of its own site, is refused; what is cancelled leaves', async () => {
  const { shares, begun, ends, ask } = open({ total: 1, perOwner: 1, waitingPerOwner: 1, waitMs: 50 });
  void ask('a');
  const late = ask('a');
  const refused = expect(late).rejects.toThrow('too much of it');
  await expect(ask('a')).rejects.toThrow('too much of it');
  const cancelled = new AbortController();
  const leaving = shares.pass('b', cancelled.signal, async () => 1);
  cancelled.abort(new Error('nobody waits'));
  await expect(leaving).rejects.toThrow('nobody waits');
  await refused;
  ends.shift()!();
  await settled();
  void ask('a', 'after');
  await settled();
  expect(begun).toEqual(['a', 'after']);
});
