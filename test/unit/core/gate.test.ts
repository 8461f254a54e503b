import { expect, test } from '@jest/globals';
import { createGate } from '../../../services/core/gate.ts';

/** Creates work that ends when told, and records which is running. */
function createWorks() {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      begun.push(name);
      ends.set(name, (error) => (error ? reject(error) : resolve(name)));
    });
  return { begun, end: (name: string, error?: Error) => ends.get(name)!(error), work };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('so many run at once, the others in their order', async () => {
  const gate = createGate(2);
  const { begun, end, work } = createWorks();
  const all = ['a', 'b', 'c', 'd'].map((name) => gate.pass(work(name)));
  expect(begun).toEqual(['a', 'b']);
  expect(gate.waiting()).toBe(2);
  end('b');
  await settle();
  expect(begun).toEqual(['a', 'b', 'c']);
  expect(gate.waiting()).toBe(1);
  for (const name of ['a', 'c']) end(name);
  await settle();
  end('d');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('work that fails gives its place on', async () => {
  const gate = createGate(1);
  const { end, work } = createWorks();
  const first = gate.pass(work('a'));
  const second = gate.pass(work('b'));
  end('a', new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  await settle();
  end('b');
  expect(await second).toBe('b');
});

test('what comes at the moment in which a place is handed over waits', async () => {
  const gate = createGate(1);
  const { begun, end, work } = createWorks();
  void gate.pass(work('a'));
  void gate.pass(work('b'));
  end('a');
  // runs when the first has ended and the second, which is notified of that, has not started
  const third = Promise.resolve().then(() => gate.pass(work('c')));
  await settle();
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await settle();
  end('c');
  expect(await third).toBe('c');
});
