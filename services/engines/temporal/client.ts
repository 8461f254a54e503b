import { AsyncLocalStorage } from 'node:async_hooks';
import { ApplicationFailure, Client, Connection, isGrpcServiceError, WorkflowFailedError } from '@temporalio/client';
import { generalTaskQueue, siteActorId, siteActorType, wakeSignal } from '../../../workflows/contracts/site-actor.ts';
import { workflowTaskTimeoutMs } from '../../../workflows/policies/index.ts';
import type { Config } from '../../core/config.ts';
import { type ErrorCode, type ErrorDetail, errorCatalogue, Problem, problem } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { countUnavailable, measureRequest } from '../metrics.ts';
import { originInterceptor } from './origin.ts';
import { explainTemporal, temporalTls } from './tls.ts';

type TemporalSettings = Pick<Config, 'temporalNamespace' | 'temporalApiKey' | 'temporalTls'> & {
  temporalAddress: string;
};

/** An actor: a workflow with a fixed id that looks into SQL whenever it is woken. */
export interface ActorAddress {
  type: string;
  id: string;
  args: readonly unknown[];
  taskQueue?: string;
}

export interface RunOptions {
  workflowId: string;
  args: readonly unknown[];
  taskQueue?: string;
  /** How long the caller waits; the workflow itself is ended after it too. */
  timeoutMs: number;
}

/** See `createTemporalClient`. */
export interface TemporalGateway {
  /**
   * Wakes a site's actor, starting it where it does not run. Call it after the commit. Best effort: it never delays or
   * fails the caller, and at most one signal per actor is on its way from this process; a lost one is made good by the sweeper.
   */
  wakeSite(siteId: string): void;
  /** The same for any other actor. */
  wakeActor(actor: ActorAddress): void;
  /**
   * Runs a short workflow and answers its result. An activity's failure made by `toFailure` comes back as the Problem
   * it was; an engine that is down or a result that takes too long is a Problem `unavailable`.
   */
  runAndWait<T>(workflowType: string, options: RunOptions): Promise<T>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

const callTimeoutMs = 5000;

type Snapshot = ReturnType<typeof AsyncLocalStorage.snapshot>;

function engineUnavailable(cause: unknown): Problem {
  return problem('unavailable', 'The workflow engine cannot be reached at the moment; try again shortly.', {
    retryAfterSeconds: 2,
    cause,
  });
}

/** A Problem as the failure of an activity: it crosses the engine whole, and is not retried. */
export function toFailure(error: Problem): ApplicationFailure {
  return ApplicationFailure.create({
    type: error.code,
    message: error.message,
    details: [error.details ?? null],
    nonRetryable: true,
  });
}

function findApplicationFailure(error: unknown): ApplicationFailure | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApplicationFailure) return cause;
  }
  return null;
}

function toProblem(error: unknown): unknown {
  const failure = findApplicationFailure(error);
  if (failure?.type && Object.hasOwn(errorCatalogue, failure.type)) {
    const details = failure.details?.[0] as ErrorDetail[] | null | undefined;
    return problem(failure.type as ErrorCode, failure.message, { cause: error, ...(details ? { details } : {}) });
  }
  if (error instanceof WorkflowFailedError || isGrpcServiceError(error)) return engineUnavailable(error);
  if (error instanceof Error && isGrpcServiceError(error.cause)) return engineUnavailable(error);
  return error;
}

/**
 * A client that connects when first used and reconnects by itself, so that no process needs the engine to start.
 */
export function createTemporalClient(config: TemporalSettings, log: Logger): TemporalGateway {
  const connection = Connection.lazy({
    address: config.temporalAddress,
    tls: temporalTls(config),
    ...(config.temporalApiKey ? { apiKey: config.temporalApiKey } : {}),
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 2000 },
  });
  const client = new Client({
    connection,
    namespace: config.temporalNamespace,
    interceptors: { workflow: [originInterceptor] },
  });
  /** Actors with a signal on its way; `again` is the context of another wake that came meanwhile. */
  const underWay = new Map<string, { again: Snapshot | null }>();

  async function signal(actor: ActorAddress): Promise<void> {
    const request = { engine: 'temporal', operation: 'signal', span: `wake ${actor.type}` } as const;
    await measureRequest(request, () =>
      connection.withDeadline(Date.now() + callTimeoutMs, () =>
        client.workflow.signalWithStart(actor.type, {
          workflowId: actor.id,
          taskQueue: actor.taskQueue ?? generalTaskQueue,
          args: [...actor.args],
          workflowTaskTimeout: workflowTaskTimeoutMs,
          signal: wakeSignal,
          signalArgs: [],
        }),
      ),
    );
  }

  async function keepSignalling(actor: ActorAddress, state: { again: Snapshot | null }): Promise<void> {
    try {
      await signal(actor);
      for (let again = state.again; again; again = state.again) {
        state.again = null;
        await again(() => signal(actor));
      }
    } catch (error) {
      countUnavailable('temporal');
      log.warn({ err: error, actor: actor.id }, 'an actor could not be woken; the sweeper will');
    } finally {
      underWay.delete(actor.id);
    }
  }

  function wakeActor(actor: ActorAddress): void {
    const state = underWay.get(actor.id);
    if (state) {
      state.again = AsyncLocalStorage.snapshot();
      return;
    }
    const fresh = { again: null };
    underWay.set(actor.id, fresh);
    void keepSignalling(actor, fresh);
  }

  return {
    wakeActor,
    wakeSite: (siteId) => wakeActor({ type: siteActorType, id: siteActorId(siteId), args: [siteId] }),
    async runAndWait<T>(workflowType: string, { workflowId, args, taskQueue, timeoutMs }: RunOptions): Promise<T> {
      try {
        const request = { engine: 'temporal', operation: 'run', span: `run ${workflowType}` } as const;
        return await measureRequest(request, () =>
          connection.withDeadline(Date.now() + timeoutMs, async () => {
            const result: unknown = await client.workflow.execute(workflowType, {
              workflowId,
              args: [...args],
              taskQueue: taskQueue ?? generalTaskQueue,
              workflowExecutionTimeout: timeoutMs,
            });
            return result as T;
          }),
        );
      } catch (error) {
        const told = toProblem(error);
        if (told instanceof Problem && told.code === 'unavailable') countUnavailable('temporal');
        throw told;
      }
    },
    async ping() {
      try {
        await connection.withDeadline(Date.now() + callTimeoutMs, () => connection.workflowService.getSystemInfo({}));
      } catch (error) {
        throw (await explainTemporal(config)) ?? error;
      }
    },
    close: () => connection.close(),
  };
}
