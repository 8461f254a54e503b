/** What travels with signals and activities, beside their payloads. Imports nothing. */

/** The header that says which request, and which trace, woke an actor: for logs and spans, never for a decision. */
export const originHeader = 'fieldstone-origin';
