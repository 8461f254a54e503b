import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  attachJob,
  type ClaimedDelivery,
  claimDeliveries,
  type DeliveryState,
  deliveryStates,
  deliveryTransitions,
  endFailed,
  endSkipped,
  endSuperseded,
  insertDeliveries,
  markMapped,
  maxRetryMs,
  purgeEnded,
  releaseClaim,
  requeueDelivery,
  settleFailed,
  settleLive,
} from '../../../services/features/inbound/delivery-state.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();

type Name = keyof typeof deliveryTransitions;
type Place = { site: string; integration: string; job: string };
const states = Object.keys(deliveryStates) as DeliveryState[];
const retry = { retryInitialMs: 5000, retryAttempts: 6 };

async function insertPlace(jobStatus = 'queued'): Promise<Place> {
  const [site, integration, job] = [randomUUID(), randomUUID(), randomUUID()];
  await own.db.query(
    `INSERT INTO sites (id, slug, name, default_locale, locales, settings) VALUES ($1, $2, 's', 'en', '[]'::JSONB, '{}'::JSONB)`,
    [site, site],
  );
  await own.db.query(
    `INSERT INTO integrations (id, site_id, slug, name, mapper, enabled, secret, next_seq)
     VALUES ($1, $2, $3, 'n', 'create_post', true, 's', 10)`,
    [integration, site, integration],
  );
  await own.db.query(`INSERT INTO jobs (id, site_id, kind, status, error) VALUES ($1, $2, 'webhook', $3, 'broken')`, [
    job,
    site,
    jobStatus,
  ]);
  return { site, integration, job };
}

/** The columns of a delivery in each state, as SQL. */
const columnsOf: Record<DeliveryState, Record<string, string>> = {
  queued: { status: `'queued'`, attempts: '0' },
  mapping: { status: `'processing'`, claim: 'gen_random_uuid()' },
  building: { status: `'processing'`, claim: 'gen_random_uuid()', mapped: `'{}'::JSONB`, job_id: '$4::UUID' },
  mapping_retry: { status: `'failed'`, next_attempt_at: `now() - INTERVAL '1 second'` },
  building_retry: {
    status: `'failed'`,
    next_attempt_at: `now() - INTERVAL '1 second'`,
    mapped: `'{}'::JSONB`,
    job_id: '$4::UUID',
  },
  succeeded: {
    status: `'succeeded'`,
    mapped: `'{}'::JSONB`,
    job_id: '$4::UUID',
    finished_at: `now() - INTERVAL '9 days'`,
  },
  skipped: { status: `'skipped'`, finished_at: `now() - INTERVAL '9 days'` },
  failed: { status: `'failed'`, mapped: `'{}'::JSONB`, job_id: '$4::UUID', finished_at: `now() - INTERVAL '9 days'` },
  purged: { status: `'failed'`, finished_at: `now() - INTERVAL '9 days'`, purged_at: 'now()' },
};

/** Inserts a delivery in this state after `attempts` attempts, as a run would hold it. */
async function insertIn(state: DeliveryState, place: Place, attempts = 1): Promise<ClaimedDelivery> {
  const columns = { attempts: `${attempts}::INT8`, job_id: 'NULLIF($4::UUID, $4::UUID)', ...columnsOf[state] };
  const [row] = await own.db.query<ClaimedDelivery>(
    `INSERT INTO deliveries (integration_id, site_id, delivery_id, seq, headers, timeline, ${Object.keys(columns).join(', ')})
     VALUES ($1, $2, $3, 1, '[]'::JSONB, '[]'::JSONB, ${Object.values(columns).join(', ')}) RETURNING *`,
    [place.integration, place.site, randomUUID(), place.job],
  );
  return { ...row!, claim: row!.claim ?? randomUUID() };
}

const readRow = async (id: string) =>
  (await own.db.query<Record<string, unknown>>('SELECT * FROM deliveries WHERE id = $1', [id]))[0];

/** Returns the states whose condition the row meets, which must be exactly one. */
async function stateOf(id: string): Promise<string> {
  const met = states.map((state) => `CASE WHEN ${deliveryStates[state]} THEN ',${state}' ELSE '' END`).join(' || ');
  const [row] = await own.db.query<{ met: string }>(`SELECT ${met} AS met FROM deliveries WHERE id = $1`, [id]);
  return row!.met.slice(1);
}

interface Case {
  transition: Name;
  to: DeliveryState;
  jobStatus?: string;
  /** The change of the number of attempts; null when it starts a new count. */
  attempts?: number | null;
  /** Whether it reports that it changed this delivery. */
  run(delivery: ClaimedDelivery, place: Place): Promise<boolean>;
}

const room = { deliveries: 5, bytes: 1000, isIdle: true, maySuspect: true };
const newDelivery = (deliveryId: string) => ({
  deliveryId,
  headers: [],
  body: Buffer.from('{}'),
  bodyHash: null,
  bodyBytes: 2,
  timeline: '[]',
  origin: null,
});
const has = (rows: readonly { id: string }[], { id }: ClaimedDelivery) => rows.some((row) => row.id === id);

const cases: Case[] = [
  {
    transition: 'insertDeliveries',
    to: 'queued',
    run: async ({ delivery_id }, { integration }) =>
      (await insertDeliveries(own.db, integration, [newDelivery(delivery_id)]))!.has(delivery_id),
  },
  {
    transition: 'claimDeliveries',
    to: 'mapping',
    run: async (one, { integration }) => has(await claimDeliveries(own.db, integration, randomUUID(), room), one),
  },
  {
    transition: 'releaseClaim',
    to: 'queued',
    attempts: -1,
    run: async ({ claim }, { integration }) => (await releaseClaim(own.db, claim, integration)) > 0,
  },
  { transition: 'endSuperseded', to: 'succeeded', run: (one) => endSuperseded(own.db, one, randomUUID(), []) },
  { transition: 'endSkipped', to: 'skipped', run: (one) => endSkipped(own.db, one, 'unusable') },
  {
    transition: 'endFailed',
    to: 'mapping_retry',
    run: async (one) => (await endFailed(own.db, one, { message: 'broken', retry })) === 'retried',
  },
  {
    transition: 'endFailed',
    to: 'failed',
    run: async (one) => (await endFailed(own.db, one, { message: 'broken', retry: null })) === 'failed',
  },
  { transition: 'markMapped', to: 'building', run: (one, { job }) => markMapped(own.db, one, {}, job, []) },
  {
    transition: 'settleLive',
    to: 'succeeded',
    jobStatus: 'succeeded',
    run: async (one, { site }) => has(await settleLive(own.db, site), one),
  },
  {
    transition: 'settleFailed',
    to: 'building_retry',
    jobStatus: 'failed',
    run: async (one, { site }) => has(await settleFailed(own.db, site, retry), one),
  },
  {
    transition: 'settleFailed',
    to: 'failed',
    jobStatus: 'failed',
    run: async (one, { site }) => has(await settleFailed(own.db, site, { ...retry, retryAttempts: 1 }), one),
  },
  {
    transition: 'attachJob',
    to: 'building',
    attempts: 1,
    run: async ({ id }, { job }) => (await attachJob(own.db, [id], job)) > 0,
  },
  {
    transition: 'requeueDelivery',
    to: 'queued',
    attempts: null,
    run: async (one) => (await requeueDelivery(own.db, one, 7)) !== undefined,
  },
  { transition: 'purgeEnded', to: 'purged', run: async () => (await purgeEnded(own.db, 7, 1000)) > 0 },
];

/** The attempts that a claim counts: an interrupted one is not counted again. */
const counted = (name: Name, from: DeliveryState) => (name === 'claimDeliveries' && from !== 'mapping' ? 1 : 0);
const isEnd = (state: string) => ['succeeded', 'skipped', 'failed', 'purged'].includes(state);

test('the cases make every transition to every state that it leads to', () => {
  const tested = cases.map(({ transition, to }) => `${transition} → ${to}`);
  const declared = Object.entries(deliveryTransitions).flatMap(([name, { to }]) =>
    to.map((state) => `${name} → ${state}`),
  );
  expect(tested.sort()).toEqual(declared.sort());
});

describe.each(cases)('$transition → $to', ({ transition, to, jobStatus, attempts = 0, run }) => {
  const from: readonly string[] = deliveryTransitions[transition].from;

  for (const state of states) {
    const isAllowed = from.includes(state);
    test(`${isAllowed ? 'changes' : 'does not change'} a delivery that is ${state}, and says so`, async () => {
      await own.db.query('DELETE FROM deliveries');
      const place = await insertPlace(jobStatus);
      const delivery = await insertIn(state, place);
      expect(await stateOf(delivery.id)).toBe(state);
      const before = await readRow(delivery.id);
      expect(await run(delivery, place)).toBe(isAllowed);
      const row = await readRow(delivery.id);
      if (!isAllowed) {
        expect(row).toEqual(before);
        return;
      }
      expect(await stateOf(delivery.id)).toBe(to);
      const expected = attempts === null ? 0 : delivery.attempts + attempts + counted(transition, state);
      expect(row).toMatchObject({ attempts: expected });
      const times = [row!['finished_at'] !== null, row!['next_attempt_at'] !== null];
      expect(times).toEqual([isEnd(to), to.endsWith('_retry')]);
    });
  }
});

test('a delivery that does not exist is only inserted', async () => {
  await own.db.query('DELETE FROM deliveries');
  for (const { transition, jobStatus, run } of cases) {
    const place = await insertPlace(jobStatus);
    const stranger = {
      id: randomUUID(),
      integration_id: place.integration,
      delivery_id: 'd',
      claim: randomUUID(),
      seq: 1,
    };
    const moved = await run(stranger as ClaimedDelivery, place);
    expect([transition, moved]).toEqual([transition, transition === 'insertDeliveries']);
    const rows = await own.db.query('SELECT status, attempts FROM deliveries');
    expect(rows).toEqual(moved ? [{ status: 'queued', attempts: 0 }] : []);
    await own.db.query('DELETE FROM deliveries');
  }
});

const held: readonly Name[] = ['releaseClaim', 'endSuperseded', 'endSkipped', 'endFailed', 'markMapped'];
test.each(cases.filter(({ transition }) => held.includes(transition)))(
  '$transition → $to changes nothing for a run that has lost its claim',
  async ({ run }) => {
    const place = await insertPlace();
    const delivery = await insertIn('mapping', place);
    const before = await readRow(delivery.id);
    expect(await run({ ...delivery, claim: randomUUID() }, place)).toBe(false);
    expect(await readRow(delivery.id)).toEqual(before);
  },
);

test('a run does not claim again what it holds', async () => {
  const place = await insertPlace();
  const { claim } = await insertIn('mapping', place);
  expect(await claimDeliveries(own.db, place.integration, claim, room)).toEqual([]);
});

describe('the retry rule', () => {
  /**
   * Returns the milliseconds until the next attempt of deliveries with these numbers of attempts, for both kinds of
   * failure.
   */
  async function waitsAfter(attempts: readonly number[], settings = retry): Promise<(number | null)[]> {
    const place = await insertPlace('failed');
    for (const count of attempts) await insertIn('building', place, count);
    const mapping: ClaimedDelivery[] = [];
    for (const count of attempts) mapping.push(await insertIn('mapping', place, count));
    return own.db.transaction(async (tx) => {
      await settleFailed(tx, place.site, settings);
      for (const delivery of mapping) await endFailed(tx, delivery, { message: 'broken', retry: settings });
      const rows = await tx.query<{ wait: number | null }>(
        `SELECT (EXTRACT(EPOCH FROM next_attempt_at - now()) * 1000)::FLOAT8 AS wait FROM deliveries
         WHERE integration_id = $1 ORDER BY mapped IS NULL, attempts`,
        [place.integration],
      );
      return rows.map(({ wait }) => wait);
    });
  }

  /** SQL rounds to milliseconds. */
  function expectAbout(wait: number | null, ms: number): void {
    expect(wait).toBeGreaterThanOrEqual(ms * 0.75 - 2);
    expect(wait).toBeLessThanOrEqual(ms * 1.25 + 2);
  }

  // rule: state.16
  test('each attempt waits twice as long as the one before, six in all', async () => {
    const waits = await waitsAfter([1, 2, 3, 4, 5, 6]);
    expect(waits).toHaveLength(12);
    for (const half of [waits.slice(0, 6), waits.slice(6)]) {
      for (const [index, ms] of [5000, 10_000, 20_000, 40_000, 80_000].entries()) expectAbout(half[index]!, ms);
      expect(half[5]).toBeNull();
    }
  });

  test('deliveries that fail together are not retried together', async () => {
    const waits = await waitsAfter(Array(20).fill(1));
    expect(new Set(waits).size).toBeGreaterThan(10);
  });

  test('no wait is longer than the limit, however many attempts are set', async () => {
    const waits = await waitsAfter([900], { retryInitialMs: 2_000_000_000, retryAttempts: 1000 });
    expect(waits).toHaveLength(2);
    for (const wait of waits) expectAbout(wait, maxRetryMs);
  });
});
