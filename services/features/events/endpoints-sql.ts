import type { Db } from '../../core/db.ts';
import type { PageQuery } from '../../core/reply.ts';
import { selectPage } from '../../engines/sql/page.ts';
import type { SealedRow } from '../signing-secrets.ts';
import type { EventType } from './catalogue.ts';

export interface EndpointRow extends SealedRow {
  site_id: string;
  url: string;
  events: EventType[];
  enabled: boolean;
  failing_since: Date | null;
  disabled_at: Date | null;
  disabled_reason: string | null;
  created_at: Date;
}

const names = [
  'id',
  'site_id',
  'url',
  'events',
  'enabled',
  'secret',
  'previous_secret',
  'previous_until',
  'failing_since',
  'disabled_at',
  'disabled_reason',
  'created_at',
];
export const endpointColumns = names.join(', ');

type NewEndpoint = Pick<EndpointRow, 'id' | 'site_id' | 'url' | 'events' | 'enabled' | 'secret'>;

export async function insertEndpoint(db: Db, row: NewEndpoint): Promise<EndpointRow> {
  const rows = await db.query<EndpointRow>(
    `INSERT INTO event_endpoints (id, site_id, url, events, enabled, secret, disabled_at, created_at)
     VALUES ($1, $2, $3, $4::TEXT[], $5, $6, CASE WHEN $5 THEN NULL ELSE now() END, clock_timestamp())
     RETURNING ${endpointColumns}`,
    [row.id, row.site_id, row.url, row.events, row.enabled, row.secret],
  );
  return rows[0]!;
}

export async function countEndpoints(db: Db, siteId: string): Promise<number> {
  const sql = 'SELECT count(*) AS total FROM event_endpoints WHERE site_id = $1';
  return (await db.query<{ total: number }>(sql, [siteId]))[0]!.total;
}

export async function selectEndpoint(db: Db, siteId: string, id: string): Promise<EndpointRow | undefined> {
  const sql = `SELECT ${endpointColumns} FROM event_endpoints WHERE id = $1 AND site_id = $2`;
  return (await db.query<EndpointRow>(sql, [id, siteId]))[0];
}

export async function selectEndpointById(db: Db, id: string): Promise<EndpointRow | undefined> {
  return (await db.query<EndpointRow>(`SELECT ${endpointColumns} FROM event_endpoints WHERE id = $1`, [id]))[0];
}

/** Returns endpoints, newest first. */
export function selectEndpoints(db: Db, siteId: string, page: PageQuery) {
  const order = 'created_at DESC, id DESC';
  const source = { columns: endpointColumns, from: 'event_endpoints', where: 'site_id = $1', order };
  return selectPage<EndpointRow>(db, source, [siteId], page);
}

/** Returns every endpoint with its site's slug, newest first; `siteSlug` narrows to one site. */
export async function selectAllEndpoints(db: Db, siteSlug: string | null) {
  return db.query<EndpointRow & { site_slug: string }>(
    `SELECT ${names.map((name) => `e.${name}`).join(', ')}, s.slug AS site_slug
     FROM event_endpoints e JOIN sites s ON s.id = e.site_id
     WHERE $1::TEXT IS NULL OR s.slug = $1::TEXT ORDER BY e.created_at DESC, e.id DESC`,
    [siteSlug],
  );
}

/** Writes the members that an update may change; enabling the endpoint or changing its URL clears its failures. */
export async function updateEndpointRow(
  db: Db,
  id: string,
  { url, events, enabled }: Partial<Pick<EndpointRow, 'url' | 'events' | 'enabled'>>,
): Promise<EndpointRow | undefined> {
  const rows = await db.query<EndpointRow>(
    `UPDATE event_endpoints SET url = COALESCE($2::TEXT, url), events = COALESCE($3::TEXT[], events),
       enabled = COALESCE($4::BOOLEAN, enabled),
       failing_since = CASE WHEN $4::BOOLEAN OR url <> COALESCE($2::TEXT, url) THEN NULL ELSE failing_since END,
       disabled_at = CASE WHEN $4::BOOLEAN THEN NULL WHEN enabled AND NOT $4::BOOLEAN THEN now() ELSE disabled_at END,
       disabled_reason = CASE WHEN $4::BOOLEAN THEN NULL ELSE disabled_reason END
     WHERE id = $1 RETURNING ${endpointColumns}`,
    [id, url ?? null, events ?? null, enabled ?? null],
  );
  return rows[0];
}

export async function deleteEndpointRow(db: Db, siteId: string, id: string): Promise<boolean> {
  const sql = 'DELETE FROM event_endpoints WHERE id = $1 AND site_id = $2 RETURNING id';
  return (await db.query(sql, [id, siteId])).length > 0;
}

/** The endpoint that an attempt used: its outcome says nothing about a URL that was set since. */
type Tried = Pick<EndpointRow, 'id' | 'url'>;

/** Records when an endpoint began to fail. Later failures do not update the row, since every publish reads it. */
export async function markFailing(db: Db, { id, url }: Tried): Promise<void> {
  await db.query(
    'UPDATE event_endpoints SET failing_since = now() WHERE id = $1 AND url = $2 AND failing_since IS NULL',
    [id, url],
  );
}

export async function markWorking(db: Db, { id, url }: Tried): Promise<void> {
  await db.query(
    'UPDATE event_endpoints SET failing_since = NULL WHERE id = $1 AND url = $2 AND failing_since IS NOT NULL',
    [id, url],
  );
}

/** Disables an endpoint that has failed for this many days; 0: at once. Returns whether it did. */
export async function disableEndpoint(
  db: Db,
  { id, url }: Tried,
  failingDays: number,
  reason: string,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE event_endpoints SET enabled = false, disabled_at = now(), disabled_reason = $4
     WHERE id = $1 AND url = $2 AND enabled
       AND ($3::INT8 = 0 OR failing_since < now() - $3::INT8 * INTERVAL '1 day') RETURNING id`,
    [id, url, failingDays, reason],
  );
  return rows.length > 0;
}
