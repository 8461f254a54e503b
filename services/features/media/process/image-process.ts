import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { ImageJob, ImageProgress, ImageResult } from './image-job.ts';

const childFile = path.join(import.meta.dirname, 'image-child.ts');
const memoryMiB = 512;

/** The decoder refused the file: it is broken, or not what it says. */
export class ImageFault extends Error {}

/** The decoder's process ended while it worked, or took too long. */
export class DecoderLost extends Error {}

type Answer = { result: ImageResult } | { fault: string } | { progress: ImageProgress };

/** How a job is run: what ends it, and who is told how far it is. */
export interface ImageCall {
  signal: AbortSignal;
  onProgress?: ((progress: ImageProgress) => void) | undefined;
}

function startChild(): ChildProcess {
  return fork(childFile, [], {
    serialization: 'advanced',
    // nothing of this process' settings and secrets goes along
    env: { NODE_ENV: 'production', PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'] } as Record<string, string>,
    execArgv: [`--max-old-space-size=${memoryMiB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** Runs one job in a child; rejects with ImageFault, DecoderLost, or the reason of `signal`. */
function runIn(
  child: ChildProcess,
  job: ImageJob,
  timeoutMs: number,
  { signal, onProgress }: ImageCall,
): Promise<ImageResult> {
  const { promise, resolve, reject } = Promise.withResolvers<ImageResult>();
  const onExit = () => reject(new DecoderLost('The image decoder ended.'));
  const onMessage = (answer: Answer) => {
    if ('progress' in answer) onProgress?.(answer.progress);
    else if ('result' in answer) resolve(answer.result);
    else reject(new ImageFault(answer.fault));
  };
  const onAbort = () => reject(signal.reason);
  const timer = setTimeout(() => reject(new DecoderLost('The image took too long to decode.')), timeoutMs);
  child.once('exit', onExit);
  child.once('error', onExit);
  child.on('message', onMessage);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  else child.send(job, (error) => error && onExit());
  return promise.finally(() => {
    clearTimeout(timer);
    child.off('exit', onExit);
    child.off('error', onExit);
    child.off('message', onMessage);
    signal.removeEventListener('abort', onAbort);
  });
}

export type ImageProcesses = ReturnType<typeof createImageProcesses>;

/**
 * Processes that decode images, started when first needed and kept for the next image; one that failed in any way but
 * refusing a file is ended and another takes its place.
 */
export function createImageProcesses(timeoutMs: number) {
  const idle: ChildProcess[] = [];
  const all = new Set<ChildProcess>();

  function take(): ChildProcess {
    for (let child = idle.pop(); child; child = idle.pop()) if (child.connected) return child;
    const child = startChild();
    all.add(child);
    child.once('exit', () => all.delete(child));
    child.on('error', () => undefined);
    return child;
  }

  return {
    /** Makes the renditions of one step. Rejects with ImageFault, DecoderLost, or the reason of `signal`. */
    async run(job: ImageJob, call: ImageCall): Promise<ImageResult> {
      const child = take();
      try {
        const result = await runIn(child, job, timeoutMs, call);
        idle.push(child);
        return result;
      } catch (error) {
        if (error instanceof ImageFault) idle.push(child);
        else child.kill('SIGKILL');
        throw error;
      }
    },
    close(): void {
      for (const child of all) child.kill('SIGKILL');
      idle.length = 0;
    },
  };
}
