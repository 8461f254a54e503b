import type { Choice } from './choose.ts';
import { isCountedPath } from './page-plan.ts';
import { hashAt, type ManifestTree } from './release-tree/manifest-tree.ts';

/** Counts the counted pages that differ from the replaced release: changed, new or removed. */
export function countChanged(written: Iterable<string>, manifest: ManifestTree, { base, removed }: Choice): number {
  const differs = [...written].filter((path) => !base || hashAt(manifest, path) !== hashAt(base.manifest, path));
  return [...differs, ...removed].filter(isCountedPath).length;
}
