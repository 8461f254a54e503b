/** The public interface of collection. */
export { collectGarbage } from './collect.ts';
export { deleteExpiredKeys, deleteExpiredLimits } from './expired.ts';
export { collectionLeases } from './leases.ts';
export { removeOrphans } from './orphans.ts';
export { findHashes } from './references.ts';
