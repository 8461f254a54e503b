import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { ImageJob, ImageProgress, ImageResult } from './image-job.ts';

const childFile = path.join(import.meta.dirname, 'image-child.ts');
const memoryMiB = 512;

/** Thrown when the decoder refused the file: it is broken, or not of its stated type. */
export class ImageFault extends Error {}

/** Thrown when the decoder's process ended during its work or timed out. */
export class DecoderLost extends Error {}

type ChildMessage = { result: ImageResult } | { fault: string } | { progress: ImageProgress };

/** How a job is run: the signal that stops it, and the receiver of its progress. */
export interface ImageCall {
  signal: AbortSignal;
  onProgress?: ((progress: ImageProgress) => void) | undefined;
}

function startChild(): ChildProcess {
  return fork(childFile, [], {
    serialization: 'advanced',
    // settings and secrets of this process are not passed on
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
  const onMessage = (message: ChildMessage) => {
    if ('progress' in message) onProgress?.(message.progress);
    else if ('result' in message) resolve(message.result);
    else reject(new ImageFault(message.fault));
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
 * Creates the processes that decode images. They are started when first needed and reused; after any failure except a
 * refused file, a process is ended and replaced.
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
