/** The door of publishing: what other folders use. */
export { announceRelease, readItemsToDelete } from './announce.ts';
export type { Builder } from './builder.ts';
export { createJobEnds } from './jobs/job-ends.ts';
export { type JobRow, selectJob } from './jobs/sql.ts';
export { selectSiteAwaiting } from './media-refresh.ts';
export { openBuilder } from './open-builder.ts';
export { planSite } from './plan.ts';
export { isMediaLive } from './release-inputs.ts';
export { listReleases, planRollback, rollBack } from './releases.ts';
export { requestAsPublished, requestPublish, requestRebuild } from './request.ts';
export {
  type BackedUpRelease,
  hashesOfRelease,
  insertRestoredRelease,
  type RestoredRelease,
  readRelease,
  storeRestoredRelease,
} from './restored-release.ts';
export { selectSitesToWake, selectSitesWithDueItems } from './sweep.ts';
export { explainPage } from './why.ts';
