/**
 * The second door of build: the format of a release, for those who read one. It loads nothing of what makes releases, so that an edge
 * stays small.
 */
export { type ReadBytes, readDocument } from './documents.ts';
export {
  assetsPrefix,
  getManifestFile,
  type Manifest,
  type ManifestFile,
  notFoundRoot,
  placeNotFound,
  resolvePath,
} from './manifest.ts';
export { comparePaths } from './manifest-difference.ts';
export { createManifestWriter } from './manifest-writer.ts';
export type { StoredInputs } from './model.ts';
export type { PublicFile } from './picture.ts';
export type { Trace } from './trace.ts';
export { findWhy, maxReasons, type PageWhy, reasonKinds } from './why.ts';
