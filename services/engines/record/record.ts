import type { ActorSettings, ObjectSettings } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';

export type ActorEngine = ActorSettings['engine'];
export type ObjectEngine = ObjectSettings['engine'];

/** Which engines an installation uses. */
export interface EngineRecord {
  actors: ActorEngine;
  objects: ObjectEngine;
  /** The object store before, while it may still have objects that the present one lacks: reads fall back to it. */
  fallback: ObjectEngine | null;
}

/** What SQL says of the engines; undefined before `fieldstone migrate` has recorded them. */
export async function readEngines(db: Db): Promise<EngineRecord | undefined> {
  const [row] = await db.query<EngineRecord>('SELECT actors, objects, fallback FROM engines WHERE id = 1');
  return row;
}

/**
 * Records the engines of the settings, unless some are recorded already. Releases before this record ran on Temporal and S3 alone: so did
 * an installation that has sites or objects and no record.
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

/** Records other engines. Belongs to `fieldstone engines set`: the service must not run. */
export async function changeEngines(db: Db, { actors, objects, fallback }: EngineRecord): Promise<void> {
  await db.query('UPDATE engines SET actors = $1, objects = $2, fallback = $3, changed_at = now() WHERE id = 1', [
    actors,
    objects,
    fallback,
  ]);
}

/** Records that the store before has nothing any more that the present one lacks; false when it was not the one to fall back to. */
export async function clearFallback(db: Db, from: ObjectEngine, to: ObjectEngine): Promise<boolean> {
  const rows = await db.query(
    'UPDATE engines SET fallback = NULL, changed_at = now() WHERE id = 1 AND fallback = $1 AND objects = $2 RETURNING id',
    [from, to],
  );
  return rows.length > 0;
}
