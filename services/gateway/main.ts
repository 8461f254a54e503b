import { loadConfig, requireEngines } from '../core/config.ts';
import { keepAliveMs, watchConnections } from '../core/drain.ts';
import { createLogger } from '../core/log.ts';
import { startOpsServer } from '../core/ops.ts';
import { createCipher } from '../core/secrets.ts';
import { startTracing, stopTracing } from '../core/tracing.ts';
import { openActorClient } from '../engines/actors/open.ts';
import { createComponentCompiler } from '../engines/components/compiler.ts';
import { createEdgeNotifier } from '../engines/edges/notifier.ts';
import { openConnectedStore } from '../engines/objects/connected-store.ts';
import { requireRecordedEngines } from '../engines/record/agreement.ts';
import { createTemplateChecker } from '../engines/sandbox/template-checker.ts';
import { openDatabase } from '../engines/sql/database.ts';
import { createThreadPool } from '../engines/threads/thread-pool.ts';
import { logUnavailable } from '../engines/unavailable.ts';
import type { App } from '../features/app.ts';
import { createFieldChecker, openBodyCleaner } from '../features/content/index.ts';
import { createJobEnds } from '../features/publishing/index.ts';
import { createDashboardHandlers } from './dashboard/handlers.ts';
import { createMcpHandlers } from './mcp/handlers.ts';
import { createOAuthHandlers } from './oauth/handlers.ts';
import { createStages } from './pipeline.ts';
import { createPlainHandlers } from './plain.ts';
import { dashboardRoutes, routes } from './routes.ts';
import { createServer } from './server.ts';
import { createUploads } from './uploads.ts';

/** Runs the gateway until SIGTERM or SIGINT; then readiness fails, open requests are finished, and the process ends. */
export async function main(): Promise<void> {
  const config = requireEngines(loadConfig());
  await startTracing(config, 'gateway');
  const log = createLogger('gateway', config.logLevel);
  logUnavailable(log);
  const db = openDatabase(config);
  const engines = await requireRecordedEngines(db, config, { log });
  const objects = openConnectedStore(config);
  const threads = createThreadPool();
  const actors = await openActorClient(config, log);
  const jobEnds = createJobEnds({ db, actors, log });
  const app: App = {
    config,
    log,
    db,
    objects,
    actors,
    edges: createEdgeNotifier({ db, secretKeys: config.secretKeys, log }),
    jobEnds,
    cipher: createCipher(config.secretKeys),
    threads,
    templates: createTemplateChecker(),
    components: createComponentCompiler(threads),
    bodies: await openBodyCleaner(threads),
    fieldChecks: createFieldChecker(threads),
  };
  const uploads = await createUploads(app);
  const stages = createStages(app);
  const { server, http } = createServer(app, stages, {
    routes,
    uploads: uploads.routes,
    plain: [
      ...createPlainHandlers(app, routes),
      ...createDashboardHandlers(app, stages, { calls: dashboardRoutes, operations: routes, uploads: uploads.routes }),
      ...createOAuthHandlers(app),
      ...createMcpHandlers(app, stages, routes),
      ...uploads.preflight,
    ],
  });
  http.keepAliveTimeout = keepAliveMs;
  const connections = watchConnections(http);
  const ready = async () => {
    if (connections.isDraining()) throw new Error('The gateway is stopping.');
    // Uses the requests' connection pool on purpose, so that the probe sees what a request would see: 503 when the pool
    // stays full for as long as a probe waits. Other replicas may have room; if none has, the pause lets the queue
    // drain.
    await db.ping();
    engines.requireAgreed();
  };
  const ops = await startOpsServer({ host: config.host, port: config.opsPort, ready, log });
  await new Promise<void>((resolve, reject) => {
    // restify emits the errors of the HTTP server again on its own server
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  });
  log.info({ port: config.port }, 'gateway listening');

  const stop = async () => {
    log.info('The gateway is draining.');
    jobEnds.stop();
    await connections.drain(config.drain);
    ops.close();
    await Promise.allSettled([
      actors.close(),
      app.templates.stop(),
      app.components.stop(),
      threads.stop(),
      db.close(),
      objects.close(),
      stopTracing(),
    ]);
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}
