import { setImmediate } from 'node:timers/promises';
import type { Db } from './db.ts';

interface Waiting<I, O> {
  input: I;
  resolve: (output: O) => void;
  reject: (error: unknown) => void;
}

/**
 * Batches inputs by key: those that arrive in one turn of the event loop form the first batch, those that arrive while it
 * is running the next one. So one batch per key runs at a time, and concurrent requests do not contend. `run` returns one output per input, in the same
 * order; its error rejects all inputs of the batch. `fits` returns how many of the waiting inputs form the next batch,
 * at least one; by default all.
 */
export function createBatches<I, O>(
  run: (key: string, inputs: readonly I[]) => Promise<readonly O[]>,
  fits: (inputs: readonly I[]) => number = (inputs) => inputs.length,
): (key: string, input: I) => Promise<O> {
  const queues = new Map<string, Waiting<I, O>[]>();

  async function runNext(key: string, queue: Waiting<I, O>[]): Promise<void> {
    const batch = queue.splice(0, fits(queue.map(({ input }) => input)));
    try {
      const inputs = batch.map(({ input }) => input);
      const outputs = await run(key, inputs);
      for (const [index, { resolve }] of batch.entries()) resolve(outputs[index]!);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function runAll(key: string, queue: Waiting<I, O>[]): Promise<void> {
    await setImmediate();
    while (queue.length > 0) await runNext(key, queue);
    queues.delete(key);
  }

  return (key, input) => {
    const { promise, resolve, reject } = Promise.withResolvers<O>();
    const queue = queues.get(key);
    if (queue) queue.push({ input, resolve, reject });
    else {
      const first = [{ input, resolve, reject }];
      queues.set(key, first);
      void runAll(key, first);
    }
    return promise;
  };
}

/** Returns a function that creates a value for each database, such as its batches, and keeps it. */
export function perDatabase<T>(create: (db: Db) => T): (db: Db) => T {
  const kept = new WeakMap<Db, T>();
  return (db) => {
    const value = kept.get(db) ?? create(db);
    kept.set(db, value);
    return value;
  };
}
