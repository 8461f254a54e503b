import type { ChildProcess } from 'node:child_process';
import { startCallClock, watchLimits } from './call-clock.ts';
import type { SandboxReply, SandboxRequest } from './messages.ts';
import { SandboxError } from './sandbox-error.ts';
import { type SandboxSpawnOptions, spawnSandbox } from './spawn.ts';

export interface SandboxCallOptions {
  /**
   * Time limit of the call, from its turn and after the process has started; the process is killed when it is exceeded.
   */
  timeoutMs: number;
  /** Limit of the processor time of the call (CallClock.usedMs); the process is killed when it is exceeded. */
  processorMs?: number;
  /**
   * Called with the time that the call has used (CallClock.usedMs) when it ends, however it ends. The start of the
   * process does not count.
   */
  onUsed?(ms: number): void;
}

export interface SandboxProcessOptions extends SandboxSpawnOptions {
  /** The process is ended after this time without calls; never by default. */
  idleMs?: number;
}

/** A process that handles calls one at a time. */
export interface SandboxProcess {
  /** Calls a method of the child. Rejects with a `SandboxError`. */
  call<T>(method: string, payload: unknown, options: SandboxCallOptions): Promise<T>;
  /** Ends the process; waiting and later calls are rejected with code `stopped`. */
  stop(): Promise<void>;
  /** Returns whether the process has a network namespace of its own; null before the first start. */
  hasNetworkNamespace(): boolean | null;
}

interface Job {
  method: string;
  payload: unknown;
  options: SandboxCallOptions;
  resolve: (value: unknown) => void;
  reject: (error: SandboxError) => void;
}

interface Running {
  child: ChildProcess;
  ready: Promise<void>;
  exited: Promise<void>;
  /** Returns the last part of its standard error. */
  output: () => string;
}

const startTimeoutMs = 30_000;
const keptOutput = 4_000;

/** Creates a sandbox process. It starts with the first call, and again after it was killed or ended idle. */
export function createSandboxProcess(options: SandboxProcessOptions): SandboxProcess {
  const queue: Job[] = [];
  let running: Running | null = null;
  let settle: ((reply: SandboxReply | SandboxError) => void) | null = null;
  let networkNamespace: boolean | null = null;
  let busy = false;
  let stopped = false;
  let nextId = 1;
  let idleTimer: NodeJS.Timeout | undefined;

  function start(): Running {
    const { child, ...protection } = spawnSandbox(options);
    ({ networkNamespace } = protection);
    let output = '';
    child.stderr?.on('data', (chunk) => {
      output = (output + String(chunk)).slice(-keptOutput);
    });
    const ready = Promise.withResolvers<void>();
    ready.promise.catch(() => {});
    const exited = new Promise<void>((resolve) => {
      const end = (error: SandboxError) => {
        if (running?.child === child) {
          running = null;
          settle?.(error);
        }
        ready.reject(error);
        resolve();
      };
      child.on('error', (error) =>
        end(new SandboxError('crashed', `The sandbox could not be started: ${error.message}`)),
      );
      child.on('exit', (code, signal) => end(describeExit(code, signal, output)));
    });
    child.on('message', (reply: SandboxReply) => {
      if (reply.type === 'ready') ready.resolve();
      else if (running?.child === child) settle?.(reply);
    });
    return { child, ready: ready.promise, exited, output: () => output };
  }

  function kill(): void {
    const child = running?.child;
    running = null;
    child?.kill('SIGKILL');
  }

  async function untilReady(): Promise<Running> {
    running ??= start();
    const current = running;
    setReferenced(current.child, true);
    const timer = setTimeout(kill, startTimeoutMs);
    try {
      await current.ready;
    } catch (error) {
      const { message, details } = error as SandboxError;
      throw new SandboxError('unstarted', message, { details });
    } finally {
      clearTimeout(timer);
    }
    return current;
  }

  async function run(job: Job): Promise<void> {
    try {
      job.resolve(await exchange(await untilReady(), job));
    } catch (error) {
      job.reject(error instanceof SandboxError ? error : new SandboxError('crashed', String(error)));
    }
  }

  async function exchange({ child, output }: Running, job: Job): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<SandboxReply | SandboxError>();
    const request: SandboxRequest = { id: nextId++, method: job.method, payload: job.payload };
    settle = (reply) => {
      if (reply instanceof SandboxError || reply.type === 'ready' || reply.id === request.id) resolve(reply);
    };
    const clock = startCallClock(child.pid);
    const stopWatching = watchLimits(clock, job.options, (message) => {
      kill();
      resolve(new SandboxError('timeout', message, { details: { output: output() } }));
    });
    try {
      child.send(request, (error) => {
        if (error) resolve(new SandboxError('crashed', `The sandbox could not be called: ${error.message}`));
      });
      return readReply(await promise);
    } finally {
      stopWatching();
      settle = null;
      job.options.onUsed?.(clock.usedMs());
    }
  }

  async function drain(): Promise<void> {
    if (busy) return;
    busy = true;
    clearTimeout(idleTimer);
    for (let job = queue.shift(); job; job = queue.shift()) await run(job);
    busy = false;
    rest();
  }

  /** Marks the process as idle: it does not keep this one alive, and ends after `idleMs`. */
  function rest(): void {
    setReferenced(running?.child, false);
    if (options.idleMs !== undefined) idleTimer = setTimeout(kill, options.idleMs).unref();
  }

  return {
    call<T>(method: string, payload: unknown, callOptions: SandboxCallOptions): Promise<T> {
      if (stopped) return Promise.reject(new SandboxError('stopped', 'The sandbox was stopped.'));
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      queue.push({ method, payload, options: callOptions, resolve: resolve as (value: unknown) => void, reject });
      void drain();
      return promise;
    },
    async stop() {
      stopped = true;
      const error = new SandboxError('stopped', 'The sandbox was stopped.');
      for (const job of queue.splice(0)) job.reject(error);
      const current = running;
      setReferenced(current?.child, true);
      clearTimeout(idleTimer);
      kill();
      settle?.(error);
      await current?.exited;
    },
    hasNetworkNamespace: () => networkNamespace,
  };
}

function setReferenced(child: ChildProcess | undefined, referenced: boolean): void {
  const change = referenced ? 'ref' : 'unref';
  child?.[change]();
  child?.channel?.[change]();
  (child?.stderr as { ref?(): void; unref?(): void } | null | undefined)?.[change]?.();
}

/** Returns the error for an unexpected end: V8 aborts when the heap limit is reached; every other end is a crash. */
function describeExit(code: number | null, signal: NodeJS.Signals | null, output: string): SandboxError {
  const isMemory = signal === 'SIGABRT' || code === 134;
  const message = isMemory
    ? 'The sandbox ran out of memory.'
    : `The sandbox ended unexpectedly (${signal ?? `exit code ${code}`}).`;
  return new SandboxError(isMemory ? 'memory' : 'crashed', message, { details: { output } });
}

function readReply(reply: SandboxReply | SandboxError): unknown {
  if (reply instanceof SandboxError) throw reply;
  if (reply.type === 'value') return reply.value;
  if (reply.type === 'ready') throw new SandboxError('crashed', 'The sandbox restarted unexpectedly.');
  const { message, templateError, details } = reply;
  if (templateError) throw new SandboxError('template', message, { templateError, details });
  throw new SandboxError('failed', message, { details });
}
