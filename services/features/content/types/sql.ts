import type { Db } from '../../../core/db.ts';
import type { PageQuery } from '../../../core/reply.ts';
import { type LargeListSource, selectLargePage } from '../../../engines/sql/large-page.ts';

type Json = Record<string, unknown>;

export interface TypeRow {
  type: string;
  name: string;
  fields_schema: Json;
  /** Increases with every change of the schema. */
  version: number;
  created_at: Date;
  updated_at: Date;
}

const columns = 'type, name, fields_schema, version, created_at, updated_at';

/** Returns one page of the types of a site, sorted by `type`. */
export function selectTypes(db: Db, siteId: string, page: PageQuery) {
  const source: LargeListSource = {
    columns,
    table: 'content_types',
    scope: 'site_id = $1',
    scopeParams: [siteId],
    order: 'type',
    key: { column: 'type', type: 'TEXT' },
    bytes: 'octet_length(fields_schema::TEXT)',
  };
  return selectLargePage<TypeRow>(db, source, page);
}

export async function selectType(db: Db, siteId: string, type: string): Promise<TypeRow | undefined> {
  const rows = await db.query<TypeRow>(`SELECT ${columns} FROM content_types WHERE site_id = $1 AND type = $2`, [
    siteId,
    type,
  ]);
  return rows[0];
}

/** Returns the schemas of these types by type; types without a schema are missing. */
export async function selectSchemas(
  db: Db,
  siteId: string,
  types: readonly string[],
): Promise<Map<string, Pick<TypeRow, 'fields_schema' | 'version'>>> {
  const rows = await db.query<TypeRow>(
    `SELECT ${columns} FROM content_types WHERE site_id = $1 AND type = ANY($2::TEXT[])`,
    [siteId, types],
  );
  return new Map(rows.map((row) => [row.type, row]));
}

/** Returns all schemas of a site; their number is limited. */
export function selectAllSchemas(db: Db, siteId: string): Promise<Pick<TypeRow, 'type' | 'fields_schema'>[]> {
  return db.query('SELECT type, fields_schema FROM content_types WHERE site_id = $1', [siteId]);
}

/**
 * Returns the version of a type's schema, or undefined without one. Locks it against changes until the caller's
 * transaction ends.
 */
export async function lockTypeVersion(db: Db, siteId: string, type: string): Promise<number | undefined> {
  const rows = await db.query<{ version: number }>(
    'SELECT version FROM content_types WHERE site_id = $1 AND type = $2 FOR SHARE',
    [siteId, type],
  );
  return rows[0]?.version;
}

/** Returns the same for a change of the schema, with a lock that writes of items wait for too. */
export async function lockType(db: Db, siteId: string, type: string): Promise<number | undefined> {
  const rows = await db.query<{ version: number }>(
    'SELECT version FROM content_types WHERE site_id = $1 AND type = $2 FOR UPDATE',
    [siteId, type],
  );
  return rows[0]?.version;
}

export async function upsertType(
  db: Db,
  siteId: string,
  { type, name, fields_schema }: Pick<TypeRow, 'type' | 'name' | 'fields_schema'>,
): Promise<TypeRow> {
  const rows = await db.query<TypeRow>(
    `INSERT INTO content_types (site_id, type, name, fields_schema) VALUES ($1, $2, $3, $4::JSONB)
     ON CONFLICT (site_id, type) DO UPDATE
       SET name = excluded.name, fields_schema = excluded.fields_schema, version = content_types.version + 1, updated_at = now()
     RETURNING ${columns}`,
    [siteId, type, name, JSON.stringify(fields_schema)],
  );
  return rows[0]!;
}

export async function deleteTypeRow(db: Db, siteId: string, type: string): Promise<boolean> {
  const rows = await db.query('DELETE FROM content_types WHERE site_id = $1 AND type = $2 RETURNING type', [
    siteId,
    type,
  ]);
  return rows.length > 0;
}

export async function countTypes(db: Db, siteId: string): Promise<number> {
  const [row] = await db.query<{ n: number }>('SELECT count(*) AS n FROM content_types WHERE site_id = $1', [siteId]);
  return row!.n;
}

/** Returns items of a type after `afterId`, including the trash, in the order of their ids. */
export function selectFieldsAfter(db: Db, siteId: string, type: string, afterId: string, limit: number) {
  return db.query<{ id: string; revision: number; fields: Json }>(
    `SELECT id, revision, fields FROM content WHERE site_id = $1 AND type = $2 AND id > $3::UUID ORDER BY id LIMIT $4`,
    [siteId, type, afterId, limit],
  );
}

/** Returns the same items without their fields. */
export function selectRevisionsAfter(db: Db, siteId: string, type: string, afterId: string, limit: number) {
  return db.query<{ id: string; revision: number }>(
    `SELECT id, revision FROM content WHERE site_id = $1 AND type = $2 AND id > $3::UUID ORDER BY id LIMIT $4`,
    [siteId, type, afterId, limit],
  );
}

/** Replaces the values by which filters find an item. */
export async function replaceFieldValues(
  db: Db,
  siteId: string,
  contentId: string,
  values: readonly (readonly [name: string, value: string])[],
): Promise<void> {
  await db.query('DELETE FROM content_field_values WHERE content_id = $1', [contentId]);
  if (values.length === 0) return;
  await db.query(
    `INSERT INTO content_field_values (site_id, name, value, content_id)
     SELECT $1::UUID, v.name, v.value, $2::UUID FROM unnest($3::TEXT[], $4::TEXT[]) AS v (name, value)`,
    [siteId, contentId, values.map(([name]) => name), values.map(([, value]) => value)],
  );
}
