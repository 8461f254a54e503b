import { contentFields } from '../../core/content-fields.ts';
import { columnNames } from '../../core/content-model.ts';
import { type BackupTable, json, plain, time } from './backup-table.ts';
import { installationTables } from './installation-tables.ts';

const isPinned =
  '(content_id, revision) IN (SELECT p.id, p.revision FROM unnest($2::UUID[], $3::INT8[]) AS p (id, revision))';
const pinnedRevisions = `site_id = $1 AND (revision = (SELECT c.revision FROM content c WHERE c.id = content_id) OR ${isPinned})`;

const contentColumns = (test: (type: string | null) => boolean) =>
  columnNames.filter((name) => test(contentFields[name].column));

/**
 * The tables of a site that a restore writes, in an order that foreign keys allow. A test compares this list with the
 * schema.
 */
export const backupTables: readonly BackupTable[] = [
  {
    name: 'sites',
    columns: {
      ...plain('id', 'slug', 'name', 'domain', 'aliases', 'default_locale', 'live_release'),
      ...json('locales', 'settings'),
      ...time('created_at', 'updated_at'),
    },
    keys: ['id'],
    where: 'id = $1',
    hashes: [],
  },
  {
    name: 'content_types',
    columns: {
      ...plain('site_id', 'type', 'name', 'version'),
      ...json('fields_schema'),
      ...time('created_at', 'updated_at'),
    },
    keys: ['site_id', 'type'],
    where: 'site_id = $1',
    hashes: [],
  },
  {
    name: 'content',
    columns: {
      ...plain(...contentColumns((type) => type !== 'JSONB' && type !== 'TIMESTAMPTZ')),
      ...json(...contentColumns((type) => type === 'JSONB')),
      ...time(...contentColumns((type) => type === 'TIMESTAMPTZ')),
    },
    keys: ['id'],
    where: 'site_id = $1',
    hashes: ['body_hash'],
  },
  {
    name: 'content_field_values',
    columns: { ...plain('site_id', 'name', 'value', 'content_id') },
    keys: ['site_id', 'name', 'value', 'content_id'],
    where: 'site_id = $1',
    hashes: [],
  },
  {
    name: 'content_media',
    columns: { ...plain('site_id', 'media_id', 'content_id', 'place') },
    keys: ['site_id', 'media_id', 'content_id', 'place'],
    where: 'site_id = $1',
    hashes: [],
  },
  {
    name: 'content_revisions',
    columns: {
      ...plain('content_id', 'revision', 'site_id', 'body_html', 'body_hash', 'changed_by'),
      ...json('record'),
      ...time('created_at'),
    },
    keys: ['content_id', 'revision'],
    where: pinnedRevisions,
    hashes: ['body_hash'],
  },
  {
    name: 'purged_revisions',
    columns: {
      ...plain('content_id', 'revision', 'site_id', 'body_html', 'body_hash'),
      ...json('record'),
      ...time('created_at', 'item_created_at'),
    },
    keys: ['content_id', 'revision', 'site_id'],
    where: `site_id = $1 AND ${isPinned}`,
    hashes: ['body_hash'],
  },
  {
    name: 'content_texts',
    columns: { ...plain('site_id', 'content_id', 'body') },
    keys: ['site_id', 'content_id'],
    where: 'site_id = $1',
    hashes: [],
  },
  {
    name: 'content_drafts',
    columns: {
      ...plain(
        'content_id',
        'site_id',
        'base_revision',
        'body_html',
        'body_hash',
        'body_text',
        'body_media',
        'changed_by',
      ),
      ...json('members', 'warnings'),
      ...time('created_at', 'updated_at'),
    },
    keys: ['content_id'],
    where: 'site_id = $1',
    hashes: ['body_hash'],
  },
  {
    name: 'shell_files',
    columns: { ...plain('site_id', 'path', 'hash', 'bytes', 'content_type'), ...time('updated_at') },
    keys: ['site_id', 'path'],
    where: 'site_id = $1',
    hashes: ['hash'],
  },
  {
    name: 'shell_snapshots',
    columns: { ...plain('id', 'site_id', 'files'), ...json('manifest'), ...time('created_at') },
    keys: ['id'],
    where: 'site_id = $1',
    hashes: ['manifest'],
  },
  {
    name: 'components',
    columns: {
      ...plain('site_id', 'handle', 'type', 'source_hash', 'compiled_hash', 'css', 'sha256'),
      ...json('variables_schema', 'meta'),
      ...time('created_at', 'updated_at'),
    },
    keys: ['site_id', 'handle'],
    where: 'site_id = $1',
    hashes: ['source_hash', 'compiled_hash'],
  },
  {
    name: 'redirects',
    columns: { ...plain('id', 'site_id', 'from_path', 'to_url', 'status'), ...time('created_at') },
    keys: ['id'],
    where: 'site_id = $1',
    hashes: [],
  },
  {
    name: 'scripts',
    columns: { ...plain('id', 'site_id', 'name', 'position', 'src', 'code'), ...time('created_at') },
    keys: ['id'],
    where: 'site_id = $1',
    hashes: [],
  },
  {
    name: 'media',
    columns: {
      ...plain(
        'id',
        'site_id',
        'kind',
        'filename',
        'mime_type',
        'bytes',
        'sha256',
        'width',
        'height',
        'duration',
        'alt',
        'decorative',
        'status',
        'error',
        'placeholder',
        'source_url',
        'revision',
        'work',
        'created_by',
        'alt_stand_in',
      ),
      ...json('variants', 'focal_point', 'progress', 'previous'),
      ...time('created_at', 'updated_at', 'trashed_at', 'replaced_at'),
    },
    keys: ['id'],
    where: 'site_id = $1',
    hashes: ['sha256', 'variants', 'previous'],
  },
  {
    name: 'integrations',
    columns: {
      ...plain('id', 'site_id', 'slug', 'name', 'mapper', 'enabled', 'secret', 'previous_secret', 'next_seq'),
      ...time('previous_until', 'created_at'),
    },
    keys: ['id'],
    where: 'site_id = $1',
    hashes: [],
  },
  {
    name: 'integration_items',
    columns: { ...plain('integration_id', 'item_key', 'seq', 'delivery_id', 'item_id') },
    keys: ['integration_id', 'item_key'],
    where: 'integration_id IN (SELECT i.id FROM integrations i WHERE i.site_id = $1)',
    hashes: [],
  },
  {
    name: 'event_endpoints',
    columns: {
      ...plain('id', 'site_id', 'url', 'events', 'enabled', 'secret', 'previous_secret', 'disabled_reason'),
      ...time('previous_until', 'failing_since', 'disabled_at', 'created_at'),
    },
    keys: ['id'],
    where: 'site_id = $1',
    hashes: [],
  },
  {
    name: 'releases',
    columns: {
      ...plain('id', 'site_id', 'preview', 'manifest_hash', 'inputs_hash', 'trace_hash', 'pages', 'changed', 'bytes'),
      ...time('created_at'),
    },
    keys: ['id'],
    where: 'id = (SELECT s.live_release FROM sites s WHERE s.id = $1)',
    hashes: ['manifest_hash', 'inputs_hash', 'trace_hash'],
  },
];

/** Returns a table's definition. Throws for a table that is in no backup. */
export function findTable(name: string): BackupTable {
  const table = [...backupTables, ...installationTables].find((one) => one.name === name);
  if (!table) throw new Error(`No backup contains the table ${name}.`);
  return table;
}
