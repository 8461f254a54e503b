import { expect, test } from '@jest/globals';
import { createBatches } from '../../../services/core/batches.ts';

interface Batch {
  key: string;
  inputs: readonly string[];
  end(outputs: string[]): void;
  fail(error: Error): void;
}

function open(fits?: (inputs: readonly string[]) => number) {
  const batches: Batch[] = [];
  const add = createBatches<string, string>(
    (key, inputs) => new Promise<string[]>((end, fail) => batches.push({ key, inputs, end, fail })),
    fits,
  );
  return { batches, add };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('inputs of one turn of the event loop are done together', async () => {
  const { batches, add } = open();
  for (const input of ['1', '2']) void add('a', input);
  await settled();
  expect(batches.map(({ inputs }) => inputs)).toEqual([['1', '2']]);
});

test('inputs that come while one is under way are done together, each with its own output', async () => {
  const { batches, add } = open();
  const outputs = [add('a', '1')];
  await settled();
  outputs.push(add('a', '2'), add('a', '3'));
  expect(batches.map(({ inputs }) => inputs)).toEqual([['1']]);
  batches[0]!.end(['one']);
  await settled();
  expect(batches[1]!.inputs).toEqual(['2', '3']);
  const late = add('a', '4');
  batches[1]!.end(['two', 'three']);
  await settled();
  batches[2]!.end(['four']);
  expect(await Promise.all([...outputs, late])).toEqual(['one', 'two', 'three', 'four']);
});

test('inputs of one key do not wait for those of another', async () => {
  const { batches, add } = open();
  void add('a', '1');
  void add('b', '1');
  await settled();
  expect(batches.map(({ key }) => key)).toEqual(['a', 'b']);
});

test('no more than fit are done together, in the order in which they came', async () => {
  const { batches, add } = open((inputs) => Math.min(2, inputs.length));
  for (const input of ['1', '2', '3', '4']) void add('a', input);
  await settled();
  for (let n = 0; n < 2; n++) {
    batches[n]!.end(batches[n]!.inputs.slice());
    await settled();
  }
  expect(batches.map(({ inputs }) => inputs)).toEqual([
    ['1', '2'],
    ['3', '4'],
  ]);
});

test('an error is that of its batch alone', async () => {
  const { batches, add } = open();
  const failed = add('a', '1');
  await settled();
  const next = add('a', '2');
  batches[0]!.fail(new Error('down'));
  await expect(failed).rejects.toThrow('down');
  batches[1]!.end(['done']);
  expect(await next).toBe('done');
  const last = add('a', '3');
  await settled();
  batches[2]!.end(['again']);
  expect(await last).toBe('again');
});
