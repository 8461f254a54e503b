import type { Cipher } from '../../core/secrets.ts';
import type { ObjectStore } from '../../engines/objects/store.ts';
import { type BackedUpRelease, type RestoredRelease, storeRestoredRelease } from '../publishing/index.ts';
import { renameTextObjects } from './copy-texts.ts';
import { type Line, rowsOf } from './lines.ts';
import { resealRow } from './sealed-secrets.ts';
import { createRenumber, newIds, renameLines } from './transform.ts';

interface PlanDeps {
  objects: ObjectStore;
  cipher: Cipher;
}

/** The rows and objects that a restore writes. */
export interface Plan {
  lines: Line[];
  siteId: string;
  release: RestoredRelease | null;
  exists: boolean;
}

/** Plans a restore of the same site: it keeps its ids, and its live release is restored without a build. */
export async function planSame({ objects }: PlanDeps, lines: readonly Line[], exists: boolean): Promise<Plan> {
  const numbered = createRenumber(lines, Date.now());
  const [release] = rowsOf(lines, 'releases');
  return {
    lines: numbered.lines,
    siteId: String(rowsOf(lines, 'sites')[0]!['id']),
    release: release
      ? await storeRestoredRelease(objects, release as unknown as BackedUpRelease, numbered.renumber)
      : null,
    exists,
  };
}

/** Subscribers to a site do not expect events of its copies. */
const copiedEndpoint = {
  enabled: false,
  disabled_reason: 'The site is a copy; enable the endpoint to receive its events.',
};

/** Plans a copy under another slug: everything gets a new id, in every reference. It has no domain and is not live. */
export async function planCopy({ objects, cipher }: PlanDeps, lines: readonly Line[], slug: string): Promise<Plan> {
  const ids = newIds(lines);
  const renames = new Map([...ids, ...(await renameTextObjects(objects, lines, ids))]);
  const old = new Map([...ids].map(([from, to]) => [to, from]));
  const copied = renameLines(lines, renames).map((line): Line => {
    const [table, row] = line;
    if (table === 'sites') return [table, { ...row, slug, domain: null, aliases: [] }];
    const sealed = resealRow(cipher, line, old.get(String(row['id'])));
    return [table, table === 'event_endpoints' ? { ...sealed, ...copiedEndpoint } : sealed];
  });
  const siteId = ids.get(String(rowsOf(lines, 'sites')[0]!['id']))!;
  return { lines: copied, siteId, release: null, exists: false };
}
