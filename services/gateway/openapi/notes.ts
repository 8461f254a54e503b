/** What the document says before its first operation: what an author of a pipeline needs to know about all of them. */
export const introduction = `Site publishing over REST. Writing content stores it; publishing is a separate operation.

**Keys.** Every request carries \`X-API-Key: fs_…\`. Keys are made, rotated and revoked on the command line (\`fieldstone keys\`), not here. A key has
scopes, one per operation (\`x-scope\`; only \`admin\` implies others), and a list of sites.

**Replies.** A success is \`{success: true, data}\`, a list has \`pagination\` too, a failure is \`{success: false, error: {code, message, details}}\`.
\`code\` is stable; \`message\` says what to mend, and the \`details\` of a 422 name the members. A path with another method than those listed is 405
with \`Allow\`. Timestamps are UTC, \`YYYY-MM-DDTHH:MM:SSZ\`; other forms are refused.

**From writing to live.** Write everything (\`createContent\`, \`uploadMedia\`, \`writeShellFile\`, …), then \`publishSite\` once, then read \`getJob\` every second
or so until \`finished_at\` is there: \`succeeded\` means that visitors see it, \`failed\` leaves the live site as it was, and \`error\` says why.

**Bodies.** An unknown member is a 422 that names it. Members that only the service writes (\`id\`, \`url\`, \`created_at\`, …) are ignored, so that a record that was
read can be changed and sent back. JSON may have 4 MiB. PATCH changes the members that are sent and keeps the others.

**Limits.** 60 requests a minute from one address and 120 with one key, unless the installation says otherwise: \`RateLimit-Policy\` tells the limits,
\`RateLimit\` what is left, a 429 \`Retry-After\`. \`createContentBatch\` and \`writeShellArchive\` write much with one request.

**Retries.** Send an \`Idempotency-Key\` with every POST: the same key with the same body is done once, and answered alike for 24 hours. PUT, PATCH and DELETE can
be sent again as they are. Wait as \`Retry-After\` says after 429, 503 and the 409 \`idempotency_in_flight\`.`;

/** What there is to know about an operation beyond its summary, by operation. */
export const operationNotes: Readonly<Record<string, string>> = {
  createSite: 'Nothing is live before the first publish. A key with a list of sites may create only those in it.',
  updateSite: 'The slug of a site cannot be changed: a `slug` in the body is ignored.',
  addLanguage:
    'Pages of a locale other than the default one live under `/{locale}/`. Nothing is translated: write items with that `locale` and `translation_of`.',
  listContent: 'The list leaves out the trash.',
  createContent:
    'The slug that was used is in the reply: a taken one gets a counter. `warnings` says what was removed from the body. A `source_ref` that the site has already is 409 `conflict`.',
  createContentBatch:
    'Each item is a body of `createContent`. The reply is 200 although some were refused: look at the `status` of each result. Batches create and do not update: an item whose `source_ref` is there already is a result with 409 (`putContentByRef` updates it).',
  putContentByRef:
    'For pipelines that run again: made when the site has no item with this reference, else updated, where members that are left out keep their values. Percent-encode the reference, its slashes too (`guide%2Fintro`). An item in the trash is updated and stays there, with `trashed_at` in the reply.',
  updateContent:
    'The item is live again with the next publish. An update may move an item from any status to any other.',
  trashContent: 'Pages that are live stay so until the next publish.',
  restoreContent: 'A slug that was taken meanwhile gets a counter.',
  uploadMedia:
    'What a file is follows from its bytes, not from its name or content type. By default images may have 25 MiB and 50 megapixels, videos 512 MiB, other files 100 MiB. An image or video is `processing` until its variants are there: read `getMedia` until it is `ready` or `failed`; a publish waits for them by itself. Large files can also be sent in parts that survive a broken connection: tus 1.0.0 at `/uploads` of this host, with the same key and the metadata `site`, `filename`, `alt` and `decorative`.',
  trashMedia: 'Pages that are live keep showing it until the next publish.',
  purgeMedia: 'Refused with `in_use` as long as pages of the live site show it.',
  writeShellFile:
    'A template that does not parse is stored too, with a warning that names the line; the next publish would fail with it. The live site changes with the next publish, unless the site has `settings.shell_autopublish: true`.',
  writeShellArchive:
    'Paths are those of the shell, in the root of the archive or in one folder. Files that may not be in a shell (`.DS_Store`, `README.md`) refuse the archive and are named. Templates that do not parse are stored, with warnings.',
  diffShell: 'A revision is a `rev` of `listShellSnapshots`.',
  restoreShell: 'The live site changes with the next publish.',
  getShellPreview: 'Anyone who has the address can open it until it expires.',
  createRedirect:
    '`/old` and `/old/` are the same. A redirect goes before a page of that path. Paths are those of the site: without `/sites/{site}`, with `/{locale}` where there is one.',
  publishSite:
    'Requests that arrive while the site is being built are all served by the next build, each with a job of its own. Scheduled items and webhook deliveries publish by themselves.',
  rollBackRelease: 'Stored content stays as it is: the next publish builds it and makes that live.',
  createWebhook:
    'Deliveries go to the `url` of the reply, with `X-Delivery-Id` and `X-Service-Signature: t=<unix time>,v1=<hex of HMAC-SHA-256 over "<t>.<body>", keyed with the secret>`.',
};

const siteMembers = {
  domain:
    'A host name whose visitors the edge serves this site to: lower case, ASCII, without port; unique, and none of the service itself. Without one the site is at `/sites/{slug}/` of the edge',
  aliases:
    'Further host names of that form, unique too, which the edge redirects to `domain` with 301, path and query kept',
  default_locale: 'BCP 47, such as `en` or `pt-BR`. Pages in it have no locale in their path',
  settings: 'Free members for templates; `shell_autopublish` and those of the starter shell have a meaning',
};

/** What a member of a schema means, where the schema does not say it, by the name of the schema. */
export const memberNotes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CreateSiteBody: { slug: 'Made from the name when absent; for ever', ...siteMembers },
  UpdateSiteBody: { ...siteMembers, default_locale: 'One of the locales of the site' },
  Site: {
    url: 'Where visitors find it',
    domain_proof:
      'With `FIELDSTONE_DOMAIN_PROOF=txt`: the TXT record that `domain` needs before it is served. Each alias needs the same `value` at its own `name`. Null when the setting is `off` or there is no domain',
    live_release: 'Null before the first publish',
  },
  AddLanguageBody: {
    locale: 'BCP 47, such as `de` or `pt-BR`',
    name: 'For people; the English name of the language when absent',
  },
  CreateContentBatchBody: { items: 'Bodies of `createContent`; one that is wrong refuses only itself' },
  Media: { status: '`ready`: pages can show it; further variants may still join' },
  ShellSnapshot: { rev: 'The revision, for `diffShell` and `restoreShell`' },
  CreateRedirectBody: {
    from: 'A path of the site',
    to: 'A path of the site, or a URL',
  },
  CreateScriptBody: {
    src: 'An https URL; give exactly one of `src` and `code`',
    code: 'JavaScript without `<script>`; give exactly one of `src` and `code`',
  },
  QueuedJob: { job: 'For `getJob`' },
  Job: {
    progress:
      '`done` of `total` within the `stage`, both 0 in stages that count nothing. At last all pages of the release; of a job that failed, how far it came',
    finished_at: 'Null until the job has succeeded or failed',
    error: 'Why it failed, with template and line where there is one',
  },
  Release: { changed: 'Pages that differ from the release before' },
};
