import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { ChildAnswer, ChildRequest } from './child.ts';
import type { RenderReply } from './protocol.ts';

const childFile = path.join(import.meta.dirname, 'child.ts');
/** All that it may read: the program itself. */
const codeFolder = path.resolve(import.meta.dirname, '../../../../..');
const memoryMiB = 512;
/** A renderer that nobody has asked for this long is ended: an idle service should be small. */
const idleMs = 60_000;

/** The child ended while it worked: out of memory, or out of time. */
export class ChildLost extends Error {}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

/** A renderer process that starts when first asked and starts anew after it was lost. */
export function createRenderChild() {
  let child: ChildProcess | null = null;
  let next = 1;
  let idle: NodeJS.Timeout | undefined;
  const waiting = new Map<number, { resolve: (replies: RenderReply[]) => void; reject: (error: Error) => void }>();

  function lose(lost: ChildProcess, error: Error): void {
    if (child !== lost) return;
    child = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function start(): ChildProcess {
    const started = fork(childFile, [], {
      serialization: 'advanced',
      // nothing of this process' settings and secrets goes along
      env: { NODE_ENV: 'production' },
      execArgv: [`--max-old-space-size=${memoryMiB}`, '--disable-proto=throw', '--permission', `--allow-fs-read=${codeFolder}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    started.on('exit', () => lose(started, new ChildLost('The page renderer ended.')));
    started.on('error', () => lose(started, new ChildLost('The page renderer could not start.')));
    started.on('message', (answer: ChildAnswer) => {
      const waiter = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('failure' in answer) waiter?.reject(new Error(answer.failure));
      else waiter?.resolve(answer.replies);
    });
    return started;
  }

  function stop(): void {
    const running = child;
    clearTimeout(idle);
    if (!running) return;
    lose(running, new ChildLost('The page renderer was stopped.'));
    running.kill('SIGKILL');
  }

  return {
    stop,
    /** Rejects with ChildLost when the child ends or takes longer than `timeoutMs`; it is ended then. */
    ask(request: WithoutId<ChildRequest>, timeoutMs: number): Promise<RenderReply[]> {
      const running = (child ??= start());
      const id = next++;
      clearTimeout(idle);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          lose(running, new ChildLost('The page renderer took too long.'));
          running.kill('SIGKILL');
        }, timeoutMs);
        const settle =
          <T>(then: (value: T) => void) =>
          (value: T) => {
            clearTimeout(timer);
            if (waiting.size === 0) idle = setTimeout(stop, idleMs).unref();
            then(value);
          };
        waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
        running.send({ ...request, id });
      });
    },
  };
}

export type RenderChild = ReturnType<typeof createRenderChild>;
