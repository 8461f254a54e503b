import { describe, expect, test } from '@jest/globals';
import { createLender } from '../../../services/build/render/lender.ts';
import { createSiteUse, lightShareMs } from '../../../services/build/render/site-use.ts';

const never = () => false;

/** Who has got a resource, in their order. */
function borrowers(lender: ReturnType<typeof createLender<number>>) {
  const served: string[] = [];
  const ask = (name: string, weight: 'light' | 'heavy') =>
    lender.borrow(weight, never).then((resource) => {
      served.push(name);
      return resource;
    });
  return { served, ask };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('renderers', () => {
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
    lender.giveBack(resource, 'heavy');
    void ask('a', 'heavy');
    await settled();
    expect(served).toEqual(['a', 'b']);
    lender.giveBack(resource, 'heavy');
    lender.giveBack(resource, 'heavy');
    await settled();
    expect(served).toEqual(['a', 'b', 'c', 'a']);
  });

  test('go to who has used them before, where there is a choice', async () => {
    const lender = createLender([1, 2, 3], 3);
    expect(await lender.borrow('light', (one) => one === 1)).toBe(1);
    expect(await lender.borrow('light', (one) => one === 2)).toBe(2);
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
