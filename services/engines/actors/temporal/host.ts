import type { QueueName } from '../../../../workflows/policies/index.ts';
import { queueLimits, shutdownGraceMs, taskQueues } from '../../../../workflows/policies/index.ts';
import type { Logger } from '../../../core/log.ts';
import type { ActorHost, RunActors } from '../actor-host.ts';
import { interceptActivity, toActivities } from './activities.ts';
import { createTemporalClient, type TemporalSettings } from './client.ts';
import { createTemporalWorker, installTemporalRuntime } from './worker.ts';
import { loadWorkflowBundle } from './workflow-bundle.ts';

/**
 * The task queues of each worker queue. Media workers run videos in a separate queue, because they take minutes.
 * Workers for inbound deliveries also send events.
 */
const queuesOf: Record<RunActors['queues'][number], QueueName[]> = {
  general: ['general', 'suspects', 'fetch'],
  inbox: ['inbox', 'outbox'],
  media: ['media', 'video'],
};

/** Creates the host that runs actors as Temporal workflows, and their calls as activities of this worker. */
export function createTemporalHost(config: TemporalSettings, log: Logger): ActorHost {
  installTemporalRuntime(log);
  return {
    client: createTemporalClient(config, log),
    async run({ handlers, queues, onReady, signal }) {
      const activities = toActivities(handlers);
      const workers = [];
      for (const queue of queues.flatMap((word) => queuesOf[word])) {
        const options = {
          taskQueue: taskQueues[queue],
          activities,
          interceptors: { activity: [interceptActivity] },
          maxConcurrentActivityTaskExecutions: queueLimits[queue],
          shutdownGraceTime: shutdownGraceMs,
          shutdownForceTime: shutdownGraceMs * 2,
          // the worker of the general queue also runs the workflows
          ...(queue === 'general' ? { workflowBundle: await loadWorkflowBundle(log) } : {}),
        };
        workers.push(await createTemporalWorker(config, options, { log, signal }));
      }
      const running = Promise.all(workers.map((one) => one.run()));
      onReady();
      const { promise: asked, resolve } = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => resolve(), { once: true });
      if (signal.aborted) resolve();
      await Promise.race([running, asked]);
      for (const one of workers) one.shutdown();
      await running;
    },
  };
}
