import { z } from 'zod';
import { findLiveRevision } from '../../build/index.ts';
import { sourceRef } from '../../core/content-fields.ts';
import { invalid } from '../../core/errors.ts';
import { requireId } from '../../core/ids.ts';
import { largeList, ok } from '../../core/reply.ts';
import { deletedRecord, pageQuery } from '../../core/schema.ts';
import { check } from '../../core/validate.ts';
import { lockRow } from '../../engines/sql/lock-row.ts';
import { type AppRoute, type Input, route } from '../route.ts';
import { createBatch, prepareBatch } from './batch.ts';
import {
  itemName,
  prepareScopeOf,
  prepareUpdate,
  readItemTag,
  scopeOf,
  showCreated,
  showItem,
  wakeScheduler,
} from './item-input.ts';
import { selectContentPage, selectTrashPage } from './list-sql.ts';
import { prepareItem } from './prepare-item.ts';
import { itemTag, presentBodiless, presentItem, presentListed } from './present.ts';
import { readItem } from './read-item.ts';
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
import { selectContentByRef, selectFieldsByRef } from './sql.ts';
import { purgeContent, requireBodiless, restoreContent, trashContent } from './trash.ts';
import { readFieldFilters } from './types/field-filters.ts';
import { createContent, updateContent, upsertContentByRef } from './write.ts';

const tag = 'Content';

/** Returns whether the response shows the body; otherwise it is not read. */
const showsBody = (fields: ReadonlySet<string> | undefined): boolean => fields?.has('body_html') ?? true;

async function readTagByRef({ app, db, site, params }: Input): Promise<string | undefined> {
  const ref = requireSourceRef(params.source_ref!);
  await lockRow(db, 'content', { site_id: site.id, source_scope: '', source_ref: ref });
  const row = await selectContentByRef(db, site.id, '', ref);
  return row && itemTag(app, site, row);
}

/** Validates the reference in a path by the rules of the member `source_ref`. Throws `validation_failed`. */
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
    description:
      'The list does not contain the trash. `filter[fields.{member}]={value}` keeps the items with this value of a member that the schema of a type marks with `"x-filter": true`; any other filter is 422.',
    query: contentListQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: contentRecord, list: true },
    sharesReply: true,
    async handler({ app, db, site, query, fields }) {
      const filters = await readFieldFilters(db, site.id, query);
      const page = await selectContentPage(db, site.id, { ...query, filters }, showsBody(fields));
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
    prepare: (input) => prepareItem(prepareScopeOf(input), input.body),
    async handler(input) {
      const row = await createContent(scopeOf(input), input.prepared);
      wakeScheduler(input, row);
      return showCreated(input, row);
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
    prepare: (input) => prepareBatch(prepareScopeOf(input), input.body.items),
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
    async prepare(input) {
      const ref = requireSourceRef(input.params.source_ref!);
      const known = await selectFieldsByRef(input.db, input.site.id, ref);
      return prepareItem(prepareScopeOf(input), input.body, known);
    },
    etag: readTagByRef,
    async handler(input) {
      const { row, isNew } = await upsertContentByRef(
        scopeOf(input),
        '',
        requireSourceRef(input.params.source_ref!),
        input.prepared,
      );
      wakeScheduler(input, row);
      return isNew ? showCreated(input, row) : showItem(input, row, row.trashed_at !== null);
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
      const id = requireId(params.id, itemName);
      if (!showsBody(fields)) {
        const row = await requireBodiless({ db, site }, id);
        return ok(presentBodiless(app, site, row), itemTag(app, site, row));
      }
      const row = await readItem(app.db, site.id, id);
      return ok(presentItem(app, site, row), itemTag(app, site, row));
    },
  }),
  route({
    method: 'PATCH',
    path: '/sites/:site/content/:id',
    operationId: 'updateContent',
    scope: 'content:write',
    ownRecords: true,
    tag,
    summary: 'Change an item',
    description:
      'The item is live again with the next publish. An update may move an item from any status to any other.',
    body: { kind: 'json', schema: updateContentBody, readOnly: readOnlyContentMembers },
    reply: { status: 200, schema: contentRecord },
    errors: ['conflict', 'translation_taken'],
    prepare: (input) => prepareUpdate(input, input.body),
    etag: readItemTag(false),
    async handler(input) {
      const row = await updateContent(scopeOf(input), requireId(input.params.id, itemName), input.prepared);
      wakeScheduler(input, row);
      return showItem(input, row);
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
    etag: readItemTag(false),
    async handler(input) {
      return showItem(input, await trashContent(scopeOf(input), requireId(input.params.id, itemName)), true);
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
      const row = await restoreContent(scopeOf(input), requireId(input.params.id, itemName));
      wakeScheduler(input, row);
      return showItem(input, row, true);
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
    etag: readItemTag(true),
    prepare: ({ app, site, params }) => findLiveRevision(app.db, app.objects, site.id, requireId(params.id, itemName)),
    async handler(input) {
      const id = requireId(input.params.id, itemName);
      await purgeContent(scopeOf(input), id, input.prepared);
      return ok({ id, deleted: true });
    },
  }),
];
