/** The door of collection: what other folders use of it. */
export { collectGarbage } from './collect.ts';
export { deleteExpiredKeys, deleteExpiredLimits } from './expired.ts';
export { collectionLeases } from './leases.ts';
export { removeOrphans } from './orphans.ts';
export { findHashes } from './references.ts';
