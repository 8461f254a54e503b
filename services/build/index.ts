/** The door of build: makes a release from the state of a site. The release format is in `format.ts`. */
export type { BaseRelease } from './base-release.ts';
export { type BodyReader, createBodyReader, RevisionGone } from './bodies.ts';
export { readPinned, readPinnedWith, readStored, readStoredParts, type StoredParts } from './inputs.ts';
export { createItemReader, type ItemReader, itemOfRow } from './item-cache.ts';
export { type KeptPages, readKeptPages } from './kept-pages.ts';
export { refreshMedia, waitForMedia } from './media-progress.ts';
export { type BuildInputs, type BuildTask, ContentFault, type SiteInput } from './model.ts';
export type { NewRelease } from './new-release.ts';
export { type ProduceDeps, type Produced, produceRelease } from './produce.ts';
export { dropPurgedRevisions, findLiveRevision, keepLiveRevision, readLiveInputs } from './purged.ts';
export type { Renderer } from './render/protocol.ts';
export { createRenderer } from './render/renderer.ts';
export type { Division, ShardState, Shards } from './shards/divided-build.ts';
export { renderShards, type ShardDesk } from './shards/render-shards.ts';
export { openSharedBuild, shardVersion } from './shards/shared-build.ts';
export { BuildStopped, BuildTimedOut, type BuildWatch, type Progress } from './watch.ts';
