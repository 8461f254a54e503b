/** The document's introduction: what the author of a client needs to know about all operations. */
export const introduction = `Site publishing over REST. Writing content stores it; publishing is a separate operation.

**Keys.** Every request carries \`X-API-Key: fs_…\`. Keys are created, rotated and revoked on the command line (\`fieldstone keys\`), not here. A key has
scopes, one per operation (\`x-scope\`; only \`admin\` implies others), and a list of sites. It never
exceeds its user, whose roles on a site are checked with every request (\`x-roles\`).

**Replies.** A success is \`{success: true, data}\`, a list has \`pagination\` too, a failure is \`{success: false, error: {code, message, details}}\`.
\`code\` is stable; \`message\` says what to fix, and the \`details\` of a 422 name the members. A path with another method than those listed is 405
with \`Allow\`. Timestamps are UTC, \`YYYY-MM-DDTHH:MM:SSZ\`; other forms are rejected.

**From writing to live.** Write everything (\`createContent\`, \`uploadMedia\`, \`writeShellFile\`, …), then \`publishSite\` once, then read \`getJob\` every second
or so until \`finished_at\` is set: \`succeeded\` means that the change is live, \`failed\` leaves the live site unchanged, and \`error\` says why.

**Bodies.** An unknown member is a 422 that names it. Members that only the service writes (\`id\`, \`url\`, \`created_at\`, …) are ignored, so that a record can be
read, changed and sent back. JSON may have 4 MiB. PATCH changes the members that are sent and keeps the others.

**Limits.** 60 requests a minute from one IP address and 120 with one key, unless configured otherwise: \`RateLimit-Policy\` contains the limits,
\`RateLimit\` the remaining requests, a 429 \`Retry-After\`. \`createContentBatch\` and \`writeShellArchive\` write many records with one request.

**Retries.** Send an \`Idempotency-Key\` with every POST: a request with the same key and body runs once, and gets the same reply for 24 hours. PUT, PATCH and DELETE can
simply be sent again. Wait as long as \`Retry-After\` says after 429, 503 and the 409 \`idempotency_in_flight\`.`;
