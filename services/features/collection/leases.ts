/** The leases of collection and of the removal of orphans, in this order: who holds both keeps every object where it is. */
export const collectionLeases = ['collect', 'orphans'] as const;
