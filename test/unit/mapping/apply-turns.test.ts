import { expect, test } from '@jest/globals';
import { createApplyTurns } from '../../../services/features/mapping/apply-turns.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Creates work that ends when told, and records which has started. */
function open(atOnce: number) {
  const turns = createApplyTurns(atOnce);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (site: string, name: string) =>
    turns.pass(site, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)!();
    await settled();
  };
  return { turns, begun, ask, end };
}

// rule: threat.25
test('deliveries of one site are written one after the other, whatever inbox they are in; those of other sites meanwhile', async () => {
  const { begun, ask, end } = open(2);
  for (const name of ['a1', 'a2', 'a3']) void ask('a', name);
  void ask('b', 'b1');
  await settled();
  expect(begun).toEqual(['a1', 'b1']);
  await end('a1');
  expect(begun).toEqual(['a1', 'b1', 'a2']);
});

test('no more of them are written at once than there are places, and sites take turns', async () => {
  const { begun, ask, end } = open(1);
  for (const name of ['a1', 'a2', 'a3']) void ask('a', name);
  void ask('b', 'b1');
  await settled();
  for (const name of ['a1', 'a2', 'b1']) await end(name);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('work that fails gives its place to the next, and its failure to who asked', async () => {
  const { turns, begun, ask } = open(1);
  await expect(turns.pass('a', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  void ask('a', 'a2');
  await settled();
  expect(begun).toEqual(['a2']);
});
