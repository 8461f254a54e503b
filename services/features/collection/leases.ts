/**
 * The leases of collection and of the removal of orphans, in this order: while both are held, every object stays where
 * it is. Earlier versions collect under the name `collect`, which is never due again (migration 0923): they do not follow
 * chunks.
 */
export const collectionLeases = ['collection', 'orphans'] as const;
