import type { Manifest } from './manifest.ts';
import type { Trace } from './trace.ts';

/** A release whose pages a build may reuse. */
export interface BaseRelease {
  id: string;
  manifest: Manifest;
  trace: Trace;
  /** Set for the pages of a build that timed out; they are not a release. */
  isUnfinished?: true;
  /** Made by an earlier pass of the same build: what that rendered, this build has rendered. */
  isSameBuild?: true;
}
