import { randomUUID } from 'node:crypto';
import { itemPreviewTimeoutMs } from '../../../workflows/contracts/item-preview.ts';
import {
  type ShellPreview,
  type ShellPreviewInput,
  shellPreviewType,
} from '../../../workflows/contracts/shell-preview.ts';
import { notFound } from '../../core/errors.ts';
import { requireId } from '../../core/ids.ts';
import { itemPreviewLifetimeMs, previewUrl } from '../../core/preview-token.ts';
import { created, largeList, list, noContent, ok, raw, rawLarge } from '../../core/reply.ts';
import { pageQuery } from '../../core/schema.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { lockRow } from '../../engines/sql/lock-row.ts';
import { type AppRoute, type Input, route } from '../route.ts';
import { compareShells, createDifferencePresenter, differenceRecord, diffQuery } from './diff/compare.ts';
import { requireShellPath, requireWritablePath, shellMaxBytes, themeLimits } from './paths.ts';
import {
  presentShellFile,
  presentSnapshot,
  restoreRecord,
  shellFileRecord,
  snapshotRecord,
  themePreviewRecord,
  themeQuery,
  writtenFileRecord,
  writtenTheme,
} from './present.ts';
import { deleteShellFile, readShellFile, restoreSnapshot, writeShellFile } from './service.ts';
import { insertSnapshot, type ShellFileRow, selectShellFile, selectShellFiles, selectSnapshots } from './sql.ts';
import { checkTemplate } from './template-check.ts';
import { mergeIntoShell } from './theme/merge.ts';
import { storeTheme } from './theme/store.ts';
import { unpackInThread } from './theme/unpack-in-thread.ts';
import { writeTheme } from './theme/write.ts';

const tag = 'Shell';

/** Returns the entity tag of a file: its hash, the same for the bytes and for the record. */
const fileTag = ({ hash }: Pick<ShellFileRow, 'hash'>) => `"${hash}"`;

async function readTag({ db, site, params }: Input): Promise<string | undefined> {
  const path = requireShellPath(params['*']!);
  await lockRow(db, 'shell_files', { site_id: site.id, path });
  const file = await selectShellFile(db, site.id, path);
  return file && fileTag(file);
}

export const shellRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/sites/:site/shell/files',
    operationId: 'listShellFiles',
    scope: 'shell:read',
    tag,
    summary: 'List the files of the shell',
    query: pageQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: shellFileRecord, list: true },
    async handler({ db, site, query }) {
      const { rows, total } = await selectShellFiles(db, site.id, query);
      return list(rows.map(presentShellFile), total, query);
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/shell/file/*',
    operationId: 'readShellFile',
    scope: 'shell:read',
    tag,
    summary: 'Read a file of the shell: its raw bytes, without an envelope',
    body: { kind: 'ignored' },
    reply: { status: 200, raw: true, description: 'The bytes, as text/plain' },
    async handler({ app, db, site, params }) {
      const file = await selectShellFile(db, site.id, requireShellPath(params['*']!));
      if (!file) throw notFound('shell file');
      const body = await readShellFile(app.objects, file);
      const headers = {
        'Content-Type': 'text/plain; charset=utf-8',
        ETag: fileTag(file),
        'X-Content-Type-Options': 'nosniff',
      };
      return Buffer.isBuffer(body) ? raw(200, body, headers) : rawLarge(200, body, headers);
    },
  }),
  route({
    method: 'PUT',
    path: '/sites/:site/shell/file/*',
    operationId: 'writeShellFile',
    scope: 'shell:write',
    tag,
    summary: 'Write a file of the shell: the body is its raw bytes. Queues a rebuild of the preview',
    description:
      'A template that does not parse is stored too, with a warning that names the line; the next publish would fail with it. The live site changes with the next publish, unless the site has `settings.shell_autopublish: true`.',
    body: { kind: 'raw', maxBytes: shellMaxBytes },
    reply: { status: 200, schema: writtenFileRecord, description: '201 for a new file' },
    etag: readTag,
    async prepare({ app, caller, params, body }) {
      const path = requireShellPath(params['*']!);
      requireWritablePath(path);
      const [hash, warnings] = await Promise.all([
        app.objects.putBytes(body),
        checkTemplate(app, caller.id, { path, data: body }),
      ]);
      return { path, stored: { hash, bytes: body.length }, warnings };
    },
    async handler({ app, db, site, prepared, afterCommit }) {
      const { path, stored, warnings } = prepared;
      await app.objects.pin(db, [stored.hash]);
      const { file, isNew, job } = await writeShellFile(db, site.id, path, stored, app.config.siteLimits);
      if (job) afterCommit(() => app.actors.wakeSite(site.id));
      const data = { ...presentShellFile(file), warnings, job };
      return isNew ? created(data, fileTag(file)) : ok(data, fileTag(file));
    },
  }),
  route({
    method: 'DELETE',
    path: '/sites/:site/shell/file/*',
    operationId: 'deleteShellFile',
    scope: 'shell:write',
    tag,
    summary: 'Delete a file of the shell. Queues a rebuild of the preview',
    body: { kind: 'ignored' },
    reply: { status: 204 },
    etag: readTag,
    async handler({ app, db, site, params, afterCommit }) {
      await deleteShellFile(db, site.id, requireShellPath(params['*']!));
      afterCommit(() => app.actors.wakeSite(site.id));
      return noContent();
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/shell/archive',
    operationId: 'writeShellArchive',
    scope: 'shell:write',
    tag,
    summary:
      'Write a whole theme: the body is a tar, plain or gzipped, or a zip. All or nothing, after taking a snapshot',
    description:
      'Paths are those of the shell, in the root of the archive or in one folder. An archive with files that may not be in a shell (`.DS_Store`, `README.md`) is rejected with their names. Templates that do not parse are stored, with warnings.',
    query: themeQuery,
    body: { kind: 'raw', maxBytes: themeLimits.archiveBytes, atOnce: themeLimits.atOnce },
    reply: { status: 200, schema: writtenTheme },
    prepare: ({ app, caller, body, query }) =>
      storeTheme(app, caller.id, unpackInThread(app.threads, caller.id, body), query.mode),
    async handler({ app, db, site, query, prepared, afterCommit }) {
      await app.objects.pin(db, [...new Set(prepared.files.map(({ hash }) => hash))]);
      const result = await writeTheme(db, site.id, prepared, query.mode, app.config.siteLimits);
      if (result.job) afterCommit(() => app.actors.wakeSite(site.id));
      return ok(result);
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/shell/archive/preview',
    operationId: 'previewShellArchive',
    scope: 'shell:write',
    operationKind: 'read',
    tag,
    summary: 'Render the stored site with the theme of an archive, which is not stored as the shell',
    description:
      'The link opens the site as a publish would make it with this theme. Shell, live site and preview stay as they are. Anyone who has the link can open it until it expires. A template that fails is 422 with its line. The rules for the archive are those of `writeShellArchive`; `mode=merge` renders with the current shell and the files of the archive, which may have none.',
    query: themeQuery,
    body: { kind: 'raw', maxBytes: themeLimits.archiveBytes, atOnce: themeLimits.atOnce },
    reply: { status: 200, schema: themePreviewRecord },
    transaction: { none: 'A worker renders and stores what the link opens; the shell and the site stay as they are.' },
    async prepare({ app, caller, site, body, query: { mode } }) {
      const source = unpackInThread(app.threads, caller.id, body);
      const { files } = await storeTheme(app, caller.id, source, mode, { mayBeEmpty: mode === 'merge' });
      const shell = mode === 'merge' ? await mergeIntoShell(app.db, site.id, files) : files;
      const shellHash = await app.objects.putBytes(Buffer.from(JSON.stringify(shell)));
      const input: ShellPreviewInput = { siteId: site.id, shellHash };
      const options = { id: `shell-preview:${randomUUID()}`, input, timeoutMs: itemPreviewTimeoutMs };
      return app.actors.run<ShellPreview>(shellPreviewType, options);
    },
    async handler({ app, site, prepared: { release } }) {
      const { url, expiresAt } = previewUrl(app.config, site.id, release, new Date(), itemPreviewLifetimeMs);
      return ok({ url, expires_at: formatTimestamp(expiresAt) });
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/shell/snapshot',
    operationId: 'takeShellSnapshot',
    scope: 'shell:write',
    tag,
    summary: 'Take a snapshot of the shell',
    body: { kind: 'empty' },
    reply: { status: 201, schema: snapshotRecord },
    handler: async ({ db, site }) => created(presentSnapshot(await insertSnapshot(db, site.id))),
  }),
  route({
    method: 'GET',
    path: '/sites/:site/shell/snapshots',
    operationId: 'listShellSnapshots',
    scope: 'shell:read',
    tag,
    summary: 'List the snapshots of the shell',
    query: pageQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: snapshotRecord, list: true },
    async handler({ db, site, query }) {
      const { rows, total } = await selectSnapshots(db, site.id, query);
      return list(rows.map(presentSnapshot), total, query);
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/shell/diff',
    operationId: 'diffShell',
    scope: 'shell:read',
    tag,
    summary: 'Compare two revisions of the shell, or a revision and the current shell',
    description: 'A revision is a `rev` of `listShellSnapshots`.',
    query: diffQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: differenceRecord, list: true },
    async handler({ app, db, caller, site, query }) {
      return largeList(await compareShells(db, site.id, query), query, createDifferencePresenter(app, caller.id));
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/shell/restore/:rev',
    operationId: 'restoreShell',
    scope: 'shell:write',
    tag,
    summary: 'Restore a snapshot, after taking one of the current shell',
    description: 'The live site changes with the next publish.',
    body: { kind: 'empty' },
    reply: { status: 200, schema: restoreRecord },
    async handler({ app, db, site, params, afterCommit }) {
      const rev = requireId(params.rev, 'snapshot');
      const { snapshot, job } = await restoreSnapshot(db, site.id, rev, app.config.siteLimits);
      afterCommit(() => app.actors.wakeSite(site.id));
      return ok({ restored: rev, snapshot: snapshot.id, job });
    },
  }),
];
