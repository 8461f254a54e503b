/**
 * Measures the event loop from inside a process: loaded with `--import` into one that has a channel to its parent, it
 * replies to each message of the parent with a Look since the previous message.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

export interface Look {
  /** Wall clock, which includes other programs on the machine; milliseconds. */
  delayP99Ms: number;
  delayMaxMs: number;
  /** Processor time of the main thread without a pause, at the 99th percentile and at most; milliseconds. */
  busyP99Ms: number;
  busyMaxMs: number;
}

const sampleMs = 2;

if (isMainThread && process.send) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let stretches: number[] = [];
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    stretches.push((user + system) / 1000);
  }, sampleMs).unref();
  process.on('message', () => {
    const sorted = stretches.toSorted((a, b) => a - b);
    const look: Look = {
      delayP99Ms: delay.percentile(99) / 1e6,
      delayMaxMs: delay.max / 1e6,
      busyP99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
      busyMaxMs: sorted.at(-1) ?? 0,
    };
    process.send!(look);
    stretches = [];
    delay.reset();
  });
  process.channel?.unref();
}
