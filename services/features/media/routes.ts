import { requireId } from '../../core/ids.ts';
import { created, list, ok } from '../../core/reply.ts';
import { deletedRecord, pageQuery } from '../../core/schema.ts';
import { type AppRoute, route } from '../route.ts';
import { createMedia, purgeMedia, requireMedia, restoreMedia, trashMedia, updateMedia, wakeMedia } from './library.ts';
import { readUploadForm } from './multipart.ts';
import { presentMedia } from './present.ts';
import { obtainFile, readTag, tag, what } from './route-helpers.ts';
import { type CreateBody, createBody, libraryQuery, mediaRecord, readOnlyMembers, updateBody } from './schema.ts';
import { selectLibraryPage, selectTrashPage } from './sql.ts';

export const mediaRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/sites/:site/media',
    operationId: 'listMedia',
    scope: 'media:read',
    tag,
    summary: 'List the library, newest first',
    query: libraryQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: mediaRecord, list: true },
    async handler({ app, db, site, query }) {
      const { rows, total } = await selectLibraryPage(db, site.id, query, query);
      return list(
        rows.map((row) => presentMedia(app.config, row)),
        total,
        query,
      );
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/media',
    operationId: 'uploadMedia',
    scope: 'media:write',
    ownRecords: true,
    tag,
    summary: 'Upload a file, or import one by URL',
    description:
      'The kind of a file is detected from its bytes, not from its name or content type. By default images may have 25 MiB and 50 megapixels, videos 512 MiB, other files 100 MiB. An image or video is `processing` until its variants exist: read `getMedia` until it is `ready` or `failed`; a publish waits for them by itself. Large files can also be sent in parts that survive a broken connection: tus 1.0.0 at `/uploads` of this host, with the same key and the metadata `site`, `filename`, `alt` and `decorative`.',
    body: {
      kind: 'custom',
      contentTypes: ['multipart/form-data', 'application/json'],
      schema: createBody,
      readOnly: readOnlyMembers,
      read: readUploadForm,
    },
    reply: { status: 201, schema: mediaRecord },
    errors: ['fetch_refused', 'too_large', 'request_timeout', 'bad_request'],
    prepare: ({ app, site, body }) => obtainFile(app, body as CreateBody, site.id),
    async handler({ app, db, site, writer, body, prepared, afterCommit }) {
      const { file, url, alt = null, decorative = false, focal_point: focalPoint } = body as CreateBody;
      const row = await createMedia(
        { app, db, site, writer },
        { file: prepared, alt, decorative, focalPoint, sourceUrl: file ? null : (url ?? null) },
      );
      afterCommit(() => wakeMedia(app, row));
      return created(presentMedia(app.config, row));
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/media/trash',
    operationId: 'listTrashedMedia',
    scope: 'media:read',
    tag,
    summary: 'List the trash, last trashed first',
    query: pageQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: mediaRecord, list: true },
    async handler({ app, db, site, query }) {
      const { rows, total } = await selectTrashPage(db, site.id, query);
      return list(
        rows.map((row) => presentMedia(app.config, row)),
        total,
        query,
      );
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/media/:id',
    operationId: 'getMedia',
    scope: 'media:read',
    tag,
    summary: 'Read an item',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: mediaRecord },
    async handler({ app, db, site, params }) {
      return ok(presentMedia(app.config, await requireMedia({ db, site }, requireId(params.id, what))));
    },
  }),
  route({
    method: 'PATCH',
    path: '/sites/:site/media/:id',
    operationId: 'updateMedia',
    scope: 'media:write',
    ownRecords: true,
    tag,
    summary: 'Change the alt text or the focal point of an item, or make it decorative',
    body: { kind: 'json', schema: updateBody, readOnly: [...readOnlyMembers, 'url'] },
    reply: { status: 200, schema: mediaRecord },
    etag: readTag(false),
    async handler({ app, db, objects, site, writer, params, body }) {
      const row = await updateMedia({ app, db, site, writer }, objects, requireId(params.id, what), body);
      return ok(presentMedia(app.config, row));
    },
  }),
  route({
    method: 'DELETE',
    path: '/sites/:site/media/:id',
    operationId: 'trashMedia',
    scope: 'media:write',
    ownRecords: true,
    tag,
    summary: 'Move an item to the trash',
    description: 'Live pages show it until the next publish.',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: mediaRecord },
    etag: readTag(false),
    async handler({ app, db, objects, site, writer, params }) {
      const row = await trashMedia({ app, db, site, writer }, objects, requireId(params.id, what));
      return ok(presentMedia(app.config, row));
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/media/:id/restore',
    operationId: 'restoreMedia',
    scope: 'media:write',
    ownRecords: true,
    tag,
    summary: 'Restore an item from the trash',
    body: { kind: 'empty' },
    reply: { status: 200, schema: mediaRecord },
    errors: ['not_in_trash'],
    async handler({ app, db, site, writer, params, afterCommit }) {
      const row = await restoreMedia({ app, db, site, writer }, requireId(params.id, what));
      afterCommit(() => wakeMedia(app, row));
      return ok(presentMedia(app.config, row));
    },
  }),
  route({
    method: 'DELETE',
    path: '/sites/:site/media/:id/purge',
    operationId: 'purgeMedia',
    scope: 'media:write',
    ownRecords: true,
    tag,
    summary: 'Permanently delete a trashed item',
    description: 'Refused with `in_use` while pages of the live site show it.',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deletedRecord },
    errors: ['not_in_trash', 'in_use'],
    etag: readTag(true),
    async handler({ db, objects, site, writer, params }) {
      const id = requireId(params.id, what);
      await purgeMedia({ db, site, writer }, objects, id);
      return ok({ id, deleted: true });
    },
  }),
];
