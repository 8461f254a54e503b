import { z } from 'zod';
import type { Db } from '../../../core/db.ts';
import { notFound } from '../../../core/errors.ts';
import { requireId } from '../../../core/ids.ts';
import { type LargePage, planPage } from '../../../core/large-list.ts';
import type { PageQuery } from '../../../core/reply.ts';
import { sample } from '../../../core/sample.ts';
import { pageQuery } from '../../../core/schema.ts';
import type { App } from '../../app.ts';
import { createComparer } from './comparer.ts';
import { type FileState, selectPresentFiles, selectSnapshotFiles } from './sql.ts';
import { createLineBudget, diffTexts, isTextPath, maxComparedBytes, type TextDiff } from './text.ts';

export const diffQuery = pageQuery.extend({
  from: z.string().describe('A revision'),
  to: z.string().optional().describe('A revision; the current shell by default'),
});

/** Memory of a record in addition to its diff, in bytes. */
const rowBytes = 1024;

const fileState = z.object({ bytes: z.int(), sha256: z.string() }).nullable();

export const differenceRecord = z
  .object({
    path: z.string(),
    change: z.enum(['added', 'removed', 'changed']),
    before: fileState,
    after: fileState,
    diff: z.string().nullable().describe('A unified diff; null for the reason in `diff_omitted`'),
    diff_omitted: z.enum(['binary', 'too_large', 'too_different']).nullable(),
  })
  .meta({
    id: 'ShellDifference',
    example: {
      path: 'style.css',
      change: 'changed',
      before: { bytes: 12, sha256: sample.sha256 },
      after: { bytes: 13, sha256: sample.sha256 },
      diff: '--- a/style.css\n+++ b/style.css\n@@ -1,1 +1,1 @@\n-a{color:red}\n+a{color:blue}\n',
      diff_omitted: null,
    },
  });

interface Difference {
  path: string;
  before: FileState | null;
  after: FileState | null;
}

async function readSide(db: Db, siteId: string, rev: string | undefined): Promise<Map<string, FileState>> {
  if (rev === undefined) return selectPresentFiles(db, siteId);
  const files = await selectSnapshotFiles(db, siteId, requireId(rev, 'snapshot'));
  if (!files) throw notFound('snapshot');
  return files;
}

/** Returns every path that differs between both sides, sorted by path. */
function findDifferences(from: ReadonlyMap<string, FileState>, to: ReadonlyMap<string, FileState>): Difference[] {
  return [...new Set([...from.keys(), ...to.keys()])]
    .sort()
    .map((path) => ({ path, before: from.get(path) ?? null, after: to.get(path) ?? null }))
    .filter(({ before, after }) => before?.hash !== after?.hash);
}

function presentDifference({ path, before, after }: Difference, { diff, omitted }: TextDiff) {
  const change = !before ? 'added' : !after ? 'removed' : 'changed';
  const present = (state: FileState | null) => state && { bytes: state.bytes, sha256: state.hash };
  return { path, change, before: present(before), after: present(after), diff, diff_omitted: omitted };
}

/** Returns the memory needed for a comparison in bytes: both sides, and a diff that contains both. */
function bytesOf({ path, before, after }: Difference): number {
  const bytes = (before?.bytes ?? 0) + (after?.bytes ?? 0);
  return rowBytes + (isTextPath(path) && bytes <= maxComparedBytes ? 2 * bytes : 0);
}

/**
 * Returns one page of the differences between two revisions of a shell, or a revision and the current shell. Throws
 * `not_found` for a revision that the site does not have.
 */
export async function compareShells(
  db: Db,
  siteId: string,
  { from, to, page, per_page }: PageQuery & { from: string; to?: string | undefined },
): Promise<LargePage<Difference>> {
  const differences = findDifferences(await readSide(db, siteId, from), await readSide(db, siteId, to));
  const { first, batches } = planPage(differences.slice((page - 1) * per_page, page * per_page), bytesOf);
  const rest = batches.map(({ rows, bytes }) => ({ bytes, read: async () => rows }));
  return { rows: first, rest, total: differences.length };
}

/**
 * Creates the function that converts differences to records, with unified diffs of text files. A line budget bounds the
 * work per response. The queue for long comparisons is fair between the `key`s.
 */
export function createDifferencePresenter({ objects, threads }: Pick<App, 'objects' | 'threads'>, key: string) {
  const budget = createLineBudget();
  const compare = createComparer(threads, key);
  return async (differences: readonly Difference[]) => {
    const records = [];
    for (const difference of differences) {
      const { path, before, after } = difference;
      const bytes = (before?.bytes ?? 0) + (after?.bytes ?? 0);
      if (!isTextPath(path)) records.push(presentDifference(difference, { diff: null, omitted: 'binary' }));
      else if (bytes > maxComparedBytes)
        records.push(presentDifference(difference, { diff: null, omitted: 'too_large' }));
      else {
        const [old, now] = await Promise.all([before, after].map((side) => side && objects.getBytes(side.hash)));
        records.push(presentDifference(difference, await diffTexts(path, old ?? null, now ?? null, budget, compare)));
      }
    }
    return records;
  };
}
