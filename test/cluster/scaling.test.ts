import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { closeStack, eventually, readMetrics } from '../harness/api.ts';
import { type OwnService, startOwnService } from '../harness/own-service.ts';
import { startRole, type TestRole } from '../harness/role.ts';

// `npm run test:scaling` is the long form: more sites, and more publishes of each
const long = process.env.FIELDSTONE_TEST_LONG === 'true';
const sites = Array.from({ length: long ? 12 : 5 }, (_, n) => `site-${n}`);
const publishesPerPhase = long ? 15 : 3;
/** Five processes start, and builds take long on a busy machine. */
const limitMs = long ? 3_600_000 : 600_000;

afterAll(closeStack);

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
type Any = any;

/** What was promised to clients, and what failed. */
interface Ledger {
  /** Paths that a finished publish has made live. */
  live: string[];
  visits: number;
  failures: string[];
}

async function call(service: OwnService, method: string, at: string, body?: object) {
  const headers = { 'X-API-Key': service.key, 'Content-Type': 'application/json' };
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const reply = await fetch(`${service.gateway}/api/v1${at}`, init);
  if (!reply.ok) throw new Error(`${method} ${at}: ${reply.status} ${await reply.text()}`);
  return ((await reply.json()) as { data: Any }).data;
}

/** Publishes a new post of a site, and records its path once the job has succeeded. */
async function goLive(service: OwnService, site: string, title: string, ledger: Ledger): Promise<void> {
  const { slug } = await call(service, 'POST', `/sites/${site}/content`, { title, status: 'published' });
  const { job } = await call(service, 'POST', `/sites/${site}/publish`);
  const { status, error } = await eventually(`${title} is live`, async () => {
    const record = await call(service, 'GET', `/jobs/${job}?wait=30`);
    return record.finished_at && record;
  });
  if (status !== 'succeeded') throw new Error(`${title}: ${error?.message}`);
  ledger.live.push(`/sites/${site}/posts/${slug}/`);
}

/** Every site publishes one post after the other. */
async function publishAll(service: OwnService, phase: string, ledger: Ledger): Promise<void> {
  await Promise.all(
    sites.map(async (site) => {
      for (let n = 0; n < publishesPerPhase; n++) await goLive(service, site, `${phase} ${n}`, ledger);
    }),
  );
}

/** Visits live pages on all edges, also on those that join meanwhile, until the signal aborts. */
async function visitLive(edges: readonly string[], ledger: Ledger, signal: AbortSignal): Promise<void> {
  for (let n = 0; !signal.aborted; n++) {
    const edge = edges[n % edges.length]!;
    const path = ledger.live[ledger.live.length - 1 - (n % Math.min(10, ledger.live.length || 1))];
    if (path) {
      const status = await fetch(edge + path).then(
        async (reply) => reply.text().then(() => reply.status),
        (error: Error) => error.message,
      );
      ledger.visits += 1;
      if (status !== 200) ledger.failures.push(`${edge}${path}: ${status}`);
    }
    await sleep(10);
  }
}

/** Returns the number of builds that a worker has finished successfully. */
async function buildsOf(ops: string): Promise<number> {
  const line = /^fieldstone_builds_total\{target="live",result="succeeded"\} (\d+)$/m;
  return Number(line.exec(await readMetrics(ops))?.[1] ?? 0);
}

async function countPosts(service: OwnService, site: string): Promise<number> {
  const headers = { 'X-API-Key': service.key };
  const reply = await fetch(`${service.gateway}/api/v1/sites/${site}/content?type=post`, { headers });
  return ((await reply.json()) as Any).pagination.total;
}

test(
  'one worker becomes three during builds, one edge becomes three under load, and nothing is lost',
  async () => {
    const service = await startOwnService();
    // each process gets ports of its own
    const { FIELDSTONE_PORT: _port, FIELDSTONE_EDGE_PORT: edgePort, ...env } = service.env;
    const added: TestRole[] = [];
    const add = async (role: 'worker' | 'edge') => {
      const started = await startRole(role, env);
      added.push(started);
      return started;
    };
    const ledger: Ledger = { live: [], visits: 0, failures: [] };
    const edges = [`http://127.0.0.1:${edgePort}`];
    const stopping = new AbortController();
    const visitors = Array.from({ length: 4 }, () => visitLive(edges, ledger, stopping.signal));
    try {
      for (const slug of sites) await call(service, 'POST', '/sites', { name: slug, slug });
      await publishAll(service, 'One worker', ledger);

      const during = publishAll(service, 'Growing', ledger);
      const grow = async (role: 'worker' | 'edge') => [await add(role), await add(role)] as const;
      const [moreWorkers, moreEdges] = await Promise.all([grow('worker'), grow('edge'), during]);
      edges.push(...moreEdges.map(({ url }) => url));

      const workers = [service.ops.worker, ...moreWorkers.map(({ ops }) => ops)];
      for (let round = 0; ; round++) {
        await publishAll(service, `Three workers ${round}`, ledger);
        const builds = await Promise.all(workers.map(buildsOf));
        if (builds.every((count) => count > 0)) break;
        if (round === 20) throw new Error(`A worker has built nothing: ${builds.join(', ')}`);
      }
      stopping.abort();
      await Promise.all(visitors);

      expect(ledger.failures).toEqual([]);
      expect(ledger.visits).toBeGreaterThan(edges.length);
      for (const edge of edges)
        for (const path of ledger.live)
          expect([edge, path, (await fetch(edge + path)).status]).toEqual([edge, path, 200]);
      for (const site of sites) {
        const live = ledger.live.filter((path) => path.includes(`/${site}/`));
        expect([site, await countPosts(service, site)]).toEqual([site, live.length]);
      }
    } finally {
      stopping.abort();
      await Promise.all(added.map((role) => role.kill()));
      await service.stop();
    }
  },
  limitMs,
);
