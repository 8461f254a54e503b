import { requireId } from '../../../core/ids.ts';
import { list, ok } from '../../../core/reply.ts';
import { pageQuery } from '../../../core/schema.ts';
import { type AppRoute, route } from '../../route.ts';
import { itemName, prepareScopeOf, readItemTag, scopeOf, showItem, wakeScheduler } from '../item-input.ts';
import { contentRecord } from '../schema.ts';
import { updateContent } from '../write.ts';
import { compareQuery, revisionRecord, wholeRevisionRecord } from './schema.ts';
import { listRevisions, prepareRestore, presentRevisions, readRevision } from './service.ts';

const tag = 'Content';

export const revisionRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/sites/:site/content/:id/revisions',
    operationId: 'listRevisions',
    scope: 'content:read',
    tag,
    summary: 'List the revisions of an item, newest first',
    description:
      'Every change of an item makes a revision, whatever made it. Trashing makes none; a restore from the trash makes one.',
    query: pageQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: revisionRecord, list: true },
    async handler({ db, site, params, query }) {
      const { rows, total } = await listRevisions({ db, site }, params.id, query);
      return list(await presentRevisions(db, rows), total, query);
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site/content/:id/revisions/:rev',
    operationId: 'getRevision',
    scope: 'content:read',
    tag,
    summary: 'Read a revision with the item as it was, and compare it with another one',
    query: compareQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: wholeRevisionRecord },
    handler: async ({ app, db, site, params, query }) =>
      ok(await readRevision(app, { db, site }, params, query.compare)),
  }),
  route({
    method: 'POST',
    path: '/sites/:site/content/:id/revisions/:rev/restore',
    operationId: 'restoreRevision',
    scope: 'content:write',
    ownRecords: true,
    tag,
    summary: 'Give an item every member that it had in a revision, which makes a new revision',
    description:
      'The same as `updateContent` with the members of `item`, under the same rules: `status` and schedule are restored too, a slug in use gets a counter, what the item refers to must still be there, and its fields must fit the present schema of the type. Nothing is published.',
    body: { kind: 'empty' },
    reply: { status: 200, schema: contentRecord },
    errors: ['conflict', 'translation_taken'],
    prepare: (input) => prepareRestore({ ...prepareScopeOf(input), site: input.site }, input.params),
    etag: readItemTag(false),
    async handler(input) {
      const row = await updateContent(scopeOf(input), requireId(input.params.id, itemName), input.prepared);
      wakeScheduler(input, row);
      return showItem(input, row);
    },
  }),
];
