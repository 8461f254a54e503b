import { createActivities } from '../../workflows/activities/index.ts';
import { loadConfig, requireEngines } from '../core/config.ts';
import { createLogger } from '../core/log.ts';
import { startOpsServer } from '../core/ops.ts';
import { createCipher } from '../core/secrets.ts';
import { startTracing, stopTracing } from '../core/tracing.ts';
import { openActorHost } from '../engines/actors/open.ts';
import { createComponentCompiler } from '../engines/components/compiler.ts';
import { createEdgeNotifier } from '../engines/edges/notifier.ts';
import { createGuardedFetcher } from '../engines/fetch/fetcher.ts';
import { openConnectedStore } from '../engines/objects/connected-store.ts';
import { requireRecordedEngines } from '../engines/record/agreement.ts';
import { openMailer } from '../engines/smtp/mailer.ts';
import { openDatabase } from '../engines/sql/database.ts';
import { createThreadPool } from '../engines/threads/thread-pool.ts';
import { logUnavailable } from '../engines/unavailable.ts';
import type { WorkerApp } from '../features/app.ts';
import { createFieldChecker, openBodyCleaner } from '../features/content/index.ts';
import {
  createImageProcesses,
  findFfmpeg,
  openMediaProcessor,
  removeStaleWorkFolders,
} from '../features/media/index.ts';
import { openBuilder } from '../features/publishing/index.ts';
import { registerBacklog } from './backlog.ts';
import { createHousekeeping } from './housekeeping.ts';
import { startSweeper } from './sweeper.ts';
import { createMailSweeps, createProofSweeps, createShardSweeps, createSweeps } from './sweeps.ts';

const imageTimeoutMs = 5 * 60 * 1000;

/** Returns a signal that the first SIGTERM or SIGINT aborts. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  return controller.signal;
}

/**
 * Runs the worker role: actors, their calls and the sweeper, until SIGTERM or SIGINT. Running builds finish or are
 * continued by another worker. Throws when the runtime is permanently lost, so that a supervisor restarts the worker.
 */
export async function main(): Promise<void> {
  const config = requireEngines(loadConfig());
  await startTracing(config, 'worker');
  const log = createLogger('worker', config.logLevel);
  logUnavailable(log);
  const signal = stopSignal();
  const db = openDatabase(config);
  const engines = await requireRecordedEngines(db, config, { log });
  const objects = openConnectedStore(config);
  const host = await openActorHost(config, log);
  const actors = host.client;
  const threads = createThreadPool();
  const components = createComponentCompiler(threads);
  const bodies = await openBodyCleaner(threads);
  const fieldChecks = createFieldChecker(threads);
  const cipher = createCipher(config.secretKeys);
  const edges = createEdgeNotifier({ db, secretKeys: config.secretKeys, log });
  const app: WorkerApp = { config, db, objects, actors, edges, components, bodies, fieldChecks, cipher, log };
  const builder = await openBuilder({ ...app, threads });
  const announceStop = () =>
    builder
      .stopping()
      .catch((error: unknown) => log.warn({ err: error }, 'the marks of running builds could not be removed'));
  signal.addEventListener('abort', announceStop, { once: true });
  const fetcher = createGuardedFetcher({ allow: config.fetchAllow, userAgent: 'Fieldstone' });
  const processMedia = await openMediaProcessor();
  const images = createImageProcesses(imageTimeoutMs);
  await removeStaleWorkFolders();
  const ffmpeg = findFfmpeg(config.ffmpeg);
  if (!ffmpeg && config.workerQueues.includes('media'))
    log.warn('ffmpeg was not found (FIELDSTONE_FFMPEG or PATH): videos are not converted');

  const mailer = await openMailer(config);

  if (config.workerQueues.includes('general')) registerBacklog(db);

  let ready = false;
  const ops = await startOpsServer({
    host: config.host,
    port: config.opsPort,
    log,
    async ready() {
      if (!ready) throw new Error('The worker is not running actors yet.');
      engines.requireAgreed();
      await Promise.all([db.ping(), objects.ping(), actors.ping()]);
    },
  });

  try {
    const handlers = createActivities({ app, builder, fetcher, processMedia, images, ffmpeg });
    let sweepers: ReturnType<typeof startSweeper>[] = [];
    const onReady = () => {
      if (config.workerQueues.includes('general'))
        sweepers = [
          createSweeps(app),
          createProofSweeps(app),
          createMailSweeps(app, mailer),
          createHousekeeping(app, signal),
          createShardSweeps(config, builder),
        ].map((sweeps) => startSweeper(sweeps, log));
      ready = true;
      log.info({ ops_port: ops.port }, 'worker ready');
    };
    try {
      await host.run({ handlers, queues: config.workerQueues, onReady, signal });
    } finally {
      ready = false;
      // also when the runtime was lost, which is not the builds' fault
      await announceStop();
      await Promise.all(sweepers.map((one) => one.stop()));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    images.close();
    mailer?.close();
    await builder.close();
    await components.stop();
    await threads.stop();
    await ops.close();
    await actors.close();
    await objects.close();
    await db.close();
    await stopTracing();
  }
}
