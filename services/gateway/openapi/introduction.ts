/** The document's introduction: what the author of a client needs to know about all operations. */
export const introduction = `Site publishing over REST. A write stores content; visitors see it after a publish.

**Keys.** Every request has the header \`X-API-Key: fs_…\`. Keys are created, rotated and revoked on the command line
(\`fieldstone keys\`). A key has scopes, one per operation (\`x-scope\`; only \`admin\` implies others), and a list of sites.
It never exceeds its user: the user's roles on the site are checked at every request (\`x-roles\`).

**Responses.** A success is \`{success: true, data}\`, with \`pagination\` for a list. An error is
\`{success: false, error: {code, message, details}}\`: \`code\` is stable, \`message\` says what to fix, and the \`details\` of a
422 name the members. A method that a path does not have is 405 with \`Allow\`. Timestamps are UTC,
\`YYYY-MM-DDTHH:MM:SSZ\`; other formats are rejected.

**From writing to live.** Write everything (\`createContent\`, \`uploadMedia\`, \`writeShellFile\`, …), publish once
(\`publishSite\`), then read the job (\`getJob\`) until \`finished_at\` is set. \`succeeded\`: visitors see the release.
\`failed\`: the live site is unchanged, and \`error\` says why.

**Bodies.** An unknown member is a 422 that names it. Members that only the service writes (\`id\`, \`url\`, \`created_at\`, …)
are ignored, so a record can be read, changed and sent back. JSON is limited to 4 MiB. PATCH changes the members that are
sent and keeps the others.

**Limits.** By default 60 requests a minute per IP address and 120 per key. \`RateLimit-Policy\` names the limits,
\`RateLimit\` the remaining requests, and \`Retry-After\` of a 429 the time to wait. \`createContentBatch\` and
\`writeShellArchive\` write many records or files with one request.

**Retries.** Send an \`Idempotency-Key\` with every POST: a repeated request with the same key and body returns the stored
response for 24 hours. PUT, PATCH and DELETE can be repeated. After 429, 503 and the 409 \`idempotency_in_flight\`, wait as
long as \`Retry-After\` says.`;
