import { requireId } from '../../../core/ids.ts';
import { ok } from '../../../core/reply.ts';
import { type AppRoute, route } from '../../route.ts';
import { wakeMedia } from '../library.ts';
import { readUploadForm } from '../multipart.ts';
import { presentMedia } from '../present.ts';
import { obtainFile, readTag, tag, what } from '../route-helpers.ts';
import { type CreateBody, mediaRecord, readOnlyMembers, replaceBody } from '../schema.ts';
import { replaceMedia, undoReplacement } from './service.ts';

export const mediaReplaceRoutes: AppRoute[] = [
  route({
    method: 'POST',
    path: '/sites/:site/media/:id/replace',
    operationId: 'replaceMedia',
    scope: 'media:write',
    ownRecords: true,
    tag,
    summary: 'Replace the file of an item',
    description:
      'The item keeps its id, so everything that names it shows the new file from the next publish on; earlier releases keep the old one. Same limits as an upload; the file must be of the same kind. Members that are absent stay. The former file is kept until the next replacement: `undoMediaReplacement` brings it back.',
    body: {
      kind: 'custom',
      contentTypes: ['multipart/form-data', 'application/json'],
      schema: replaceBody,
      readOnly: readOnlyMembers,
      read: readUploadForm,
    },
    reply: { status: 200, schema: mediaRecord },
    errors: ['fetch_refused', 'too_large', 'request_timeout', 'bad_request'],
    etag: readTag(false),
    async prepare({ app, site, params, body }) {
      const id = requireId(params.id, what);
      return { id, file: await obtainFile(app, body as CreateBody, site.id) };
    },
    async handler({ app, db, objects, site, writer, body, prepared: { id, file }, afterCommit }) {
      const { file: _file, url: _url, ...description } = body as CreateBody;
      const scope = { app, db, site, writer };
      const row = await replaceMedia(scope, objects, id, { ...description, file });
      afterCommit(() => wakeMedia(app, row));
      return ok(presentMedia(app.config, row));
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/media/:id/undo-replacement',
    operationId: 'undoMediaReplacement',
    scope: 'media:write',
    ownRecords: true,
    tag,
    summary: 'Bring back the file before the last replacement',
    description: 'With its alt text and focal point. Doing it twice brings the replacement back.',
    body: { kind: 'empty' },
    reply: { status: 200, schema: mediaRecord },
    errors: ['conflict'],
    etag: readTag(false),
    async handler({ app, db, objects, site, writer, params, afterCommit }) {
      const row = await undoReplacement({ app, db, site, writer }, objects, requireId(params.id, what));
      afterCommit(() => wakeMedia(app, row));
      return ok(presentMedia(app.config, row));
    },
  }),
];
