import { ApplicationFailure, Client, Connection, isGrpcServiceError, WorkflowFailedError } from '@temporalio/client';
import { wakeSignal } from '../../../../workflows/contracts/site-actor.ts';
import { taskQueues, workflowTaskTimeoutMs } from '../../../../workflows/policies/index.ts';
import type { Config } from '../../../core/config.ts';
import { Problem } from '../../../core/errors.ts';
import type { Logger } from '../../../core/log.ts';
import { measureRequest } from '../../metrics.ts';
import { recordUnavailable } from '../../unavailable.ts';
import { type ActorClient, type ActorRef, createWaker, type RunOptions } from '../actor-client.ts';
import { actorsUnavailable, type ProblemRecord, readProblem, recordProblem } from '../failures.ts';
import { originInterceptor } from './origin.ts';
import { explainTemporal, temporalTls } from './tls.ts';

export type TemporalSettings = Pick<Config, 'temporalNamespace' | 'temporalApiKey' | 'temporalTls'> & {
  temporalAddress: string;
};

const callTimeoutMs = 5000;

/** Converts a Problem to an activity failure that keeps all its fields and is not retried. */
export function toFailure(error: Problem): ApplicationFailure {
  const { code, message, details, ...more } = recordProblem(error);
  return ApplicationFailure.create({ type: code, message, details: [details, more], nonRetryable: true });
}

function findApplicationFailure(error: unknown): ApplicationFailure | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApplicationFailure) return cause;
  }
  return null;
}

/** Returns the Problem of a failure, or the error itself. Workers of the previous release send only the details. */
function toProblem(error: unknown): unknown {
  const failure = findApplicationFailure(error);
  const [details = null, more] = (failure?.details ?? []) as [ProblemRecord['details']?, Partial<ProblemRecord>?];
  const { retryAfterSeconds = null, isBusy = false } = more ?? {};
  const record = failure?.type && { code: failure.type, message: failure.message, details, retryAfterSeconds, isBusy };
  const mapped = record && readProblem(record, error);
  if (mapped) return mapped;
  if (error instanceof WorkflowFailedError || isGrpcServiceError(error)) return actorsUnavailable(error);
  if (error instanceof Error && isGrpcServiceError(error.cause)) return actorsUnavailable(error);
  return error;
}

/**
 * Creates a client that connects on first use and reconnects automatically, so that no process needs the engine to start.
 */
export function createTemporalClient(config: TemporalSettings, log: Logger): ActorClient {
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

  async function signal({ type, id, args }: ActorRef): Promise<void> {
    const request = { engine: 'temporal', operation: 'signal', span: `wake ${type}` } as const;
    await measureRequest(request, () =>
      connection.withDeadline(Date.now() + callTimeoutMs, () =>
        client.workflow.signalWithStart(type, {
          workflowId: id,
          taskQueue: taskQueues.general,
          args: [...args],
          workflowTaskTimeout: workflowTaskTimeoutMs,
          signal: wakeSignal,
          signalArgs: [],
        }),
      ),
    );
  }

  return {
    ...createWaker(signal, { engine: 'temporal', log }),
    async run<T>(type: string, { id, input, timeoutMs }: RunOptions): Promise<T> {
      try {
        const request = { engine: 'temporal', operation: 'run', span: `run ${type}` } as const;
        return await measureRequest(request, () =>
          connection.withDeadline(Date.now() + timeoutMs, async () => {
            const result: unknown = await client.workflow.execute(type, {
              workflowId: id,
              args: [input],
              taskQueue: taskQueues.general,
              workflowExecutionTimeout: timeoutMs,
            });
            return result as T;
          }),
        );
      } catch (error) {
        const mapped = toProblem(error);
        if (mapped instanceof Problem && mapped.code === 'unavailable' && !mapped.isBusy)
          recordUnavailable({ engine: 'temporal', request: `run ${type}`, cause: error });
        throw mapped;
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
