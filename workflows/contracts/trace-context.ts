/** The header passed with wakes and calls, in addition to their inputs. Imports nothing. */

/** Names the request and trace that woke an actor: for logs and spans, never for a decision. */
export const traceContextHeader = 'fieldstone-origin';
