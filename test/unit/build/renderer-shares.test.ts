import { describe, expect, test } from '@jest/globals';
import { createLender, isTurnOver, type LoanState } from '../../../services/build/render/lender.ts';
import { createSiteUse, lightShareMs } from '../../../services/build/render/site-use.ts';

const never = () => false;
const { signal } = new AbortController();

/** Records who has got a resource, in order. */
function borrowers(lender: ReturnType<typeof createLender<number>>) {
  const served: string[] = [];
  const ask = (name: string, weight: 'light' | 'heavy') =>
    lender.borrow(weight, never, signal).then((resource) => {
      served.push(name);
      return resource;
    });
  return { served, ask };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('renderers', () => {
  // rule: threat.22
  test('serve a light site while heavy sites wait for their turn', async () => {
    const lender = createLender([1, 2, 3], 2);
    const { served, ask } = borrowers(lender);
    for (const name of ['a', 'b', 'c', 'd']) void ask(name, 'heavy');
    void ask('light', 'light');
    await settled();
    expect(served).toEqual(['a', 'b', 'light']);
  });

  test('serve heavy sites one after the other', async () => {
    const lender = createLender([1, 2], 1);
    const { served, ask } = borrowers(lender);
    const first = ask('a', 'heavy');
    for (const name of ['b', 'c']) void ask(name, 'heavy');
    expect(lender.isWanted('heavy')).toBe(true);
    const resource = await first;
    lender.release(resource, 'heavy');
    void ask('a', 'heavy');
    await settled();
    expect(served).toEqual(['a', 'b']);
    lender.release(resource, 'heavy');
    lender.release(resource, 'heavy');
    await settled();
    expect(served).toEqual(['a', 'b', 'c', 'a']);
  });

  test('do not go to borrowers that have left', async () => {
    const lender = createLender([1], 1);
    const first = await lender.borrow('light', never, signal);
    const leaving = new AbortController();
    const left = lender.borrow('light', never, leaving.signal);
    leaving.abort(new Error('the build stops'));
    await expect(left).rejects.toThrow('the build stops');
    await expect(lender.borrow('light', never, leaving.signal)).rejects.toThrow('the build stops');
    const next = lender.borrow('light', never, signal);
    lender.release(first, 'light');
    expect(await next).toBe(1);
  });

  test('that are idle are lent for extra lanes, but not to a heavy site beyond its limit', () => {
    const lender = createLender([1, 2, 3], 2);
    const lent = [1, 2, 3].map(() => lender.borrowIdle('heavy', never));
    expect(lent.filter((resource) => resource !== null)).toHaveLength(2);
    expect(lender.borrowIdle('light', never)).not.toBeNull();
    expect(lender.borrowIdle('light', never)).toBeNull();
  });

  test('are not lent for an extra lane while a site waits, and an extra lane sees that', async () => {
    const lender = createLender([1, 2], 1);
    const { served, ask } = borrowers(lender);
    const extra = lender.borrowIdle('heavy', never)!;
    void ask('b', 'heavy');
    expect(lender.isAwaited()).toBe(true);
    expect(lender.borrowIdle('light', never)).toBeNull();
    lender.release(extra, 'heavy');
    await settled();
    expect(served).toEqual(['b']);
  });

  test('serve a hundred sites in turns: none gets a second turn before each has had one', async () => {
    const sites = Array.from({ length: 100 }, (_, n) => `site-${n}`);
    const turns = 3;
    const lender = createLender([1, 2, 3], 2);
    const { served, ask } = borrowers(lender);
    await Promise.all(
      sites.map(async (site) => {
        for (let turn = 0; turn < turns; turn++) {
          const resource = await ask(site, 'heavy');
          // a site with more pages asks for its next turn as soon as it has returned its renderer
          await settled();
          if (lender.isAwaited()) expect(lender.borrowIdle('heavy', never)).toBeNull();
          lender.release(resource, 'heavy');
        }
      }),
    );
    for (let turn = 0; turn < turns; turn++) {
      const round = served.slice(turn * sites.length, (turn + 1) * sites.length);
      expect(new Set(round).size).toBe(sites.length);
    }
  });

  test('go to who has used them before, where there is a choice', async () => {
    const lender = createLender([1, 2, 3], 3);
    expect(await lender.borrow('light', (one) => one === 1, signal)).toBe(1);
    expect(await lender.borrow('light', (one) => one === 2, signal)).toBe(2);
  });
});

describe('a site makes room for others', () => {
  const held = { weight: 'light', heldMs: 60_000, isHeavyNow: false, isWanted: true, awaitsBodies: false } as const;

  test.each<[string, boolean, Partial<LoanState>]>([
    ['that is light, while another light site waits', true, {}],
    ['that is light, while none waits', false, { isWanted: false }],
    ['that is light and has just begun', false, { heldMs: 1 }],
    ['that is light and waits for what a page asked for', false, { awaitsBodies: true }],
    [
      'that has become heavy, whatever its page waits for',
      true,
      { isHeavyNow: true, isWanted: false, awaitsBodies: true },
    ],
    [
      'that is heavy and was heavy before, while none waits',
      false,
      { weight: 'heavy', isHeavyNow: true, isWanted: false },
    ],
    ['that is heavy, after a longer time', false, { weight: 'heavy', isHeavyNow: true, heldMs: 1_000 }],
    ['that is heavy, in the end', true, { weight: 'heavy', isHeavyNow: true }],
  ])('%s: %s', (_name, isOver, state) => {
    expect(isTurnOver({ ...held, ...state })).toBe(isOver);
  });

  // rule: threat.22
  test('light sites for each other alone, heavy sites for all', async () => {
    const lender = createLender([1, 2], 1);
    await lender.borrow('light', never, signal);
    await lender.borrow('heavy', never, signal);
    void lender.borrow('heavy', never, signal);
    expect([lender.isWanted('light'), lender.isWanted('heavy')]).toEqual([false, true]);
    void lender.borrow('light', never, signal);
    expect([lender.isWanted('light'), lender.isWanted('heavy')]).toEqual([true, true]);
  });
});

test('a site is heavy once it has used its share, and light again after a while', () => {
  let nowMs = 0;
  const use = createSiteUse(() => nowMs);
  use.add('greedy', lightShareMs / 2);
  expect(use.isHeavy('greedy')).toBe(false);
  use.add('greedy', lightShareMs);
  expect([use.isHeavy('greedy'), use.isHeavy('other')]).toEqual([true, false]);
  nowMs = 60_000;
  expect(use.isHeavy('greedy')).toBe(false);
});
