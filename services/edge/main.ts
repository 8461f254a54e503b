import { once } from 'node:events';
import { register } from 'prom-client';
import { loadConfig, requireEngines } from '../core/config.ts';
import { watchConnections } from '../core/drain.ts';
import { createLogger } from '../core/log.ts';
import { startOpsServer } from '../core/ops.ts';
import { startTracing, stopTracing } from '../core/tracing.ts';
import { openObjectStore } from '../engines/objects/store.ts';
import { requireRecordedEngines } from '../engines/record/agreement.ts';
import { openDatabase } from '../engines/sql/database.ts';
import { logUnavailable } from '../engines/unavailable.ts';
import { createEdge } from './edge.ts';
import { registerEdgeMetrics } from './metrics.ts';
import { startPushServer } from './push-server.ts';
import { keepRegistered, newEdgeId } from './registration.ts';
import { createEdgeServer } from './server.ts';

/** Lookups are coalesced: a few connections are enough for any number of visitors. */
const maxDatabaseConnections = 4;

/**
 * Returns a check that passes once both engines have responded, and then until the process drains. Without them the
 * edge still serves cached data, so an outage must not remove it from the load balancer.
 */
function createReadiness(isDraining: () => boolean, askEngines: () => Promise<unknown>) {
  let known = false;
  return async () => {
    if (isDraining()) throw new Error('The edge is stopping.');
    if (!known) await askEngines();
    known = true;
  };
}

/**
 * Runs the edge until SIGTERM or SIGINT: serves live releases and previews on `edgePort`, health and metrics on `opsPort`,
 * pushes of swaps on the push port.
 * Throws ConfigError when an engine's setting is missing.
 */
export async function main(): Promise<void> {
  const config = requireEngines(loadConfig(), { temporal: false });
  await startTracing(config, 'edge');
  const log = createLogger('edge', config.logLevel);
  logUnavailable(log);
  const databasePoolSize = Math.min(config.databasePoolSize, maxDatabaseConnections);
  const db = openDatabase({ ...config, databasePoolSize });
  const engines = await requireRecordedEngines(db, config, { log, actors: false });
  const objects = openObjectStore(config.objects, db);
  const edge = createEdge(config, { db, objects, log });
  registerEdgeMetrics(register, edge.counts, edge.blobCounts);
  const server = createEdgeServer({ respond: edge.respond, counts: edge.counts, log });
  const connections = watchConnections(server);
  const asked = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);

  const id = newEdgeId();
  const onSwap = edge.ages.swapped;
  const { secretKeys, edgePush, host } = config;
  const push = await startPushServer({ edgeId: id, secretKeys, host, ...edgePush, onSwap });
  // before the first read of a pointer: a swap is then either read or pushed
  const registration = await keepRegistered({ db, ages: edge.ages, log, edge: { id, url: push.url } });
  server.listen(config.edgePort, config.host);
  await once(server, 'listening');
  const askEngines = () => Promise.all([db.ping(), objects.ping()]).then(engines.requireAgreed);
  const ready = createReadiness(connections.isDraining, askEngines);
  const ops = await startOpsServer({ host: config.host, port: config.opsPort, ready, log });
  log.info({ address: server.address(), opsPort: ops.port }, 'The edge is listening.');

  await asked;
  log.info('The edge is draining connections.');
  await connections.drain(config.drain);
  await registration.stop();
  await push.close();
  await ops.close();
  await db.close();
  await stopTracing();
}
