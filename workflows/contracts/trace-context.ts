/** What travels with wakes and calls, beside their inputs. Imports nothing. */

/** The header that says which request, and which trace, woke an actor: for logs and spans, never for a decision. */
export const traceContextHeader = 'fieldstone-origin';
