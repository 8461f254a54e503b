import { createActivities } from '../../workflows/activities/index.ts';
import { outboxTaskQueue } from '../../workflows/contracts/endpoint-actor.ts';
import { inboxTaskQueue } from '../../workflows/contracts/integration-actor.ts';
import { mediaTaskQueue, videoTaskQueue } from '../../workflows/contracts/media.ts';
import { generalTaskQueue } from '../../workflows/contracts/site-actor.ts';
import { type EngineConfig, loadConfig, requireEngines } from '../core/config.ts';
import { createLogger } from '../core/log.ts';
import { startOpsServer } from '../core/ops.ts';
import { createCipher } from '../core/secrets.ts';
import { startTracing, stopTracing } from '../core/tracing.ts';
import { createComponentCompiler } from '../engines/components/compiler.ts';
import { createGuardedFetcher } from '../engines/fetch/fetcher.ts';
import { openConnectedStore } from '../engines/objects/connected-store.ts';
import { openDatabase } from '../engines/sql/database.ts';
import { createTemporalClient } from '../engines/temporal/client.ts';
import type { WorkerApp } from '../features/app.ts';
import { findFfmpeg } from '../features/media/process/ffmpeg.ts';
import { createImageProcesses } from '../features/media/process/image-process.ts';
import { removeStaleWorkFolders } from '../features/media/process/work-folder.ts';
import { createBuilder } from '../features/publishing/site-build/builder.ts';
import { registerBacklog } from './backlog.ts';
import { createHousekeeping } from './housekeeping.ts';
import { startSweeper } from './sweeper.ts';
import { createSweeps } from './sweeps.ts';
import { createTemporalWorker, installTemporalRuntime, type WorkerOptions } from './temporal-worker.ts';
import { loadWorkflowBundle } from './workflow-bundle.ts';

const maxConcurrentActivities = 20;
/** Each takes a core or more. */
const maxConcurrentMediaActivities = 2;
const maxConcurrentVideoActivities = 1;
/** Inboxes that one worker works through at once; they mostly wait. */
const maxConcurrentInboxes = 16;
/** Endpoints that one worker sends to at once; so many slow ones hold up no other. */
const maxConcurrentOutboxes = 64;
const imageTimeoutMs = 5 * 60 * 1000;

/** Resolves at the first SIGTERM or SIGINT. */
function stopSignal(): { signal: AbortSignal; asked: Promise<void> } {
  const controller = new AbortController();
  const asked = new Promise<void>((resolve) => {
    const stop = () => {
      controller.abort();
      resolve();
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  });
  return { signal: controller.signal, asked };
}

type Shared = Pick<WorkerOptions, 'config' | 'activities' | 'log' | 'signal'>;

/** One worker for each queue of the settings; workflows themselves run with the general queue. */
async function createWorkers(shared: Shared) {
  const plans: Record<
    EngineConfig['workerQueues'][number] | 'video' | 'outbox',
    () => Promise<Omit<WorkerOptions, keyof Shared>>
  > = {
    general: async () => ({
      taskQueue: generalTaskQueue,
      workflowBundle: await loadWorkflowBundle(shared.log),
      maxConcurrentActivities,
    }),
    media: async () => ({ taskQueue: mediaTaskQueue, maxConcurrentActivities: maxConcurrentMediaActivities }),
    video: async () => ({ taskQueue: videoTaskQueue, maxConcurrentActivities: maxConcurrentVideoActivities }),
    inbox: async () => ({ taskQueue: inboxTaskQueue, maxConcurrentActivities: maxConcurrentInboxes }),
    outbox: async () => ({ taskQueue: outboxTaskQueue, maxConcurrentActivities: maxConcurrentOutboxes }),
  };
  const workers = [];
  // a worker of media takes videos too, but apart: they take minutes; one that takes deliveries in sends events out
  const beside = { general: [], inbox: ['outbox'], media: ['video'] } as const;
  const queues = shared.config.workerQueues.flatMap((queue) => [queue, ...beside[queue]]);
  for (const queue of queues) {
    workers.push(await createTemporalWorker({ ...shared, ...(await plans[queue]()) }));
  }
  return workers;
}

/**
 * Runs the worker role: workflows, activities and the sweeper, until SIGTERM or SIGINT. Builds under way finish or are
 * taken over by another worker. Throws when the workflow engine is lost for good, so that a supervisor starts it anew.
 */
export async function main(): Promise<void> {
  const config = requireEngines(loadConfig());
  await startTracing(config, 'worker');
  const log = createLogger('worker', config.logLevel);
  installTemporalRuntime(log);
  const { signal, asked } = stopSignal();
  const db = openDatabase(config);
  const objects = openConnectedStore(config);
  const temporal = createTemporalClient(config, log);
  const components = createComponentCompiler();
  const app: WorkerApp = { config, db, objects, temporal, components, cipher: createCipher(config.secretKeys), log };
  const builder = createBuilder(app);
  const fetcher = createGuardedFetcher({ allow: config.fetchAllow, userAgent: 'Fieldstone' });
  const images = createImageProcesses(imageTimeoutMs);
  await removeStaleWorkFolders();
  const ffmpeg = findFfmpeg(config.ffmpeg);
  if (!ffmpeg && config.workerQueues.includes('media'))
    log.warn('ffmpeg was not found (FIELDSTONE_FFMPEG or PATH): videos are kept as they are');

  if (config.workerQueues.includes('general')) registerBacklog(db);

  let polling = false;
  const ops = await startOpsServer({
    host: config.host,
    port: config.opsPort,
    log,
    async ready() {
      if (!polling) throw new Error('The worker does not poll yet.');
      await Promise.all([db.ping(), objects.ping(), temporal.ping()]);
    },
  });

  try {
    const activities = createActivities({ app, builder, fetcher, images, ffmpeg });
    const workers = await createWorkers({ config, activities, log, signal });
    const sweepers = config.workerQueues.includes('general')
      ? [createSweeps(app), createHousekeeping(app, signal)].map((sweeps) => startSweeper(sweeps, log))
      : [];
    const running = Promise.all(workers.map((one) => one.run()));
    polling = true;
    log.info({ ops_port: ops.port }, 'worker ready');
    try {
      await Promise.race([running, asked.then(() => workers.map((one) => one.shutdown()))]);
      await running;
    } finally {
      polling = false;
      await Promise.all(sweepers.map((one) => one.stop()));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    images.close();
    await builder.close();
    await components.stop();
    await ops.close();
    await temporal.close();
    await objects.close();
    await db.close();
    await stopTracing();
  }
}
