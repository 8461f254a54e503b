import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { healthRecord } from '../../services/features/health/dashboard-schema.ts';
import { closeStack, makeSite, stackDatabase, type TestSite } from '../harness/api.ts';
import { type DashboardClient, openDashboard, signInByLink } from '../harness/dashboard.ts';
import { makeMember, makeUser } from '../harness/people.ts';

let site: TestSite;
let administrator: DashboardClient;
beforeAll(async () => {
  site = await makeSite();
  administrator = await signInByLink((await makeUser({ administrator: true })).id);
});
afterAll(closeStack);

test('an administrator reads the state of engines, waiting work and backups', async () => {
  const { status, data } = await administrator.call('GET', '/health');
  expect(status).toBe(200);
  expect(healthRecord.parse(data)).toEqual(data);
  expect(data).toMatchObject({ objects: { problem: null }, actors: { problem: null }, backups: { problem: null } });
  expect(data.edges).toBeGreaterThan(0);
  expect(data.backlog.map(({ queue }: { queue: string }) => queue)).toEqual([
    'jobs',
    'jobs_retried',
    'deliveries',
    'events',
    'media',
  ]);
  const { sites, without, oldest } = data.backups.newest;
  expect(sites).toBeGreaterThan(0);
  expect(without).toBeLessThanOrEqual(sites);
  expect(oldest.length).toBe(Math.min(sites, 10));
});

test('a job that an engine refuses is named with its cause', async () => {
  const error = 'The disk of the test is full.';
  const [job] = await stackDatabase().query<{ id: string }>(
    `INSERT INTO jobs (site_id, kind, status, error, refused_as) VALUES ($1, 'publish', 'queued', $2, 'disk') RETURNING id`,
    [site.id, error],
  );
  try {
    const { data } = await administrator.call('GET', '/health');
    expect(data.retried).toContainEqual({ error, jobs: 1, refused: 1 });
  } finally {
    await stackDatabase().query('DELETE FROM jobs WHERE id = $1', [job!.id]);
  }
});

// rule: threat.50
test('other users cannot read it', async () => {
  expect((await openDashboard().call('GET', '/health')).status).toBe(401);
  for (const client of [
    await signInByLink((await makeMember(site.slug, 'owner')).id),
    await signInByLink((await makeUser()).id),
  ]) {
    const { status, error } = await client.call('GET', '/health');
    expect([status, error.code]).toEqual([403, 'role_insufficient']);
  }
});
