const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Lifetimes of what an agent holds, in seconds. */
export const lifetimes = {
  /** A code is exchanged by the client that requested it, at once. */
  code: minute,
  access: hour,
  /** A grant ends when its agent has not refreshed its tokens for this time. */
  refresh: 30 * day,
  /** A registration that no user has allowed yet. */
  unusedClient: day,
  /** A registration after its last use. */
  usedClient: 90 * day,
  /** A client metadata document is fetched again after this time. */
  document: hour,
} as const;
