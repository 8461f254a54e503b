import { type ChildProcess, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** How to run one long-lived process and how to check that it is ready. */
export interface ProcessSpec {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd?: string;
  /** Another user to run as. */
  identity?: { uid: number; gid: number };
  stopSignal: NodeJS.Signals;
  /** How long it may take to stop before it is killed. */
  stopTimeoutMs: number;
  readyTimeoutMs: number;
  /** One check; false or an error means not yet. */
  isReady(): Promise<boolean>;
}

export interface ProcessEvent {
  name: string;
  state: 'exited' | 'ready';
  /** One sentence for people: how it ended, and when it is restarted. */
  detail: string;
}

export interface SupervisedProcess {
  readonly name: string;
  isUp(): boolean;
  /** Ends the process (its signal first, SIGKILL after its timeout) and does not restart it. */
  stop(): Promise<void>;
}

interface Attempt {
  child: ChildProcess;
  exited: Promise<string>;
  lastLines(): string;
}

const firstStartAttempts = 3;
const readyPollMs = 100;
const firstBackoffMs = 500;
const maxBackoffMs = 15_000;
/** After this uptime, the delay before a restart is reset. */
const settledMs = 60_000;

function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  return signal ? `was ended by ${signal}` : `ended with code ${code}`;
}

/** Stack frames and Node's footer say where, not why. */
const uninformative = /^\s*(at |Node\.js v|\^|$)/;

/** Keeps the end of a child's output, for the message that says why it did not start. */
function rememberTail(child: ChildProcess, log: Writable): () => string {
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      log.write(chunk);
      tail = (tail + chunk.toString('utf8')).slice(-8000);
    });
  }
  return () => {
    const lines = tail.split('\n').filter((line) => !uninformative.test(line));
    return lines.slice(-3).join(' / ');
  };
}

function launch(spec: ProcessSpec, log: Writable): Attempt {
  // A process group of its own: Ctrl-C in the terminal must reach only `up`, which then stops everything in order.
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: spec.env,
    uid: spec.identity?.uid,
    gid: spec.identity?.gid,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const lastLines = rememberTail(child, log);
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
    child.once('exit', (code, signal) => resolve(describeExit(code, signal)));
  });
  return { child, exited, lastLines };
}

/** Returns undefined when the process is ready, else the reason why it is not, as the end of a sentence. */
async function waitUntilReady(spec: ProcessSpec, attempt: Attempt, signal: AbortSignal): Promise<string | undefined> {
  let ending: string | undefined;
  attempt.exited.then((detail) => (ending = detail));
  const deadline = Date.now() + spec.readyTimeoutMs;
  while (ending === undefined) {
    if (await spec.isReady().catch(() => false)) return ending;
    if (signal.aborted) return 'was stopped while it started';
    if (Date.now() > deadline) return `did not become ready within ${Math.round(spec.readyTimeoutMs / 1000)} seconds`;
    await sleep(readyPollMs);
  }
  return ending;
}

async function end(spec: ProcessSpec, attempt: Attempt): Promise<void> {
  const timer = setTimeout(() => attempt.child.kill('SIGKILL'), spec.stopTimeoutMs);
  attempt.child.kill(spec.stopSignal);
  await attempt.exited;
  clearTimeout(timer);
}

/** The environment of a supervised process. */
export interface SupervisionHost {
  log: Writable;
  onEvent(event: ProcessEvent): void;
  /** Aborted when everything must stop: aborts a start in progress. */
  signal: AbortSignal;
}

/**
 * Starts a process, waits until it is ready and keeps it running: when it ends unexpectedly, it is restarted, after a pause
 * that doubles up to 15 seconds. Throws when it does not become ready in three attempts, with the last lines of its
 * output.
 */
export async function superviseProcess(spec: ProcessSpec, host: SupervisionHost): Promise<SupervisedProcess> {
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, host.signal]);
  let up = false;
  let current = launch(spec, host.log);

  /** Waits for the current attempt, and ends it if it does not become ready. Returns the reason. */
  async function settle(): Promise<string | undefined> {
    const failure = await waitUntilReady(spec, current, signal);
    up = failure === undefined;
    if (failure) await end(spec, current);
    return failure;
  }

  async function keepRunning(): Promise<void> {
    let pauseMs = firstBackoffMs;
    for (let failure: string | undefined; !signal.aborted; ) {
      const startedAt = Date.now();
      const reason = failure ?? (await current.exited);
      up = false;
      if (signal.aborted) return;
      host.onEvent({ name: spec.name, state: 'exited', detail: `${spec.name} ${reason}; starting it again.` });
      if (Date.now() - startedAt > settledMs) pauseMs = firstBackoffMs;
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      pauseMs = Math.min(pauseMs * 2, maxBackoffMs);
      current = launch(spec, host.log);
      failure = await settle();
      if (!failure) host.onEvent({ name: spec.name, state: 'ready', detail: `${spec.name} is back.` });
    }
  }

  let failure = await settle();
  for (let attempt = 1; failure && attempt < firstStartAttempts && !signal.aborted; attempt++) {
    await sleep(firstBackoffMs * attempt);
    current = launch(spec, host.log);
    failure = await settle();
  }
  if (failure) throw new Error(`${spec.name} ${failure}. Its last output: ${current.lastLines() || '(none)'}`);
  const running = keepRunning();

  return {
    name: spec.name,
    isUp: () => up,
    async stop() {
      stopping.abort();
      up = false;
      await end(spec, current);
      await running;
      await end(spec, current); // a restart may have been in progress
    },
  };
}
