/**
 * Records histories of the actors for the replay tests: `npm run record:histories [-- NAME…]`, while a service runs
 * (`fieldstone up`, or the engines in the environment). The definitions run on the real engine, in their own namespace;
 * only the results of activities are scripted. If a change is meant to be incompatible, record a new set under new
 * names; the old ones show what running workflows need.
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
import { loadWorkflowBundle } from '../services/engines/actors/temporal/workflow-bundle.ts';
import { backupOperationType } from '../workflows/contracts/backup-operation.ts';
import { clientDocumentType } from '../workflows/contracts/client-document.ts';
import { endpointActorType, type OutboxPlan } from '../workflows/contracts/endpoint-actor.ts';
import { factCheckType } from '../workflows/contracts/fact-check.ts';
import { type InboxPlan, integrationActorType } from '../workflows/contracts/integration-actor.ts';
import { itemPreviewType } from '../workflows/contracts/item-preview.ts';
import { type MediaTask, mediaActorType, mediaFetchType } from '../workflows/contracts/media.ts';
import { type BuildOutcome, type SitePlan, siteActorType, wakeSignal } from '../workflows/contracts/site-actor.ts';
import { taskQueues } from '../workflows/policies/index.ts';

interface Scenario {
  actor: string;
  /** External events while the actor runs. */
  drive?: ((wake: () => Promise<void>) => Promise<void>) | undefined;
  /** The results of the activities, by queue: the actor's own, or another. */
  activities: object;
  taskQueues?: string[];
  /** The argument of the workflow; an id by default. */
  argument?: unknown;
}

interface SiteScenario extends Pick<Scenario, 'drive'> {
  /** The results of `planSite`, in order; the actor ends after the last. */
  plans: SitePlan[];
  /** Runs the n-th build and returns its result. */
  build?: (n: number) => Promise<BuildOutcome['result']>;
}

/** Returns one result after the other; throws a result that is an error. */
function returnInTurn<T>(results: readonly (T | Error)[], last: T): () => Promise<T> {
  let n = 0;
  return async () => {
    const result = results[n++] ?? last;
    if (result instanceof Error) throw result;
    return result;
  };
}

function siteScenario({ plans, build, drive }: SiteScenario): Scenario {
  let builds = 0;
  return {
    actor: siteActorType,
    drive,
    activities: {
      planSite: returnInTurn<SitePlan>(plans, { do: 'end' }),
      buildSite: async () => ({ result: build ? await build(builds++) : 'succeeded' }),
    },
  };
}

/** Returns the actor of an integration, which ends after the last plan. */
function inboxScenario(plans: (InboxPlan | Error)[], drive?: Scenario['drive']): Scenario {
  const workInbox = returnInTurn<InboxPlan>(plans, { do: 'end' });
  return { actor: integrationActorType, drive, taskQueues: [taskQueues.inbox], activities: { workInbox } };
}

/** Returns the actor of an endpoint, which ends some seconds after it became idle. */
function outboxScenario(plans: (OutboxPlan | Error)[], drive?: Scenario['drive']): Scenario {
  const sendEvents = returnInTurn<OutboxPlan>(plans, { do: 'idle' });
  return { actor: endpointActorType, drive, taskQueues: [taskQueues.outbox], activities: { sendEvents } };
}

/**
 * Returns the actor of a library with these tasks, which ends some seconds after the last of them. `fault` is thrown
 * once.
 */
function mediaScenario(
  tasks: MediaTask[],
  { drive, fault }: Pick<Scenario, 'drive'> & { fault?: Error } = {},
): Scenario {
  const open = new Map(tasks.map((task) => [task.id, task]));
  let left = fault ? 1 : 0;
  return {
    actor: mediaActorType,
    drive,
    taskQueues: [taskQueues.media, taskQueues.video],
    activities: {
      planMedia: async () => [...open.values()],
      async processMedia({ id, work }: MediaTask) {
        await sleep(shortMs / 3);
        if (left-- > 0) throw fault;
        if (work === 'variants') open.set(id, { id, work: 'avif' });
        else open.delete(id);
      },
    },
  };
}

const shortMs = 300;
const anId = '00000000-0000-4000-8000-000000000000';

/** Runs a build until it is cancelled, like a preview when a publish arrives. */
async function buildUntilCancelled(): Promise<never> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), 100);
  try {
    await context.cancelled;
  } catch {
    throw new CancelledFailure('another build replaces it');
  } finally {
    clearInterval(beat);
  }
  throw new Error('not reached');
}

const siteScenarios: Record<string, SiteScenario> = {
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

const wakeOnce = async (wake: () => Promise<void>) => {
  await sleep(shortMs * 2);
  await wake();
};
const wakeDuringWork = (wake: () => Promise<void>) => Promise.all([wake(), wake()]).then(() => undefined);
const engineAway = new Error('the database is away');

const scenarios: Record<string, Scenario> = {
  ...Object.fromEntries(Object.entries(siteScenarios).map(([name, scenario]) => [name, siteScenario(scenario)])),
  'inbox-burst-then-idle': inboxScenario([{ do: 'continue' }, { do: 'continue' }, { do: 'idle' }], wakeOnce),
  'inbox-retry-falls-due': inboxScenario([{ do: 'sleep', ms: shortMs }, { do: 'continue' }]),
  'inbox-woken-before-a-retry': inboxScenario([{ do: 'sleep', ms: 60_000 }], wakeOnce),
  'inbox-engine-away-then-back': inboxScenario([engineAway, { do: 'continue' }], wakeDuringWork),
  'outbox-burst-then-end': outboxScenario([{ do: 'continue' }, { do: 'continue' }, { do: 'idle' }]),
  'outbox-woken-while-it-lingers': outboxScenario([{ do: 'idle' }, { do: 'continue' }], wakeOnce),
  'outbox-retry-falls-due': outboxScenario(
    [
      { do: 'sleep', ms: shortMs },
      { do: 'sleep', ms: 60_000 },
    ],
    async (wake) => {
      await sleep(shortMs * 4);
      await wake();
    },
  ),
  'outbox-engine-away-then-back': outboxScenario([engineAway, { do: 'continue' }], wakeDuringWork),
  'media-burst-then-end': mediaScenario([
    ...Array.from({ length: 5 }, (_, n): MediaTask => ({ id: `image-${n}`, work: 'variants' })),
    { id: 'film', work: 'video' },
  ]),
  'media-woken-while-it-lingers': mediaScenario([{ id: 'image', work: 'avif' }], { drive: wakeOnce }),
  'media-engine-away-then-back': mediaScenario([{ id: 'image', work: 'variants' }], { fault: engineAway }),
  'media-fetch': {
    actor: mediaFetchType,
    taskQueues: [taskQueues.fetch],
    argument: { url: 'https://example.com/a.png' },
    activities: { fetchMedia: async () => ({ kind: 'file', filename: 'a.txt', bytes: 1, work: null }) },
  },
  'item-preview-rendered-the-second-time': {
    actor: itemPreviewType,
    argument: { siteId: anId, contentId: anId },
    activities: { previewItem: returnInTurn([engineAway], { release: anId, path: '/a/' }) },
  },
  'backup-operation': {
    actor: backupOperationType,
    taskQueues: [taskQueues.general],
    argument: {
      operation: 'list',
      caller: { id: anId, name: 'agent', userId: anId, scopes: [], sites: [], administrator: false, roles: [] },
    },
    activities: { runBackupOperation: async () => '[]' },
  },
  'client-document': {
    actor: clientDocumentType,
    argument: { url: 'https://example.com/client.json' },
    taskQueues: [taskQueues.fetch],
    activities: { fetchClientDocument: async () => '{}' },
  },
  'fact-check': {
    actor: factCheckType,
    argument: { siteId: anId, contentId: anId },
    taskQueues: [taskQueues.fetch],
    activities: { checkFacts: async () => '{}' },
  },
};

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'test/workflows/histories');
const config = loadCommandConfig(process.env['FIELDSTONE_DATA']);
const workflowBundle = await loadWorkflowBundle(createLogger('record', 'warn'));
const native = await NativeConnection.connect({ address: config.temporalAddress });
const connection = await Connection.connect({ address: config.temporalAddress });
// the queues have the names of a running service's queues, but are in another namespace
const namespace = `record-${randomUUID()}`;
const client = new Client({ connection, namespace });
await mkdir(folder, { recursive: true });

async function makeNamespace(): Promise<void> {
  const day = { seconds: 24 * 60 * 60 } as never;
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: day });
  const isThere = () =>
    client.workflow.count().then(
      () => true,
      () => false,
    );
  while (!(await isThere())) await sleep(shortMs);
}

async function record(name: string, scenario: Scenario): Promise<void> {
  const { actor, drive, activities, taskQueues = [], argument = anId } = scenario;
  const taskQueue = `record-${randomUUID()}`;
  const shared = { connection: native, namespace, activities };
  const worker = await Worker.create({ ...shared, taskQueue, workflowBundle });
  const beside = await Promise.all(taskQueues.map((queue) => Worker.create({ ...shared, taskQueue: queue })));
  const besideRunning = Promise.all(beside.map((one) => one.run()));
  await worker.runUntil(async () => {
    const handle = await client.workflow.start(actor, {
      taskQueue,
      workflowId: taskQueue,
      args: [argument],
    });
    await drive?.(() => handle.signal(wakeSignal));
    await handle.result();
    // stack traces contain the path of the checkout
    const history = historyToJSON(await handle.fetchHistory()).replaceAll(
      pathToFileURL(root).href,
      'file:///fieldstone',
    );
    await writeFile(path.join(folder, `${name}.json`), `${history}\n`);
    process.stdout.write(`${name}\n`);
  });
  for (const one of beside) one.shutdown();
  await besideRunning;
}

const wanted = process.argv.slice(2);
await makeNamespace();
for (const [name, scenario] of Object.entries(scenarios)) {
  if (wanted.length === 0 || wanted.includes(name)) await record(name, scenario);
}
await connection.close();
await native.close();
