import { requireId } from '../../../core/ids.ts';
import { created, ok, tagOf } from '../../../core/reply.ts';
import { deletedRecord } from '../../../core/schema.ts';
import { lockRow } from '../../../engines/sql/lock-row.ts';
import { type AppRoute, type Input, route } from '../../route.ts';
import {
  itemName,
  prepareScopeOf,
  prepareUpdate,
  readItemTag,
  scopeOf,
  showItem,
  wakeScheduler,
} from '../item-input.ts';
import { contentRecord } from '../schema.ts';
import { requireContent } from '../trash.ts';
import { draftBody, draftRecord, readOnlyDraftMembers } from './schema.ts';
import { applyDraft, dropDraft, prepareDraft, presentDraft, putDraft, requireDraft } from './service.ts';
import { selectDraft } from './sql.ts';

const tag = 'Content';
const path = '/sites/:site/content/:id/draft';

const idOf = ({ params }: Pick<Input, 'params'>) => requireId(params.id, itemName);

/** Returns the entity tag of the draft; undefined without a draft. Throws `not_found` if the item is not found. */
async function readDraftTag(input: Input): Promise<string | undefined> {
  const { app, db, site } = input;
  const id = idOf(input);
  await lockRow(db, 'content_drafts', { content_id: id });
  const item = await requireContent({ db, site }, id);
  const draft = await selectDraft(db, id);
  return draft && tagOf(await presentDraft(app, { db }, { item, draft }));
}

export const draftRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path,
    operationId: 'getDraft',
    scope: 'content:read',
    tag,
    summary: 'Read the pending draft of an item: the members to change',
    description:
      'Of the members of an item, the record has those that the draft changes and no others. 404 when the item has no pending draft.',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: draftRecord },
    async handler(input) {
      const { app, db, site } = input;
      return ok(await presentDraft(app, { db }, await requireDraft({ db, site }, idOf(input))));
    },
  }),
  route({
    method: 'PUT',
    path,
    operationId: 'putDraft',
    scope: 'content:write',
    ownRecords: true,
    tag,
    summary: 'Write the pending draft of an item; the item stays as it is',
    description:
      'The body has the members to change, under the rules of `updateContent`, and replaces the draft as a whole. A draft that is there keeps its `base_rev`. Nothing shows a pending draft but these operations: no list, no search, no build. An author may write drafts of their own items whatever their state.',
    body: { kind: 'json', schema: draftBody, readOnly: readOnlyDraftMembers },
    reply: { status: 200, schema: draftRecord, description: '201 for a new draft' },
    errors: ['translation_taken'],
    prepare: (input) => prepareUpdate(input, input.body),
    etag: readDraftTag,
    async handler(input) {
      const { isNew, ...both } = await putDraft(scopeOf(input), idOf(input), input.prepared);
      const record = await presentDraft(input.app, input, both);
      return isNew ? created(record) : ok(record);
    },
  }),
  route({
    method: 'DELETE',
    path,
    operationId: 'deleteDraft',
    scope: 'content:write',
    ownRecords: true,
    tag,
    summary: 'Delete the pending draft of an item',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deletedRecord },
    etag: readDraftTag,
    async handler(input) {
      const id = idOf(input);
      await dropDraft(scopeOf(input), id);
      return ok({ id, deleted: true });
    },
  }),
  route({
    method: 'POST',
    path: `${path}/apply`,
    operationId: 'applyDraft',
    scope: 'content:write',
    ownRecords: true,
    tag,
    summary: 'Change the item as its pending draft says, in one update, and delete the draft',
    description:
      'When the item has changed since the draft was begun, in members that the draft changes too, the reply is 409 `draft_conflict` with these members, and nothing is changed. With `If-Match`, which names the version of the item that you have seen, the draft wins.',
    body: { kind: 'empty' },
    reply: { status: 200, schema: contentRecord },
    errors: ['draft_conflict', 'conflict', 'translation_taken'],
    prepare: (input) => prepareDraft(prepareScopeOf(input), idOf(input)),
    etag: readItemTag(false),
    async handler(input) {
      const isSeen = input.headers['if-match'] !== undefined;
      const row = await applyDraft(scopeOf(input), idOf(input), isSeen, input.prepared);
      wakeScheduler(input, row);
      return showItem(input, row);
    },
  }),
];
