import type { Manifest } from './manifest.ts';
import type { Trace } from './trace.ts';

/** A release that a build may take pages from. */
export interface BaseRelease {
  id: string;
  manifest: Manifest;
  trace: Trace;
  /** Pages of a build that ran out of time, and no release. */
  isUnfinished?: true;
  /** Made by an earlier pass of the same build: what that rendered, this build has rendered. */
  isSameBuild?: true;
}
