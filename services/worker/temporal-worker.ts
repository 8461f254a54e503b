import { setTimeout as sleep } from 'node:timers/promises';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import type { EngineConfig } from '../core/config.ts';
import type { Logger } from '../core/log.ts';
import { explainTemporal, temporalTls } from '../engines/temporal/tls.ts';
import { activityContext } from './activity-context.ts';

export interface WorkerOptions {
  config: EngineConfig;
  taskQueue: string;
  workflowBundle?: { code: string };
  activities: object;
  maxConcurrentActivities: number;
  log: Logger;
  /** Stops waiting for the engine. */
  signal: AbortSignal;
}

const retryMs = 1000;
const shutdownGraceMs = 8000;
const heartbeatThrottleMs = 1000;
const stickyTimeoutMs = 2000;

/** Sends the SDK's own warnings to our log and leaves signals to us; once per process, before any connection. */
export function installTemporalRuntime(log: Logger): void {
  Runtime.install({
    shutdownSignals: [],
    logger: {
      log: (level, message, meta) =>
        level === 'ERROR' ? log.error(meta ?? {}, message) : log.warn(meta ?? {}, message),
      trace: () => undefined,
      debug: () => undefined,
      info: () => undefined,
      warn: (message, meta) => log.warn(meta ?? {}, message),
      error: (message, meta) => log.error(meta ?? {}, message),
    },
  });
}

/** Connects, as often as it takes: a worker may start before its engine. */
async function connect(config: EngineConfig, log: Logger, signal: AbortSignal): Promise<NativeConnection> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await NativeConnection.connect({
        address: config.temporalAddress,
        tls: temporalTls(config) ?? undefined,
        ...(config.temporalApiKey ? { apiKey: config.temporalApiKey } : {}),
      });
    } catch (error) {
      if (attempt % 30 === 0)
        log.warn({ err: (await explainTemporal(config)) ?? error }, 'waiting for the workflow engine');
      await sleep(retryMs, undefined, { signal });
    }
  }
}

/** A worker of one task queue that is ready to run; `run` ends after `shutdown`, or throws when the engine is lost for good. */
export async function createTemporalWorker(options: WorkerOptions) {
  const { config, log, signal } = options;
  const connection = await connect(config, log, signal);
  const worker = await Worker.create({
    connection,
    namespace: config.temporalNamespace,
    taskQueue: options.taskQueue,
    ...(options.workflowBundle ? { workflowBundle: options.workflowBundle } : {}),
    activities: options.activities,
    interceptors: { activity: [activityContext] },
    maxConcurrentActivityTaskExecutions: options.maxConcurrentActivities,
    maxHeartbeatThrottleInterval: heartbeatThrottleMs,
    defaultHeartbeatThrottleInterval: heartbeatThrottleMs,
    shutdownGraceTime: shutdownGraceMs,
    shutdownForceTime: shutdownGraceMs * 2,
    // what a killed worker had cached goes to the others after this
    stickyQueueScheduleToStartTimeout: stickyTimeoutMs,
    maxCachedWorkflows: 500,
  });
  return {
    async run(): Promise<void> {
      try {
        await worker.run();
      } finally {
        await connection.close();
      }
    },
    shutdown(): void {
      if (worker.getState() === 'RUNNING') worker.shutdown();
    },
  };
}
