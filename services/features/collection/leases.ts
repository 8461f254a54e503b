/**
 * The leases of collection and of the removal of orphans, in this order: while both are held, every object stays where
 * it is.
 */
export const collectionLeases = ['collect', 'orphans'] as const;
