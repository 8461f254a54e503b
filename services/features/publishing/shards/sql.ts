import type { BuildTarget } from '../../../../workflows/contracts/site-actor.ts';
import type { KeptPages, ShardState } from '../../../build/index.ts';
import type { Db } from '../../../core/db.ts';
import { silentMs } from '../attempts.ts';

/** Number of times that workers take a shard before only the build's own worker may: one of its pages may end them. */
const maxTakes = 3;

/** Whether the worker that took the shard is lost. */
const isLost = `state = 'running' AND seen_at < now() - ${silentMs} * INTERVAL '1 millisecond'`;

/** A build whose pages are divided, by the worker that builds. */
export interface DividedBuildKey {
  division: string;
  siteId: string;
  target: BuildTarget;
  token: string;
  worker: string;
}

/** Inserts the shards of a build. Returns whether the build may still swap; otherwise nothing is inserted. */
export async function insertShards(
  db: Db,
  { division, siteId, target, token, worker }: DividedBuildKey,
  { shards, version }: { shards: number; version: string },
): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO build_shards (division, number, site_id, target, token, worker, version)
     SELECT $1::UUID, n, s.id, $4::TEXT, $5::UUID, $6::UUID, $7::TEXT FROM sites s, unnest($2::INT8[]) AS n
     WHERE s.id = $3 AND s.build_token = $5::UUID RETURNING number`,
    [division, Array.from({ length: shards }, (_, n) => n), siteId, target, token, worker, version],
  );
  return rows.length > 0;
}

/** Lets other workers take the shards that are left. */
export async function offerShards(db: Db, division: string, inputsHash: string): Promise<void> {
  await db.query(`UPDATE build_shards SET inputs_hash = $2 WHERE division = $1 AND state IN ('open', 'running')`, [
    division,
    inputsHash,
  ]);
}

/**
 * Takes the first free shard of a build for the worker that builds; null if no shard before the first fault is free.
 */
export async function takeOwnShard(db: Db, division: string, worker: string): Promise<number | null> {
  const [row] = await db.query<{ number: number }>(
    `UPDATE build_shards SET state = 'running', holder = $2, seen_at = now(), takes = takes + 1
     WHERE division = $1 AND number = (
       SELECT min(s.number) FROM build_shards s
       WHERE s.division = $1 AND (s.state = 'open' OR (s.${isLost} AND s.holder <> $2))
         AND NOT EXISTS (SELECT 1 FROM build_shards f WHERE f.division = $1 AND f.state = 'fault' AND f.number < s.number))
     RETURNING number`,
    [division, worker],
  );
  return row?.number ?? null;
}

/** A shard of a build that another worker offers. */
export interface OfferedShard {
  division: string;
  number: number;
  site_id: string;
  token: string;
  inputs_hash: string;
  takes: number;
}

/**
 * Selects the shard of other workers' builds that a worker should render next: the first of the build that the fewest
 * others render, so that builds of several sites share the workers equally. `division`: the build that it has open, which
 * it leaves only for one with fewer workers.
 */
export async function selectOfferedShard(
  db: Db,
  { worker, version, division = null }: { worker: string; version: string; division?: string | null },
): Promise<OfferedShard | null> {
  const [row] = await db.query<OfferedShard>(
    `SELECT s.division, s.number, s.site_id, s.token, s.inputs_hash, s.takes
     FROM build_shards s JOIN sites ON sites.id = s.site_id AND sites.build_token = s.token
     WHERE s.inputs_hash IS NOT NULL AND s.worker <> $1 AND s.version = $2 AND s.takes < ${maxTakes}
       AND (s.state = 'open' OR (s.${isLost} AND s.holder <> $1))
       AND NOT EXISTS (SELECT 1 FROM build_shards f WHERE f.division = s.division AND f.state = 'fault' AND f.number < s.number)
     ORDER BY (SELECT count(DISTINCT r.holder) FROM build_shards r
         WHERE r.division = s.division AND r.state = 'running' AND r.holder <> $1
           AND r.seen_at >= now() - ${silentMs} * INTERVAL '1 millisecond'),
       s.division IS DISTINCT FROM $3::UUID, s.division, s.number
     LIMIT 1`,
    [worker, version, division],
  );
  return row ?? null;
}

/** Takes a selected shard. Returns false if another worker has taken it since. */
export async function takeOfferedShard(
  db: Db,
  { division, number, takes }: OfferedShard,
  worker: string,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE build_shards SET state = 'running', holder = $4, seen_at = now(), takes = takes + 1
     WHERE division = $1 AND number = $2 AND takes = $3 AND state IN ('open', 'running') RETURNING number`,
    [division, number, takes, worker],
  );
  return rows.length > 0;
}

/**
 * Records that a worker lives that has taken shards of a build. Returns the number of those, 0 also once the build has
 * ended or another one has begun.
 */
export async function beatShards(db: Db, division: string, worker: string): Promise<number> {
  const rows = await db.query(
    `UPDATE build_shards SET seen_at = now()
     WHERE division = $1 AND holder = $2 AND state = 'running'
       AND EXISTS (SELECT 1 FROM sites WHERE id = build_shards.site_id AND build_token = build_shards.token)
     RETURNING number`,
    [division, worker],
  );
  return rows.length;
}

/** Frees the shards that a worker has taken and not recorded. */
export async function freeShards(db: Db, division: string, worker: string): Promise<void> {
  await db.query(
    `UPDATE build_shards SET state = 'open', seen_at = NULL WHERE division = $1 AND holder = $2 AND state = 'running'`,
    [division, worker],
  );
}

/** Records the pages of a shard. Only the first result counts, even if another worker has taken the shard since. Returns whether this is the first. */
export async function finishShard(
  db: Db,
  { division, number }: Pick<OfferedShard, 'division' | 'number'>,
  { manifestHash, traceHash }: KeptPages,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE build_shards SET state = 'done', manifest_hash = $3, trace_hash = $4
     WHERE division = $1 AND number = $2 AND state IN ('open', 'running') RETURNING number`,
    [division, number, manifestHash, traceHash],
  );
  return rows.length > 0;
}

/** Records the fault of a page of a shard. */
export async function failShard(
  db: Db,
  { division, number }: Pick<OfferedShard, 'division' | 'number'>,
  fault: string,
): Promise<void> {
  await db.query(
    `UPDATE build_shards SET state = 'fault', fault = $3
     WHERE division = $1 AND number = $2 AND state IN ('open', 'running')`,
    [division, number, fault],
  );
}

/** Returns the shards of a build in their order. */
export async function selectShards(db: Db, division: string): Promise<ShardState[]> {
  const rows = await db.query<{
    number: number;
    state: ShardState['state'];
    manifest_hash: string | null;
    trace_hash: string | null;
    fault: string | null;
  }>(
    `SELECT number, CASE WHEN state = 'open' OR (${isLost}) THEN 'free' WHEN state = 'running' THEN 'taken' ELSE state END AS state,
       manifest_hash, trace_hash, fault
     FROM build_shards WHERE division = $1 ORDER BY number`,
    [division],
  );
  return rows.map(({ number, state, manifest_hash: manifestHash, trace_hash: traceHash, fault }) => ({
    ...{ number, state, fault },
    pages: manifestHash !== null && traceHash !== null ? { manifestHash, traceHash } : null,
  }));
}

/** Returns the number of shards that other workers have rendered. */
export async function countOthersDone(db: Db, division: string, worker: string): Promise<number> {
  const [row] = await db.query<{ number: number }>(
    `SELECT count(*) AS number FROM build_shards WHERE division = $1 AND state = 'done' AND holder <> $2`,
    [division, worker],
  );
  return row!.number;
}

/** Withdraws the shards of an ended build that are not done. The others serve the site's next build. */
export async function withdrawShards(db: Db, division: string): Promise<void> {
  await db.query(`DELETE FROM build_shards WHERE division = $1 AND state <> 'done'`, [division]);
}

/** Returns the pages of shards that earlier builds of a site rendered and did not use, the newest first. */
export async function selectDoneShards(db: Db, siteId: string, target: BuildTarget): Promise<KeptPages[]> {
  return db.query<KeptPages>(
    `SELECT manifest_hash AS "manifestHash", trace_hash AS "traceHash" FROM build_shards
     WHERE site_id = $1 AND target = $2 AND state = 'done' ORDER BY seen_at DESC`,
    [siteId, target],
  );
}
