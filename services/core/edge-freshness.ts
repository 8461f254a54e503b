/**
 * Maximum age of SQL data that an edge serves. Every replica must serve a new release within a second of the swap; the
 * cache uses half of it.
 */
export const edgeFreshMs = 500;

/** After this time no edge serves data from before a change: its own limit, plus time for the read. */
export const visibleOnEdgesMs = edgeFreshMs + 100;

/**
 * How long an edge stays registered without a renewal, and the interval of its renewals. An edge whose lease has
 * expired gets no pushes of swaps, and reads before it serves.
 */
export const edgeLeaseMs = 10_000;
export const edgeRenewalMs = 2500;
