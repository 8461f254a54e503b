/**
 * The second door of build: the release format, for readers of releases. It does not load the code that makes releases,
 * so that an edge stays small.
 */
export { type ReadBytes, readDocument } from './documents.ts';
export {
  adaptNotFoundLinks,
  assetsPrefix,
  getManifestFile,
  type Manifest,
  type ManifestFile,
  notFoundRoot,
  resolvePath,
} from './manifest.ts';
export { comparePaths } from './manifest-difference.ts';
export { createManifestWriter } from './manifest-writer.ts';
export type { StoredInputs } from './model.ts';
export type { PublicFile } from './picture.ts';
export type { Trace } from './trace.ts';
export { findWhy, maxReasons, type PageWhy, reasonKinds } from './why.ts';
