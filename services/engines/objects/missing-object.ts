/** Nothing is stored under a hash (any more): the caller's reference is stale. */
export class MissingObject extends Error {}
