import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openKeyedStore } from '../../../services/engines/objects/open.ts';
import { putSummary, type Summary } from '../../../services/features/backups/archive.ts';
import { createBackupOperationActivities } from '../../../workflows/activities/backup-operation.ts';
import type { ActivityDeps } from '../../../workflows/activities/deps.ts';
import type { BackupOperationInput } from '../../../workflows/contracts/backup-operation.ts';

const sites = [
  { id: '10000000-0000-4000-8000-000000000001', slug: 'one' },
  { id: '10000000-0000-4000-8000-000000000002', slug: 'two' },
];
const deleted = { id: '10000000-0000-4000-8000-000000000003', slug: 'one' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-operations-'));
});
afterAll(() => rm(folder, { recursive: true }));

const caller: BackupOperationInput['caller'] = {
  via: 'dashboard',
  id: 'session',
  name: 'session',
  userId: 'user',
  scopes: ['admin'],
  sites: ['*'],
  administrator: true,
  roles: [],
};

/** Creates the call on a database in which a site is never found, and the lists of sites are counted. */
function createCall() {
  const lists: string[] = [];
  let resolve: (rows: []) => void = () => undefined;
  const promise = new Promise<[]>((done) => {
    resolve = done;
  });
  const db = {
    query: (sql: string) => {
      if (sql.includes('WHERE slug')) return promise;
      lists.push(sql);
      return Promise.resolve(sites);
    },
  };
  const backups = { engine: 'files', folder };
  const { runBackupOperation } = createBackupOperationActivities({
    app: { config: { backups }, db },
  } as unknown as ActivityDeps);
  const { signal } = new AbortController();
  const call = async (input: Omit<BackupOperationInput, 'caller'>) =>
    JSON.parse(String(await runBackupOperation({ ...input, caller } as BackupOperationInput, { signal } as never)));
  return { call, lists, endSearch: () => resolve([]) };
}

test('reads do not wait for a backup of the same user, and the newest backups are read once', async () => {
  const { call, lists, endSearch } = createCall();
  const backup = call({ operation: 'create', site: 'one' });
  expect(await call({ operation: 'newest' })).toMatchObject({ sites: 2, without: 2 });
  expect(await call({ operation: 'newest' })).toMatchObject({ sites: 2 });
  expect(lists.length).toBe(1);
  endSearch();
  await expect(backup).rejects.toMatchObject({ code: 'not_found' });
});

test('a list of one site has the backups of deleted sites of its slug, and reads none of other sites', async () => {
  const bucket = openKeyedStore({ engine: 'files', folder, minFreeBytes: 0 } as Parameters<typeof openKeyedStore>[0]);
  await bucket.ensure();
  for (const [n, site] of [...sites, deleted].entries()) {
    const id = `20000000-0000-4000-8000-00000000000${n}`;
    await putSummary(bucket, {
      format: 1,
      id,
      site: { ...site, name: site.slug },
      created_at: `2026-01-0${n + 1}T00:00:00.000Z`,
      rows: {},
      blobs: 0,
      bytes: 0,
      added: { blobs: 0, bytes: 0 },
    } as unknown as Summary);
  }
  const { call } = createCall();
  const listed: { id: string }[] = await call({ operation: 'list', site: 'one' });
  expect(listed.map(({ id }) => id.slice(-1))).toEqual(['2', '0']);
});
