import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { deleteOldReleases } from '../../../services/features/collection/retention.ts';
import { insertBareSite } from '../../harness/bare-site.ts';
import { provideOwnDatabase } from '../../harness/own-database.ts';

const own = provideOwnDatabase();
let siteId: string;
beforeAll(async () => {
  siteId = await insertBareSite(own.db, own.objects);
}, 120_000);

const now = new Date('2026-06-30T12:00:00Z');
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);

async function insertRelease(preview: boolean, created: Date, replaced: Date | null = null): Promise<string> {
  const id = randomUUID();
  await own.db.query(
    `INSERT INTO releases (id, site_id, preview, manifest_hash, inputs_hash, trace_hash, pages, changed, bytes, created_at, replaced_at)
     VALUES ($1, $2, $3, 'm', 'i', 't', 1, 1, 1, $4, $5)`,
    [id, siteId, preview, created, replaced],
  );
  return id;
}

test('previews of items go when their links have expired, previews of the site a week after they were replaced', async () => {
  const live = await insertRelease(false, hoursAgo(2000));
  const shell = await insertRelease(true, hoursAgo(2000));
  await own.db.query('UPDATE sites SET live_release = $2, preview_release = $3 WHERE id = $1', [siteId, live, shell]);
  const kept = [
    live,
    shell,
    await insertRelease(false, hoursAgo(3000), hoursAgo(2000)), // among the newest
    await insertRelease(true, hoursAgo(2000), hoursAgo(100)),
    await insertRelease(true, hoursAgo(24)),
  ];
  await insertRelease(true, hoursAgo(2000), hoursAgo(200));
  await insertRelease(true, hoursAgo(26));
  expect(await deleteOldReleases(own.db, { newest: 10, days: 7 }, now)).toBe(2);
  const left = await own.db.query<{ id: string }>('SELECT id FROM releases WHERE site_id = $1', [siteId]);
  expect(left.map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
});
