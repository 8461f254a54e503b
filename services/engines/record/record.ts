import type { ActorSettings, ObjectSettings } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';

export type ActorEngine = ActorSettings['engine'];
export type ObjectEngine = ObjectSettings['engine'];

/** The engines of an installation. */
export interface EngineRecord {
  actors: ActorEngine;
  objects: ObjectEngine;
  /** The previous object store, while it may have objects that the present one lacks: reads fall back to it. */
  fallback: ObjectEngine | null;
}

/** Returns the recorded engines; undefined before `fieldstone migrate` has recorded them. */
export async function readEngines(db: Db): Promise<EngineRecord | undefined> {
  const [row] = await db.query<EngineRecord>('SELECT actors, objects, fallback FROM engines WHERE id = 1');
  return row;
}

/**
 * Records the configured engines, unless some are recorded already. Releases without this record ran only on Temporal
 * and S3, so an installation that has sites or objects but no record used these.
 */
export async function recordEngines(
  db: Db,
  settings: { actors: { engine: ActorEngine }; objects: { engine: ObjectEngine } },
): Promise<EngineRecord> {
  await db.query(
    `INSERT INTO engines (id, actors, objects)
     SELECT 1, CASE WHEN used THEN 'temporal' ELSE $1::TEXT END, CASE WHEN used THEN 's3' ELSE $2::TEXT END
     FROM (SELECT EXISTS (SELECT 1 FROM sites) OR EXISTS (SELECT 1 FROM objects) AS used) AS before
     ON CONFLICT (id) DO NOTHING`,
    [settings.actors.engine, settings.objects.engine],
  );
  return (await readEngines(db))!;
}

/** Replaces the recorded engines. For `fieldstone engines set` only: the service must not run. */
export async function changeEngines(db: Db, { actors, objects, fallback }: EngineRecord): Promise<void> {
  await db.query('UPDATE engines SET actors = $1, objects = $2, fallback = $3, changed_at = now() WHERE id = 1', [
    actors,
    objects,
    fallback,
  ]);
}

/**
 * Records that the present store lacks nothing that the previous one has; returns false if that one was not the
 * fallback.
 */
export async function clearFallback(db: Db, from: ObjectEngine, to: ObjectEngine): Promise<boolean> {
  const rows = await db.query(
    'UPDATE engines SET fallback = NULL, changed_at = now() WHERE id = 1 AND fallback = $1 AND objects = $2 RETURNING id',
    [from, to],
  );
  return rows.length > 0;
}
