import type { MadeFrom } from './made-from.ts';
import type { ManifestTree } from './release-tree/manifest-tree.ts';
import type { TraceTree } from './release-tree/trace-tree.ts';

/** A release whose pages a build may reuse. */
export interface BaseRelease {
  id: string;
  manifest: ManifestTree;
  trace: TraceTree;
  /** Absent in a release that another process made. */
  madeFrom?: MadeFrom;
  /** Set for the pages of a build that timed out; they are not a release. */
  isUnfinished?: true;
  /** Made by an earlier pass of the same build: what that rendered, this build has rendered. */
  isSameBuild?: true;
}

/**
 * Returns the release that a build starts from: the first of those that may supply pages; null if that is no release of its
 * own, but pages of this build or of one that timed out.
 */
export function findBase([first]: readonly BaseRelease[]): BaseRelease | null {
  return first && !first.isUnfinished && !first.isSameBuild ? first : null;
}
