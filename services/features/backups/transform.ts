import { randomUUID } from 'node:crypto';
import { type Line, type Row, rowsOf } from './lines.ts';

const names = /(?<![0-9a-f])(?:[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f])/gi;
const tablesWithIds = [
  'sites',
  'content',
  'media',
  'shell_snapshots',
  'redirects',
  'scripts',
  'integrations',
  'event_endpoints',
  'releases',
];

/** New names by old ones: ids of rows, hashes of objects that were rewritten. */
export type Renames = ReadonlyMap<string, string>;

/** Generates a new id for every row of these tables: by default all tables of a site that have ids. */
export function newIds(lines: readonly Line[], tables: readonly string[] = tablesWithIds): Map<string, string> {
  return new Map(
    tables.flatMap((table) => rowsOf(lines, table).map((row): [string, string] => [String(row['id']), randomUUID()])),
  );
}

/**
 * Replaces old names by new ones wherever they occur in a text: `media:{id}` in a body, an id in a template, a hash in
 * a manifest.
 */
export function renameIn(text: string, renames: Renames): string {
  return text.replace(names, (name) => renames.get(name.toLowerCase()) ?? name);
}

export function renameLines(lines: readonly Line[], renames: Renames): Line[] {
  return lines.map((line) => JSON.parse(renameIn(JSON.stringify(line), renames)) as Line);
}

/**
 * Assigns revisions that no row has ever had. Workers cache items by id and revision, and a restored item differs from
 * the one that had its revision before. Milliseconds since 1970 grow faster than revisions.
 */
export function createRenumber(lines: readonly Line[], nowMs: number) {
  const current = new Map(rowsOf(lines, 'content').map((row) => [row['id'], row['revision']]));
  /** The item's own revision gets the higher number, the one in the live release the lower. */
  const renumber = (id: string, revision: number): number => (current.get(id) === revision ? nowMs + 1 : nowMs);
  const renumberRevision = (row: Row) => ({
    ...row,
    revision: renumber(String(row['content_id']), Number(row['revision'])),
  });
  /** A draft that was begun on an earlier revision, which no backup has, stays behind its item. */
  const renumberBase = (row: Row) => (current.get(row['content_id']) === row['base_revision'] ? nowMs + 1 : nowMs - 1);
  const changed: Record<string, (row: Row) => Row> = {
    content: (row) => ({ ...row, revision: nowMs + 1 }),
    content_revisions: renumberRevision,
    purged_revisions: renumberRevision,
    content_drafts: (row) => ({ ...row, base_revision: renumberBase(row) }),
    media: (row) => ({ ...row, revision: nowMs + 1 }),
  };
  return {
    renumber,
    lines: lines.map(([table, row]): Line => [table, changed[table]?.(row) ?? row]),
  };
}
