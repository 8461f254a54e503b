/**
 * How a column is written down: as the value that the driver reads, or as the database's own text (exact for timestamps of
 * microseconds and for JSON numbers of any size), with the type that the text is cast to.
 */
export type ColumnKind = 'plain' | 'TIMESTAMPTZ' | 'JSONB';

export interface BackupTable {
  name: string;
  columns: Record<string, ColumnKind>;
  /** Its primary key. */
  keys: readonly string[];
  /** Which rows belong to the site `$1`; `$2` and `$3` are the ids and revisions that the live release shows. */
  where: string;
  /** Columns that name objects. */
  hashes: readonly string[];
}

const time = 'TIMESTAMPTZ';
const json = 'JSONB';
const plain = 'plain';

const pinnedRevisions = `site_id = $1 AND (revision = (SELECT c.revision FROM content c WHERE c.id = content_id)
  OR (content_id, revision) IN (SELECT p.id, p.revision FROM unnest($2::UUID[], $3::INT8[]) AS p (id, revision)))`;

/** Everything of a site that a restore brings back, in an order in which it can be written. A test holds it against the schema. */
export const backupTables: readonly BackupTable[] = [
  {
    name: 'sites',
    columns: {
      id: plain,
      slug: plain,
      name: plain,
      domain: plain,
      default_locale: plain,
      locales: json,
      settings: json,
      live_release: plain,
      created_at: time,
      updated_at: time,
    },
    keys: ['id'],
    where: 'id = $1',
    hashes: [],
  },
  {
    name: 'content',
    columns: {
      id: plain,
      site_id: plain,
      revision: plain,
      type: plain,
      title: plain,
      slug: plain,
      locale: plain,
      body_html: plain,
      body_hash: plain,
      excerpt: plain,
      author: plain,
      status: plain,
      scheduled_at: time,
      published_at: time,
      featured_media_id: plain,
      seo_title: plain,
      seo_description: plain,
      tags: plain,
      source_scope: plain,
      source_ref: plain,
      translation_of: plain,
      warnings: json,
      created_at: time,
      updated_at: time,
      trashed_at: time,
    },
    keys: ['id'],
    where: 'site_id = $1',
    hashes: ['body_hash'],
  },
  {
    name: 'content_revisions',
    columns: {
      content_id: plain,
      revision: plain,
      site_id: plain,
      record: json,
      body_html: plain,
      body_hash: plain,
      changed_by: plain,
      created_at: time,
    },
    keys: ['content_id', 'revision'],
    where: pinnedRevisions,
    hashes: ['body_hash'],
  },
  {
    name: 'shell_files',
    columns: { site_id: plain, path: plain, hash: plain, bytes: plain, content_type: plain, updated_at: time },
    keys: ['site_id', 'path'],
    where: 'site_id = $1',
    hashes: ['hash'],
  },
  {
    name: 'shell_snapshots',
    columns: { id: plain, site_id: plain, files: plain, manifest: json, created_at: time },
    keys: ['id'],
    where: 'site_id = $1',
    hashes: ['manifest'],
  },
  {
    name: 'components',
    columns: {
      site_id: plain,
      handle: plain,
      type: plain,
      source_hash: plain,
      compiled_hash: plain,
      css: plain,
      variables_schema: json,
      sha256: plain,
      meta: json,
      created_at: time,
      updated_at: time,
    },
    keys: ['site_id', 'handle'],
    where: 'site_id = $1',
    hashes: ['source_hash', 'compiled_hash'],
  },
  {
    name: 'redirects',
    columns: { id: plain, site_id: plain, from_path: plain, to_url: plain, status: plain, created_at: time },
    keys: ['id'],
    where: 'site_id = $1',
    hashes: [],
  },
  {
    name: 'scripts',
    columns: {
      id: plain,
      site_id: plain,
      name: plain,
      position: plain,
      src: plain,
      code: plain,
      created_at: time,
    },
    keys: ['id'],
    where: 'site_id = $1',
    hashes: [],
  },
  {
    name: 'media',
    columns: {
      id: plain,
      site_id: plain,
      kind: plain,
      filename: plain,
      mime_type: plain,
      bytes: plain,
      sha256: plain,
      width: plain,
      height: plain,
      duration: plain,
      alt: plain,
      decorative: plain,
      status: plain,
      error: plain,
      variants: json,
      placeholder: plain,
      focal_point: json,
      source_url: plain,
      progress: json,
      revision: plain,
      created_at: time,
      updated_at: time,
      trashed_at: time,
      work: plain,
    },
    keys: ['id'],
    where: 'site_id = $1',
    hashes: ['sha256', 'variants'],
  },
  {
    name: 'integrations',
    columns: {
      id: plain,
      site_id: plain,
      slug: plain,
      name: plain,
      mapper: plain,
      enabled: plain,
      secret: plain,
      previous_secret: plain,
      previous_until: time,
      next_seq: plain,
      created_at: time,
    },
    keys: ['id'],
    where: 'site_id = $1',
    hashes: [],
  },
  {
    name: 'integration_items',
    columns: { integration_id: plain, item_key: plain, seq: plain, delivery_id: plain, item_id: plain },
    keys: ['integration_id', 'item_key'],
    where: 'integration_id IN (SELECT i.id FROM integrations i WHERE i.site_id = $1)',
    hashes: [],
  },
  {
    name: 'releases',
    columns: {
      id: plain,
      site_id: plain,
      preview: plain,
      manifest_hash: plain,
      inputs_hash: plain,
      trace_hash: plain,
      pages: plain,
      changed: plain,
      bytes: plain,
      created_at: time,
    },
    keys: ['id'],
    where: 'id = (SELECT s.live_release FROM sites s WHERE s.id = $1)',
    hashes: ['manifest_hash', 'inputs_hash', 'trace_hash'],
  },
];

export function findTable(name: string): BackupTable {
  const table = backupTables.find((one) => one.name === name);
  if (!table) throw new Error(`Backups know no table ${name}.`);
  return table;
}
