import { mkdirSync, rmSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../../core/errors.ts';
import { tryLock } from '../../../core/file-lock.ts';
import type { Logger } from '../../../core/log.ts';
import type { Origin } from '../../../core/tracing.ts';
import type { ActorClient, ActorRef, RunOptions } from '../actor-client.ts';
import { type ProblemRecord, recordProblem } from '../failures.ts';

/** The actors of this process, as the socket serves them to other processes. */
export interface ActorService {
  wake(actor: ActorRef, origin: Origin): void;
  run(type: string, options: RunOptions, origin: Origin, signal: AbortSignal): Promise<unknown>;
  hearJobsEnded: Required<ActorClient>['hearJobsEnded'];
}

/** The body of a wake. All requests of the socket are POST, with JSON or without a body. */
export interface WakeRequest {
  actor: ActorRef;
  origin: Origin;
}
export interface RunRequest {
  type: string;
  options: RunOptions;
  origin: Origin;
}
/** The body of the response to a run. */
export type RunResponse = { result: unknown } | { problem: ProblemRecord } | { error: string };

const lockRetryMs = 200;

/** Waits for the exclusive right to run the actors of this socket; the kernel releases it when a process dies. */
async function acquireLock(folder: string, { log, signal }: { log: Logger; signal: AbortSignal }) {
  for (let attempt = 0; ; attempt++) {
    const lock = tryLock(path.join(folder, 'lock'));
    if (lock) return lock;
    if (attempt === 0) log.warn('another worker runs the actors of this machine: this one waits until it has ended');
    await sleep(lockRetryMs, undefined, { signal });
  }
}

async function respondToRun(service: ActorService, request: http.IncomingMessage, response: http.ServerResponse) {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const { type, options, origin } = (await json(request)) as RunRequest;
  let body: RunResponse;
  try {
    body = { result: await service.run(type, options, origin, gone.signal) };
  } catch (error) {
    body = error instanceof Problem ? { problem: recordProblem(error) } : { error: (error as Error).message };
  }
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(body));
}

/** Sends one byte per notice, until the client disconnects. The first byte confirms the subscription. */
function respondWithNotices(service: ActorService, response: http.ServerResponse): void {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  service.hearJobsEnded(() => response.write('\n'), gone.signal);
  response.write('\n');
}

async function respond(service: ActorService, request: http.IncomingMessage, response: http.ServerResponse) {
  if (request.url === '/run') return respondToRun(service, request, response);
  if (request.url === '/jobs-ended') return respondWithNotices(service, response);
  if (request.url === '/wake') {
    const { actor, origin } = (await json(request)) as WakeRequest;
    service.wake(actor, origin);
  } else if (request.url !== '/ping') {
    response.statusCode = 404;
  }
  response.end();
}

/**
 * Serves the actors of this process on a Unix socket that only the user of the data folder can open. Waits while
 * another worker holds the socket.
 */
export async function serveActors(
  socket: string,
  service: ActorService,
  surroundings: { log: Logger; signal: AbortSignal },
): Promise<{ close(): Promise<void> }> {
  const folder = path.dirname(socket);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = await acquireLock(folder, surroundings);
  rmSync(socket, { force: true }); // left by a worker that was killed
  const server = http.createServer((request, response) => {
    respond(service, request, response).catch((error: unknown) => {
      surroundings.log.warn({ err: error, url: request.url }, 'a request to the actors failed');
      response.statusCode = 400;
      response.end();
    });
  });
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, resolve));
  return {
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      lock.release();
    },
  };
}
