import type { WorkerApp } from '../../workflows/activities/deps.ts';
import { createActivities } from '../../workflows/activities/index.ts';
import { inboxTaskQueue } from '../../workflows/contracts/integration-actor.ts';
import { mediaTaskQueue } from '../../workflows/contracts/media.ts';
import { generalTaskQueue } from '../../workflows/contracts/site-actor.ts';
import { loadConfig, requireEngines } from '../core/config.ts';
import { createLogger } from '../core/log.ts';
import { startOpsServer } from '../core/ops.ts';
import { createCipher } from '../core/secrets.ts';
import { createComponentCompiler } from '../engines/components/compiler.ts';
import { createGuardedFetcher } from '../engines/fetch/fetcher.ts';
import { openObjectStore } from '../engines/objects/store.ts';
import { openDatabase } from '../engines/sql/database.ts';
import { createTemporalClient } from '../engines/temporal/client.ts';
import { createImageProcesses } from '../features/media/process/image-process.ts';
import { createBuilder } from '../features/publishing/build/builder.ts';
import { startSweeper } from './sweeper.ts';
import { createSweeps } from './sweeps.ts';
import { createTemporalWorker, installTemporalRuntime } from './temporal-worker.ts';
import { loadWorkflowBundle } from './workflow-bundle.ts';

const maxConcurrentActivities = 20;
/** Each takes a core or more. */
const maxConcurrentMediaActivities = 2;
/** Inboxes that one worker works through at once; they mostly wait. */
const maxConcurrentInboxes = 16;
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

/**
 * Runs the worker role: workflows, activities and the sweeper, until SIGTERM or SIGINT. Builds under way finish or are
 * taken over by another worker. Throws when the workflow engine is lost for good, so that a supervisor starts it anew.
 */
export async function main(): Promise<void> {
  const config = requireEngines(loadConfig());
  const log = createLogger('worker', config.logLevel);
  installTemporalRuntime(log);
  const { signal, asked } = stopSignal();
  const db = openDatabase(config);
  const objects = openObjectStore(config.s3, db);
  const temporal = createTemporalClient(config, log);
  const components = createComponentCompiler();
  const app: WorkerApp = { config, db, objects, temporal, components, cipher: createCipher(config.secretKeys), log };
  const builder = createBuilder(app);
  const fetcher = createGuardedFetcher({ allow: config.fetchAllow, userAgent: 'Fieldstone' });
  const images = createImageProcesses(imageTimeoutMs);

  let polling = false;
  const ops = await startOpsServer({
    host: config.host,
    port: config.opsPort,
    async ready() {
      if (!polling) throw new Error('The worker does not poll yet.');
      await Promise.all([db.ping(), objects.ping(), temporal.ping()]);
    },
  });

  try {
    const activities = createActivities({ app, builder, fetcher, images });
    const shared = { config, activities, log, signal };
    const worker = await createTemporalWorker({
      ...shared,
      taskQueue: generalTaskQueue,
      workflowBundle: await loadWorkflowBundle(log),
      maxConcurrentActivities,
    });
    const mediaWorker = await createTemporalWorker({
      ...shared,
      taskQueue: mediaTaskQueue,
      maxConcurrentActivities: maxConcurrentMediaActivities,
    });
    const inboxWorker = await createTemporalWorker({
      ...shared,
      taskQueue: inboxTaskQueue,
      maxConcurrentActivities: maxConcurrentInboxes,
    });
    const sweeper = startSweeper(createSweeps(app), log);
    const workers = [worker, mediaWorker, inboxWorker];
    const running = Promise.all(workers.map((one) => one.run()));
    polling = true;
    log.info({ ops_port: ops.port }, 'worker ready');
    try {
      await Promise.race([running, asked.then(() => workers.map((one) => one.shutdown()))]);
      await running;
    } finally {
      polling = false;
      await sweeper.stop();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    images.close();
    await builder.close();
    await components.stop();
    await ops.close();
    await temporal.close();
    await db.close();
  }
}
