/**
 * Records histories of the site actor for the replay tests: `npm run record:histories`, with a service running (`fieldstone
 * up`, or the engines in the environment). The definitions run on the real engine; only what SQL would answer is scripted.
 * Record a new set under new names when a change is meant to be incompatible; the old ones show what running workflows need.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { CancelledFailure, Context } from '@temporalio/activity';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { NativeConnection, Worker } from '@temporalio/worker';
import { loadCommandConfig } from '../services/cli/settings.ts';
import { createLogger } from '../services/core/log.ts';
import { loadWorkflowBundle } from '../services/worker/workflow-bundle.ts';
import type { BuildOutcome, SitePlan } from '../workflows/contracts/site-actor.ts';
import { siteActorType, wakeSignal } from '../workflows/contracts/site-actor.ts';

interface Scenario {
  /** What `planSite` answers, in order; the actor ends after the last. */
  plans: SitePlan[];
  /** What each build does. */
  build?: (n: number) => Promise<BuildOutcome['result']>;
  /** What the world does meanwhile. */
  drive?: (wake: () => Promise<void>) => Promise<void>;
}

const shortMs = 300;

/** A build that runs until it is cancelled, as a preview does when a publish comes. */
async function buildUntilCancelled(): Promise<never> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), 100);
  try {
    await context.cancelled;
  } catch {
    throw new CancelledFailure('another build takes its place');
  } finally {
    clearInterval(beat);
  }
  throw new Error('not reached');
}

const scenarios: Record<string, Scenario> = {
  'publish-then-idle': {
    plans: [{ do: 'build', target: 'live' }, { do: 'idle' }, { do: 'end' }],
    async drive(wake) {
      await sleep(shortMs * 4);
      await wake();
    },
  },
  'shell-edits-wait-for-quiet': {
    plans: [
      { do: 'sleep', ms: shortMs * 3 },
      { do: 'sleep', ms: shortMs * 3 },
      { do: 'build', target: 'preview' },
      { do: 'end' },
    ],
    async drive(wake) {
      await sleep(shortMs);
      await wake();
    },
  },
  'publish-cancels-preview': {
    plans: [
      { do: 'build', target: 'preview' },
      { do: 'build', target: 'live' },
      { do: 'build', target: 'live' },
      { do: 'build', target: 'preview' },
      { do: 'end' },
    ],
    build: async (n) => (n === 0 ? buildUntilCancelled() : 'succeeded'),
    async drive(wake) {
      await sleep(shortMs * 3);
      await wake();
    },
  },
  'wakes-during-a-build': {
    plans: [{ do: 'build', target: 'live' }, { do: 'build', target: 'live' }, { do: 'end' }],
    async build() {
      await sleep(shortMs * 3);
      return 'succeeded';
    },
    async drive(wake) {
      await sleep(shortMs);
      await Promise.all([wake(), wake(), wake()]);
    },
  },
  'scheduled-item-falls-due': {
    plans: [{ do: 'sleep', ms: shortMs * 2 }, { do: 'build', target: 'live' }, { do: 'end' }],
  },
  'engine-away-then-back': {
    plans: [{ do: 'build', target: 'live' }, { do: 'end' }],
    async build(n) {
      if (n === 0) throw new Error('the object store is away');
      return 'succeeded';
    },
  },
  'failed-build-and-lost-swap': {
    plans: [{ do: 'build', target: 'live' }, { do: 'build', target: 'live' }, { do: 'end' }],
    build: async (n) => (n === 0 ? 'failed' : 'lost'),
  },
};

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'test/workflows/histories');
const config = loadCommandConfig(process.env['FIELDSTONE_DATA']);
const workflowBundle = await loadWorkflowBundle(createLogger('record', 'warn'));
const native = await NativeConnection.connect({ address: config.temporalAddress });
const connection = await Connection.connect({ address: config.temporalAddress });
const client = new Client({ connection, namespace: config.temporalNamespace });
await mkdir(folder, { recursive: true });

async function record(name: string, { plans, build, drive }: Scenario): Promise<void> {
  const taskQueue = `record-${randomUUID()}`;
  let planned = 0;
  let builds = 0;
  const worker = await Worker.create({
    connection: native,
    namespace: config.temporalNamespace,
    taskQueue,
    workflowBundle,
    activities: {
      planSite: async () => plans[planned++] ?? { do: 'end' },
      buildSite: async () => ({ result: build ? await build(builds++) : 'succeeded' }),
    },
  });
  await worker.runUntil(async () => {
    const handle = await client.workflow.start(siteActorType, {
      taskQueue,
      workflowId: taskQueue,
      args: ['00000000-0000-4000-8000-000000000000'],
    });
    await drive?.(() => handle.signal(wakeSignal));
    await handle.result();
    // stack traces name the checkout, which is nobody else's
    const history = historyToJSON(await handle.fetchHistory()).replaceAll(
      pathToFileURL(root).href,
      'file:///fieldstone',
    );
    await writeFile(path.join(folder, `${name}.json`), `${history}\n`);
    process.stdout.write(`${name}: ${planned} plans, ${builds} builds\n`);
  });
}

for (const [name, scenario] of Object.entries(scenarios)) await record(name, scenario);
await connection.close();
await native.close();
