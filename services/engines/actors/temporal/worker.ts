import { setTimeout as sleep } from 'node:timers/promises';
import { NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Logger } from '../../../core/log.ts';
import type { TemporalSettings } from './client.ts';
import { explainTemporal, temporalTls } from './tls.ts';

interface Surroundings {
  log: Logger;
  /** Stops waiting for the engine. */
  signal: AbortSignal;
}

const retryMs = 1000;
const heartbeatThrottleMs = 1000;
const stickyTimeoutMs = 2000;

/**
 * Forwards the SDK's warnings to our log and disables its signal handlers; call once per process, before any
 * connection.
 */
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

/** Connects, and retries until the engine responds: a worker may start before its engine. */
async function connect(config: TemporalSettings, { log, signal }: Surroundings): Promise<NativeConnection> {
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

/**
 * Creates the worker of one task queue, ready to run. `run` ends after `shutdown`, or throws when the engine is lost
 * permanently.
 */
export async function createTemporalWorker(
  config: TemporalSettings,
  options: Omit<WorkerOptions, 'connection' | 'namespace'>,
  surroundings: Surroundings,
) {
  const connection = await connect(config, surroundings);
  const worker = await Worker.create({
    ...options,
    connection,
    namespace: config.temporalNamespace,
    maxHeartbeatThrottleInterval: heartbeatThrottleMs,
    defaultHeartbeatThrottleInterval: heartbeatThrottleMs,
    // after this, workflows cached by a killed worker go to other workers
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
