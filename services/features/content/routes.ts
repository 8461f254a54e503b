import { z } from 'zod';
import { findLiveRevision } from '../../build/index.ts';
import { sourceRef } from '../../core/content-fields.ts';
import { invalid, problem } from '../../core/errors.ts';
import { etagOf, namesTag } from '../../core/etag.ts';
import { requireId } from '../../core/ids.ts';
import { created, largeList, ok, recordBody } from '../../core/reply.ts';
import { deletedRecord, pageQuery } from '../../core/schema.ts';
import { check } from '../../core/validate.ts';
import { type AppRoute, type Input, route } from '../route.ts';
import { createBatch, prepareBatch } from './batch.ts';
import { prepareContent } from './body/prepare-body.ts';
import { selectContentPage, selectTrashPage } from './list-sql.ts';
import { type ContentRecord, presentBodiless, presentItem, presentListed } from './present.ts';
import type { ContentRow } from './row.ts';
import {
  batchBody,
  batchResults,
  contentListQuery,
  contentRecord,
  createContentBody,
  readOnlyContentMembers,
  trashedRecord,
  updateContentBody,
  upsertContentBody,
} from './schema.ts';
import type { ContentScope } from './scope.ts';
import { purgeContent, requireBodiless, requireContent, restoreContent, trashContent } from './trash.ts';
import { createContent, updateContent, upsertContentByRef } from './write.ts';

const tag = 'Content';
const what = 'content item';

/** Whether a reply shows the body; one that is not asked for is not read. */
const showsBody = (fields: ReadonlySet<string> | undefined): boolean => fields?.has('body_html') ?? true;

function scopeOf({ app, db, site, key, writer }: Input): ContentScope {
  return { app, db, site, changedBy: `key:${key.id}`, writer };
}

/** A due or future schedule is the site actor's to keep. */
function wakeScheduler({ app, site, afterCommit }: Input, row: ContentRow): void {
  if (row.status === 'scheduled') afterCommit(() => app.actors.wakeSite(site.id));
}

/** The record for a reply. */
const show = ({ app, site }: Input, row: ContentRow, withTrash = false): ContentRecord =>
  presentItem(app, site, row, withTrash);

/** `If-Match` guards against lost updates: 412 when the item is no longer the one that was read. */
function requireMatch(input: Input): ((row: ContentRow) => Promise<void>) | undefined {
  const wanted = input.headers['if-match'];
  if (wanted === undefined) return undefined;
  return async (row) => {
    const etag = etagOf(recordBody(show(input, row)));
    if (!namesTag(wanted, etag))
      throw problem('precondition_failed', 'The item has changed since it was read; read it again.', {
        headers: { ETag: etag },
      });
  };
}

/** The reference from a path, under the rules of the member that it stands for. */
function requireSourceRef(text: string): string {
  if (text.includes('\0')) throw invalid([{ path: 'source_ref', message: 'must be text without NUL' }]);
  return check(z.object({ source_ref: sourceRef }), { source_ref: text }).source_ref;
}

export const contentRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/sites/:site/content',
    operationId: 'listContent',
    scope: 'content:read',
    tag,
    summary: 'List content, newest first',
    description: 'The list does not contain the trash.',
    query: contentListQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: contentRecord, list: true },
    async handler({ app, db, site, query, fields }) {
      const page = await selectContentPage(db, site.id, query, showsBody(fields));
      return largeList(page, query, (rows) => presentListed(app, site, rows));
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/content',
    operationId: 'createContent',
    scope: 'content:write',
    ownRecords: true,
    tag,
    summary: 'Create an item; it is stored, not published',
    description:
      'The reply contains the slug that was used: one in use gets a counter. `warnings` says what was removed from the body. A `source_ref` that the site has already is 409 `conflict`.',
    body: { kind: 'json', schema: createContentBody, readOnly: readOnlyContentMembers },
    reply: { status: 201, schema: contentRecord },
    errors: ['conflict', 'translation_taken'],
    prepare: ({ app, key, body }) => prepareContent(app, key.id, body),
    async handler(input) {
      const row = await createContent(scopeOf(input), input.prepared);
      wakeScheduler(input, row);
      return created(show(input, row));
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/content/batch',
    operationId: 'createContentBatch',
    scope: 'content:write',
    ownRecords: true,
    tag,
    summary: 'Create up to 100 items, each on its own',
    description:
      'Each item is a body of `createContent`. The reply is 200 even if some were rejected: check the `status` of each result. Batches create and do not update: an item whose `source_ref` exists already has a result with 409 (`putContentByRef` updates it).',
    body: { kind: 'json', schema: batchBody, apart: 'items' },
    reply: { status: 200, schema: batchResults, description: 'One result for each item, in their order' },
    prepare: ({ app, key, body }) => prepareBatch(app, key.id, body.items),
    async handler(input) {
      const results = await createBatch(scopeOf(input), input.prepared, (row) => wakeScheduler(input, row));
      return ok({ results });
    },
  }),
  route({
    method: 'PUT',
    path: '/sites/:site/content/by-ref/:source_ref',
    operationId: 'putContentByRef',
    scope: 'content:write',
    ownRecords: true,
    tag,
    summary: 'Create or update the item with this source_ref',
    description:
      'For pipelines that run repeatedly: creates the item if the site has none with this reference, else updates it; absent members keep their values. Percent-encode the reference, its slashes too (`guide%2Fintro`). An item in the trash is updated and stays there, with `trashed_at` in the reply.',
    body: { kind: 'json', schema: upsertContentBody, readOnly: [...readOnlyContentMembers, 'source_ref'] },
    reply: { status: 200, schema: contentRecord, description: '201 when it was created' },
    errors: ['translation_taken'],
    prepare: ({ app, key, body }) => prepareContent(app, key.id, body),
    async handler(input) {
      const { row, isNew } = await upsertContentByRef(
        scopeOf(input),
        '',
        requireSourceRef(input.params.source_ref!),
        input.prepared,
      );
      wakeScheduler(input, row);
      const data = show(input, row, row.trashed_at !== null);
      return isNew ? created(data) : ok(data);
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/content/trash',
    operationId: 'listTrashedContent',
    scope: 'content:read',
    tag,
    summary: 'List the trash, last trashed first',
    query: pageQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: trashedRecord, list: true },
    async handler({ app, db, site, query, fields }) {
      const page = await selectTrashPage(db, site.id, query, showsBody(fields));
      return largeList(page, query, (rows) => presentListed(app, site, rows, true));
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/content/:id',
    operationId: 'getContent',
    scope: 'content:read',
    tag,
    summary: 'Read an item',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: contentRecord },
    async handler({ app, db, site, params, fields }) {
      const id = requireId(params.id, what);
      if (!showsBody(fields)) return ok(presentBodiless(app, site, await requireBodiless({ db, site }, id)));
      return ok(presentItem(app, site, await requireContent({ db, site }, id)));
    },
  }),
  route({
    method: 'PATCH',
    path: '/sites/:site/content/:id',
    operationId: 'updateContent',
    scope: 'content:write',
    ownRecords: true,
    tag,
    summary: 'Change an item; `If-Match` guards against lost updates',
    description:
      'The item is live again with the next publish. An update may move an item from any status to any other.',
    body: { kind: 'json', schema: updateContentBody, readOnly: readOnlyContentMembers },
    reply: { status: 200, schema: contentRecord },
    errors: ['precondition_failed', 'conflict', 'translation_taken'],
    prepare: ({ app, key, body }) => prepareContent(app, key.id, body),
    async handler(input) {
      const row = await updateContent(
        scopeOf(input),
        requireId(input.params.id, what),
        input.prepared,
        requireMatch(input),
      );
      wakeScheduler(input, row);
      return ok(show(input, row));
    },
  }),
  route({
    method: 'DELETE',
    path: '/sites/:site/content/:id',
    operationId: 'trashContent',
    scope: 'content:write',
    ownRecords: true,
    tag,
    summary: 'Move an item to the trash',
    description: 'Live pages stay until the next publish.',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: trashedRecord },
    errors: ['precondition_failed'],
    async handler(input) {
      const id = requireId(input.params.id, what);
      const row = await trashContent(scopeOf(input), id, requireMatch(input));
      return ok(show(input, row, true));
    },
  }),
  route({
    method: 'POST',
    path: '/sites/:site/content/:id/restore',
    operationId: 'restoreContent',
    scope: 'content:write',
    ownRecords: true,
    tag,
    summary: 'Restore an item from the trash, in its previous state',
    description: 'If the slug is in use by now, it gets a counter.',
    body: { kind: 'empty' },
    reply: { status: 200, schema: trashedRecord },
    errors: ['not_in_trash', 'translation_taken'],
    async handler(input) {
      const row = await restoreContent(scopeOf(input), requireId(input.params.id, what));
      wakeScheduler(input, row);
      return ok(show(input, row, true));
    },
  }),
  route({
    method: 'DELETE',
    path: '/sites/:site/content/:id/purge',
    operationId: 'purgeContent',
    scope: 'content:write',
    ownRecords: true,
    tag,
    summary: 'Delete a trashed item permanently',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deletedRecord },
    errors: ['not_in_trash'],
    prepare: ({ app, site, params }) => findLiveRevision(app.db, app.objects, site.id, requireId(params.id, what)),
    async handler(input) {
      const id = requireId(input.params.id, what);
      await purgeContent(scopeOf(input), id, input.prepared);
      return ok({ id, deleted: true });
    },
  }),
];
