/** A hash that nothing is stored under (any more): the caller's reference is stale. */
export class MissingObject extends Error {}
