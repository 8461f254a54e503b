import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  failJobs,
  failRefused,
  giveUpJobs,
  insertAsPublished,
  insertPublish,
  insertRebuild,
  type JobStatus,
  jobStates,
  jobTransitions,
  markVisible,
  noteRetryCause,
  reportProgress,
  returnJobs,
  type ServingBuild,
  succeedJobs,
  takeJobs,
} from '../../../services/features/publishing/jobs/job-state.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();

type Name = keyof typeof jobTransitions;
const states = Object.keys(jobStates) as JobStatus[];
const message = 'The build failed.';

async function insertSite(): Promise<string> {
  const id = randomUUID();
  await own.db.query(
    `INSERT INTO sites (id, slug, name, default_locale, locales, settings) VALUES ($1, $2, 's', 'en', '[]'::JSONB, '{}'::JSONB)`,
    [id, id],
  );
  return id;
}

/** Inserts a rebuild in this state that this build last served, and that an engine has refused for a while. */
async function insertIn(status: JobStatus, { siteId, token }: ServingBuild): Promise<string> {
  const [row] = await own.db.query<{ id: string }>(
    `INSERT INTO jobs (site_id, kind, status, build_token, stage, done, total, touched_at, refused_since, finished_at)
     VALUES ($1, 'rebuild', $2::TEXT, $3, 'pages', 1, 9, now() - INTERVAL '1 hour', now() - INTERVAL '1 hour',
       CASE WHEN $2::TEXT IN ('succeeded', 'failed') THEN now() END) RETURNING id`,
    [siteId, status, token],
  );
  return row!.id;
}

const readRow = async (id: string) =>
  (await own.db.query<Record<string, unknown>>('SELECT * FROM jobs WHERE id = $1', [id]))[0];

/** Returns the states whose condition the row meets, which must be exactly one. */
async function stateOf(id: string): Promise<string> {
  const met = states.map((state) => `CASE WHEN ${jobStates[state]} THEN ',${state}' ELSE '' END`).join(' || ');
  const [row] = await own.db.query<{ met: string }>(`SELECT ${met} AS met FROM jobs WHERE id = $1`, [id]);
  return row!.met.slice(1);
}

interface Case {
  transition: Name;
  /** The resulting state; by default the job's previous one. */
  to?: JobStatus;
  /** The columns that it sets in addition to the state. */
  sets: Record<string, unknown>;
  /** Whether it reports that it changed this job. */
  run(build: ServingBuild, id: string): Promise<boolean>;
}

const has = (rows: readonly { id: string }[], id: string) => rows.some((row) => row.id === id);
const waiting = ({ siteId }: ServingBuild) => ({
  siteId,
  kinds: ['rebuild'],
  statuses: ['queued', 'running'] as const,
});
const cause = { message, refusedAs: 'QuotaExceeded' };

const cases: Case[] = [
  {
    transition: 'insertRebuild',
    sets: {},
    run: async ({ siteId }, id) => (await insertRebuild(own.db, siteId, null)) === id,
  },
  {
    transition: 'takeJobs',
    to: 'running',
    sets: { stage: 'snapshot', done: 0, total: 0, started_at: expect.any(Date) },
    run: async ({ siteId }, id) => has(await takeJobs(own.db, { siteId, token: randomUUID() }, ['rebuild']), id),
  },
  {
    transition: 'reportProgress',
    sets: { stage: 'media', done: 3, total: 5 },
    run: async (build) => (await reportProgress(own.db, build, { stage: 'media', done: 3, total: 5 })) === 1,
  },
  {
    transition: 'markVisible',
    sets: { stage: 'visible', done: 4, total: 4 },
    run: async (build) => (await markVisible(own.db, build, 4)) === 1,
  },
  {
    transition: 'returnJobs',
    sets: { stage: 'queued', done: 0, total: 0 },
    run: async (build) => (await returnJobs(own.db, build)) === 1,
  },
  {
    transition: 'succeedJobs',
    to: 'succeeded',
    sets: { stage: 'done', done: 4, total: 4, result: { pages: 4 }, error: null, refused_since: null },
    run: async (build) => (await succeedJobs(own.db, build, { pages: 4 })) === 1,
  },
  {
    transition: 'failJobs',
    to: 'failed',
    sets: { stage: 'failed', error: message },
    run: async (build, id) => has(await failJobs(own.db, build, message), id),
  },
  {
    transition: 'giveUpJobs',
    to: 'failed',
    sets: { stage: 'failed', error: message },
    run: async ({ siteId }, id) => has(await giveUpJobs(own.db, siteId, ['rebuild'], message), id),
  },
  {
    transition: 'noteRetryCause',
    sets: { stage: 'pages', error: message, refused_as: cause.refusedAs, refused_since: expect.any(Date) },
    run: async (build) => (await noteRetryCause(own.db, waiting(build), cause)) === 1,
  },
  {
    transition: 'failRefused',
    to: 'failed',
    sets: { stage: 'failed' },
    run: async (build, id) => has(await failRefused(own.db, waiting(build), 60_000), id),
  },
];

test('the cases make every transition of a job that exists', () => {
  const leavesAState = Object.entries(jobTransitions).filter(([, { from }]) => from.some((state) => state !== 'none'));
  expect(cases.map(({ transition }) => transition).sort()).toEqual(leavesAState.map(([name]) => name).sort());
  for (const { transition, to } of cases) {
    const { from, to: declared } = jobTransitions[transition];
    const left = from.filter((state) => state !== 'none');
    expect([transition, [...(to ? [to] : left)].sort()]).toEqual([transition, [...declared].sort()]);
  }
});

describe.each(cases)('$transition', ({ transition, to, sets, run }) => {
  const from: readonly string[] = jobTransitions[transition].from;
  for (const state of states) {
    const isAllowed = from.includes(state);
    test(`${isAllowed ? 'changes' : 'does not change'} a job that is ${state}, and says so`, async () => {
      const build = { siteId: await insertSite(), token: randomUUID() };
      const id = await insertIn(state, build);
      expect(await stateOf(id)).toBe(state);
      const before = await readRow(id);
      expect(await run(build, id)).toBe(isAllowed);
      const row = await readRow(id);
      if (!isAllowed) {
        expect(row).toEqual(before);
        return;
      }
      const reached = to ?? state;
      expect(await stateOf(id)).toBe(reached);
      expect(row).toMatchObject(sets);
      expect(row).not.toEqual(before);
      expect(row!['finished_at'] !== null).toBe(reached === 'succeeded' || reached === 'failed');
    });
  }
});

test.each(
  cases.filter(({ transition }) =>
    ['reportProgress', 'markVisible', 'returnJobs', 'succeedJobs', 'failJobs'].includes(transition),
  ),
)('$transition changes nothing for a build that has lost its place', async ({ run }) => {
  const build = { siteId: await insertSite(), token: randomUUID() };
  const id = await insertIn('running', build);
  const before = await readRow(id);
  expect(await run({ ...build, token: randomUUID() }, id)).toBe(false);
  expect(await readRow(id)).toEqual(before);
});

test('a job begins queued, and each request to publish has its own', async () => {
  const siteId = await insertSite();
  const ids = [
    await insertPublish(own.db, siteId, 'publish', null),
    await insertPublish(own.db, siteId, 'webhook', null),
  ];
  await insertAsPublished(own.db, siteId, null);
  ids.push(await insertRebuild(own.db, siteId, null));
  expect(new Set(ids).size).toBe(3);
  const rows = await own.db.query(
    'SELECT kind, status, as_published FROM jobs WHERE site_id = $1 ORDER BY kind, as_published',
    [siteId],
  );
  expect(rows).toEqual([
    { kind: 'publish', status: 'queued', as_published: false },
    { kind: 'publish', status: 'queued', as_published: true },
    { kind: 'rebuild', status: 'queued', as_published: false },
    { kind: 'webhook', status: 'queued', as_published: false },
  ]);
});

test('a refusal that has not lasted long enough fails no job', async () => {
  const build = { siteId: await insertSite(), token: randomUUID() };
  const id = await insertIn('running', build);
  expect(await failRefused(own.db, waiting(build), 24 * 60 * 60 * 1000)).toEqual([]);
  expect(await stateOf(id)).toBe('running');
});
