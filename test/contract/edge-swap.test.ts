import { afterAll, expect, test } from '@jest/globals';
import { closeStack } from '../harness/api.ts';
import { makeEdgeSite, visit } from '../harness/edge.ts';

afterAll(closeStack);

const releaseNumber = (number: number) => ({
  files: { '/': { body: `home ${number}` }, '/other/': { body: `other ${number}` } },
});

// rule: break.10
test('under traffic both edges move to each new release, never back, and never mix two', async () => {
  const site = await makeEdgeSite(releaseNumber(0));
  const last = 4;
  let done = false;

  async function watch(edge: number): Promise<number[]> {
    const seen: number[] = [];
    while (!done || seen.at(-1) !== last) {
      const home = await visit(`${site.base}/`, { edge });
      const other = await visit(`${site.base}/other/`, { edge });
      expect([home.status, other.status]).toEqual([200, 200]);
      const [first, second] = [home, other].map((reply) => Number(reply.text.split(' ')[1]));
      expect(second).toBeGreaterThanOrEqual(first!);
      if (seen.at(-1) !== first) seen.push(first!);
    }
    return seen;
  }

  const watchers = [watch(0), watch(1)];
  for (let number = 1; number <= last; number++) await site.release(releaseNumber(number));
  done = true;
  for (const seen of await Promise.all(watchers)) expect(seen).toEqual([...seen].sort((a, b) => a - b));
});

test('an edge that nobody asked for a while shows the newest release at once', async () => {
  const site = await makeEdgeSite(releaseNumber(0));
  for (const edge of [0, 1]) expect((await visit(`${site.base}/`, { edge })).text).toBe('home 0');
  await site.release(releaseNumber(1));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  for (const edge of [0, 1]) expect((await visit(`${site.base}/`, { edge })).text).toBe('home 1');
});
