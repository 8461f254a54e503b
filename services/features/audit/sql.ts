import type { Db } from '../../core/db.ts';
import type { Channel } from '../../core/principal.ts';
import { type Page, selectPage } from '../../engines/sql/page.ts';
import type { AuditQuery } from './schema.ts';

export interface AuditRow {
  id: string;
  created_at: Date;
  operation: string;
  via: Channel;
  user_id: string | null;
  user_email: string | null;
  key_id: string | null;
  key_name: string | null;
  integration_id: string | null;
  integration_slug: string | null;
  agent_id: string | null;
  agent_name: string | null;
  site_id: string | null;
  site_slug: string | null;
  target_kind: string | null;
  target_id: string | null;
  target_name: string | null;
  request_id: string | null;
}

const columns = `a.id, a.created_at, a.operation, a.via, a.user_id, u.email AS user_email, a.key_id, k.name AS key_name,
  a.integration_id, a.integration_slug, a.agent_id, a.agent_name, a.site_id, a.site_slug, a.target_kind, a.target_id, a.target_name, a.request_id`;
const from = 'audit_log a LEFT JOIN users u ON u.id = a.user_id LEFT JOIN api_keys k ON k.id = a.key_id';

type Filters = Pick<AuditQuery, 'actor' | 'operation' | 'since' | 'until'>;

const filter = `($2::TEXT IS NULL OR a.user_id::TEXT = $2::TEXT OR a.key_id = $2::TEXT OR a.integration_id::TEXT = $2::TEXT
    OR a.agent_id::TEXT = $2::TEXT)
  AND ($3::TEXT IS NULL OR a.operation = $3::TEXT)
  AND ($4::TIMESTAMPTZ IS NULL OR a.created_at >= $4::TIMESTAMPTZ)
  AND ($5::TIMESTAMPTZ IS NULL OR a.created_at < $5::TIMESTAMPTZ)`;
const filterParams = ({ actor, operation, since, until }: Filters) => [
  actor ?? null,
  operation ?? null,
  since ?? null,
  until ?? null,
];

/** Returns one page of the changes of a site, newest first. */
export function selectOfSite(db: Db, siteId: string, query: AuditQuery): Promise<Page<AuditRow>> {
  const source = { columns, from, where: `a.site_id = $1 AND ${filter}`, order: 'a.created_at DESC, a.id DESC' };
  return selectPage<AuditRow>(db, source, [siteId, ...filterParams(query)], query);
}

/** Returns one page of all changes, or with `slug` of the sites with this slug, deleted ones included; newest first. */
export function selectOfAll(db: Db, slug: string | null, query: AuditQuery): Promise<Page<AuditRow>> {
  const where = `($1::TEXT IS NULL OR a.site_slug = $1::TEXT) AND ${filter}`;
  const source = { columns, from, where, order: 'a.created_at DESC, a.id DESC' };
  return selectPage<AuditRow>(db, source, [slug, ...filterParams(query)], query);
}

const batchRows = 1000;

/** Yields all changes that match the filters, oldest first; reads them in batches. */
export async function* readChanges(db: Db, slug: string | null, query: Filters): AsyncGenerator<AuditRow> {
  let after: Pick<AuditRow, 'created_at' | 'id'> = {
    created_at: new Date(0),
    id: '00000000-0000-0000-0000-000000000000',
  };
  for (;;) {
    const rows = await db.query<AuditRow>(
      `SELECT ${columns} FROM ${from}
       WHERE ($1::TEXT IS NULL OR a.site_slug = $1::TEXT) AND ${filter} AND (a.created_at, a.id) > ($6::TIMESTAMPTZ, $7::UUID)
       ORDER BY a.created_at, a.id LIMIT ${batchRows}`,
      [slug, ...filterParams(query), after.created_at, after.id],
    );
    yield* rows;
    if (rows.length < batchRows) return;
    after = rows.at(-1)!;
  }
}

/**
 * Deletes rows older than `keepDays` days, in batches; `signal` stops it between two batches. Returns the number of
 * deleted rows.
 */
export async function deleteExpiredChanges(db: Db, keepDays: number, signal?: AbortSignal): Promise<number> {
  const expired = `created_at < now() - $1::INT8 * INTERVAL '1 day'`;
  let deleted = 0;
  while (!signal?.aborted) {
    const rows = await db.query(
      `DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log WHERE ${expired} ORDER BY created_at LIMIT ${batchRows})
         AND ${expired}
       RETURNING id`,
      [keepDays],
    );
    deleted += rows.length;
    if (rows.length < batchRows) break;
  }
  return deleted;
}
