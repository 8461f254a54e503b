import type { Choice } from './choose.ts';
import { hashAt, type ManifestTree } from './release-tree/manifest-tree.ts';
import type { Planned, PlannedPage } from './render/protocol.ts';

/** Whether a page counts in the results of jobs: no feed and no 404 page. */
const isCounted = ({ plan }: PlannedPage) => plan.kind !== 'feed' && plan.kind !== 'not_found';

/** Whether the page at a path counts. */
export const isCountedAt = (planned: Planned, path: string): boolean => isCounted(planned.get(path)!);

/** Returns the number of pages that count. */
export function countPages(planned: Planned): number {
  let number = 0;
  for (const page of planned.values()) if (isCounted(page)) number++;
  return number;
}

/** Counts the counted pages that differ from the replaced release: changed, new or removed. */
export function countChanged(
  planned: Planned,
  written: Iterable<string>,
  manifest: ManifestTree,
  { base, removed }: Choice,
): number {
  const differs = [...written].filter(
    (path) => isCountedAt(planned, path) && (!base || hashAt(manifest, path) !== hashAt(base.manifest, path)),
  );
  return differs.length + [...removed].filter((path) => path.endsWith('/')).length;
}
