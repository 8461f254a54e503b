/** The public interface of sites. */
export { checkDomainProofs } from './domain-proof.ts';
export { claimHosts, freeHosts, hostsOf } from './hosts.ts';
export { presentWithProof } from './present.ts';
export {
  type CreateSite,
  createSiteBody,
  readOnlySiteMembers,
  siteRecord,
  type UpdateSite,
  updateSiteBody,
} from './schema.ts';
export { changeLocales, createSite, slugOf, updateSite } from './service.ts';
export {
  deleteSiteRow,
  type JoinedSiteRow,
  joinedSiteColumns,
  readJoinedSite,
  selectSiteById,
  selectSiteBySlug,
  selectSiteForUpdate,
  selectSiteNames,
} from './sql.ts';
