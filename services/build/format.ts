/**
 * The second door of build: the release format, for readers of releases. It does not load the code that makes releases,
 * so that an edge stays small.
 */
export { type ReadBytes, readDocument } from './documents.ts';
export {
  adaptNotFoundLinks,
  assetsPrefix,
  type FindChunk,
  getManifestFile,
  type Manifest,
  type ManifestChunk,
  type ManifestFile,
  type ManifestHead,
  type ManifestRoot,
  notFoundRoot,
  type Resolved,
  resolvePath,
} from './manifest.ts';
export { comparePaths } from './manifest-difference.ts';
export { createManifestWriter } from './manifest-writer.ts';
export type { StoredInputs } from './model.ts';
export type { PublicFile } from './picture.ts';
export { readDiffering } from './release-tree/differing-files.ts';
export { countFiles, headOf, readManifest, readManifestTree } from './release-tree/manifest-tree.ts';
export { findChunks, placeOfChunk } from './release-tree/store-tree.ts';
export { readTraceTree, type TraceRoot } from './release-tree/trace-tree.ts';
export { chunkOf } from './release-tree/tree.ts';
export type { Trace, TraceChunk } from './trace.ts';
export { findWhy, maxReasons, type PageWhy, reasonKinds } from './why.ts';
