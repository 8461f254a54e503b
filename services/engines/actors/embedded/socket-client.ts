import http from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../core/log.ts';
import { currentOrigin } from '../../../core/tracing.ts';
import { measureRequest } from '../../metrics.ts';
import { recordUnavailable } from '../../unavailable.ts';
import { type ActorClient, createWaker, type RunOptions } from '../actor-client.ts';
import { actorsUnavailable, readProblem } from '../failures.ts';
import type { RunRequest, RunResponse, WakeRequest } from './socket-server.ts';

const wakeTimeoutMs = 5000;
/** How long after a run's own timeout the worker counts as lost. */
const responseMarginMs = 2000;
/** Delay before reconnecting for notices after the worker was lost. */
const reconnectMs = 1000;

/** The worker closed a kept-alive connection before it read the request: the same request on a new one may succeed. */
class StaleConnection extends Error {}

/**
 * Creates a client for the actors inside this machine's worker. It starts without a worker; each request connects to
 * the current one.
 */
export function createSocketClient(socketPath: string, log: Logger): ActorClient {
  const agent = new http.Agent({ keepAlive: true });

  async function post(path: string, body: unknown, timeoutMs: number): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    const signal = AbortSignal.timeout(timeoutMs);
    const request = http.request({ socketPath, agent, path, method: 'POST', signal }, resolve);
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '');
      reject(isStale ? new StaleConnection(error.message, { cause: error }) : error);
    });
    request.end(JSON.stringify(body));
    const response = await promise;
    if (response.statusCode !== 200) throw new Error(`The worker responded with ${response.statusCode} to ${path}.`);
    if (path === '/run') return json(response);
    response.resume();
    return undefined;
  }

  async function send(path: string, body: unknown, timeoutMs: number): Promise<unknown> {
    try {
      return await post(path, body, timeoutMs);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      return await post(path, body, timeoutMs);
    }
  }

  /**
   * Receives notices over one connection. Resolves when it is lost; rejects if it cannot be opened or the signal is
   * aborted.
   */
  async function hearOnce(listener: () => void, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    http
      .request({ socketPath, agent: false, path: '/jobs-ended', method: 'POST', signal }, resolve)
      .on('error', reject)
      .end();
    const response = await promise;
    if (response.statusCode !== 200)
      throw new Error(`The worker responded with ${response.statusCode} to /jobs-ended.`);
    for await (const _notices of response) listener();
  }

  async function keepHearing(listener: () => void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await hearOnce(listener, signal);
      } catch (error) {
        if (!signal.aborted) log.debug({ err: error }, 'notices of the worker cannot be heard at the moment');
      }
      await sleep(reconnectMs, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    hearJobsEnded: (listener, signal) => void keepHearing(listener, signal),
    ...createWaker(
      async (actor) => {
        const request = { engine: 'actors', operation: 'wake', span: `wake ${actor.type}` } as const;
        // read within the request's span, so that the work becomes its child
        const body = (): WakeRequest => ({ actor, origin: currentOrigin() ?? {} });
        await measureRequest(request, () => send('/wake', body(), wakeTimeoutMs));
      },
      { engine: 'actors', log },
    ),
    async run<T>(type: string, options: RunOptions): Promise<T> {
      const body = (): RunRequest => ({ type, options, origin: currentOrigin() ?? {} });
      const request = { engine: 'actors', operation: 'run', span: `run ${type}` } as const;
      let response: RunResponse;
      try {
        const sent = () => send('/run', body(), options.timeoutMs + responseMarginMs);
        response = (await measureRequest(request, sent)) as RunResponse;
      } catch (error) {
        recordUnavailable({ engine: 'actors', request: `run ${type}`, cause: error });
        throw actorsUnavailable(error);
      }
      if ('result' in response) return response.result as T;
      const cause = new Error('error' in response ? response.error : response.problem.message);
      throw ('problem' in response && readProblem(response.problem, cause)) || actorsUnavailable(cause);
    },
    async ping() {
      await send('/ping', null, wakeTimeoutMs);
    },
    async close() {
      agent.destroy();
    },
  };
}
