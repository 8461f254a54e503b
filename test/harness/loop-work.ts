import { setInterval } from 'node:timers/promises';

const sampleMs = 5;

/**
 * Runs work and returns for how many milliseconds at a time it blocked this thread's event loop, at the 99th
 * percentile. Measures the processor time of this thread, so that other programs do not matter; on an idle machine it
 * equals `monitorEventLoopDelay`. Compare it with `measureWork` of the same work, not with a constant: machines differ.
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

/** Returns the processor time of this thread, in milliseconds, that synchronous work takes. */
export function measureWork(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
