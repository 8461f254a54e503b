import { setInterval } from 'node:timers/promises';

const sampleMs = 5;

/**
 * Runs work and answers for how many milliseconds at a time it kept this thread's event loop busy, at the 99th percentile. What counts
 * is the processor's time of this thread, so that other programs on the machine do not: on one that has nothing else to do it is what
 * `monitorEventLoopDelay` says. Compare it with `measureWork` of the same work, not with a number: machines differ.
 */
export async function measureLoopWork(work: () => Promise<unknown>): Promise<number> {
  const stretches: number[] = [];
  const working = work();
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  working.then(over, over);
  let before = process.threadCpuUsage();
  for await (const _ of setInterval(sampleMs)) {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    stretches.push((user + system) / 1000);
    if (isOver) break;
  }
  await working;
  stretches.sort((a, b) => a - b);
  return stretches[Math.floor(stretches.length * 0.99)]!;
}

/** The processor's time of this thread, in milliseconds, that work takes which is done in one go. */
export function measureWork(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
