import type { Db } from '../../core/db.ts';
import type { PageQuery } from '../../core/reply.ts';
import { type LargeListSource, selectLargePage } from '../../engines/sql/large-page.ts';

export interface ComponentRow {
  handle: string;
  type: 'html' | 'react';
  source_hash: string;
  compiled_hash: string;
  css: string | null;
  variables_schema: Record<string, unknown> | null;
  sha256: string;
  updated_at: Date;
}

export type NewComponent = Omit<ComponentRow, 'updated_at'>;

const columns = 'handle, type, source_hash, compiled_hash, css, variables_schema, sha256, updated_at';

export function selectComponents(db: Db, siteId: string, page: PageQuery) {
  const source: LargeListSource = {
    columns,
    table: 'components',
    scope: 'site_id = $1',
    scopeParams: [siteId],
    order: 'updated_at DESC, handle',
    key: { column: 'handle', type: 'TEXT' },
    bytes: 'COALESCE(octet_length(css), 0) + COALESCE(octet_length(variables_schema::TEXT), 0)',
  };
  return selectLargePage<ComponentRow>(db, source, page);
}

export async function selectComponent(db: Db, siteId: string, handle: string): Promise<ComponentRow | undefined> {
  const rows = await db.query<ComponentRow>(`SELECT ${columns} FROM components WHERE site_id = $1 AND handle = $2`, [
    siteId,
    handle,
  ]);
  return rows[0];
}

export async function upsertComponentRow(db: Db, siteId: string, component: NewComponent): Promise<ComponentRow> {
  const { handle, type, source_hash, compiled_hash, css, variables_schema, sha256 } = component;
  const rows = await db.query<ComponentRow>(
    `INSERT INTO components (site_id, handle, type, source_hash, compiled_hash, css, variables_schema, sha256, meta)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '{}')
     ON CONFLICT (site_id, handle) DO UPDATE
       SET type = excluded.type, source_hash = excluded.source_hash, compiled_hash = excluded.compiled_hash, css = excluded.css,
         variables_schema = excluded.variables_schema, sha256 = excluded.sha256, updated_at = now()
     RETURNING ${columns}`,
    [
      siteId,
      handle,
      type,
      source_hash,
      compiled_hash,
      css,
      variables_schema === null ? null : JSON.stringify(variables_schema),
      sha256,
    ],
  );
  return rows[0]!;
}

export async function deleteComponentRow(db: Db, siteId: string, handle: string): Promise<boolean> {
  const rows = await db.query('DELETE FROM components WHERE site_id = $1 AND handle = $2 RETURNING handle', [
    siteId,
    handle,
  ]);
  return rows.length > 0;
}
