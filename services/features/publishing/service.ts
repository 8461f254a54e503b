export { announceRelease } from './announce.ts';
export { selectSiteAwaiting } from './media-refresh.ts';
export { isMediaLive } from './release-inputs.ts';
export { listReleases, planRollback, type ReleaseRow, rollBack } from './releases.ts';
export { type PublishKind, requestAsPublished, requestPublish, requestRebuild } from './request.ts';
export {
  type BackedUpRelease,
  hashesOfRelease,
  insertRestoredRelease,
  type RestoredRelease,
  readRelease,
  storeRestoredRelease,
} from './restored-release.ts';
