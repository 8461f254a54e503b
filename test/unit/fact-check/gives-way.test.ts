import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { checkArticleHtml } from './harness.ts';

const claims = 40;
const article = Array.from(
  { length: claims },
  (_, n) => `<p>The tower of town ${n} is ${n * 7 + 113} metres high.</p>`,
);

test('other work has its turn between the claims of a long check', async () => {
  let turns = 0;
  let isOver = false;
  const count = async () => {
    for (; !isOver; turns++) await nextTurn();
  };
  const counting = count();
  const report = await checkArticleHtml(article.join(''));
  isOver = true;
  await counting;
  expect(report.summary.claims).toBe(claims);
  expect(turns).toBeGreaterThanOrEqual(claims);
});

test('a check that is told to end does so between two claims', async () => {
  const stop = new AbortController();
  const checking = checkArticleHtml(article.join(''), { deps: { signal: stop.signal } });
  setImmediate(() => stop.abort(new Error('enough')));
  await expect(checking).rejects.toThrow('enough');
});
