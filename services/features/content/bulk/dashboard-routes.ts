import { z } from 'zod';
import { contentFields } from '../../../core/content-fields.ts';
import { Problem } from '../../../core/errors.ts';
import { ok } from '../../../core/reply.ts';
import type { Writer } from '../../../core/roles.ts';
import { check } from '../../../core/validate.ts';
import { lockRow } from '../../../engines/sql/lock-row.ts';
import { requireOnSite } from '../../access/index.ts';
import { recordChange } from '../../audit/index.ts';
import { type DashboardInput, type DashboardRoute, dashboardRoute } from '../../dashboard-route.ts';
import { wakeScheduler } from '../item-input.ts';
import type { ContentRow } from '../row.ts';
import type { ContentScope } from '../scope.ts';
import { requireBodiless, restoreContent, trashContent } from '../trash.ts';
import { updateContent } from '../write.ts';
import { bulkBody, bulkRecord } from './dashboard-schema.ts';

type Body = z.output<typeof bulkBody>;
type Change = Body['items'][number];
type Refusal = z.output<typeof bulkRecord>['refusals'][number];

/** The operations of the REST API that do the same to one item: the audit log names them. */
const operations = { update: 'updateContent', trash: 'trashContent', restore: 'restoreContent' } as const;

function scopeOf({ app, db, site, session }: DashboardInput): ContentScope {
  const { userId, roles } = session!;
  const writer: Writer = { userId, onlyOwn: requireOnSite(roles, 'content.write', site.slug) === 'own' };
  return { app, db, site, writer, changedBy: `user:${userId}` };
}

const taggedItem = z.object({ tags: contentFields.tags.write });

/**
 * Returns the tags of an item with some added and removed, as the request of an update. The item stays locked, so that
 * no tags of another request are lost.
 */
async function changeTags(scope: ContentScope, id: string, add: readonly string[], remove: readonly string[]) {
  await lockRow(scope.db, 'content', { id });
  const { tags } = await requireBodiless(scope, id);
  const kept = tags.filter((tag) => !remove.includes(tag));
  return check(taggedItem, { tags: [...kept, ...add.filter((tag) => !kept.includes(tag))] });
}

async function changeItem(scope: ContentScope, body: Body, { id, ...members }: Change): Promise<ContentRow> {
  const { action, add_tags, remove_tags } = body;
  if (action === 'trash') return trashContent(scope, id);
  if (action === 'restore') return restoreContent(scope, id);
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  const tagged = add_tags || remove_tags ? await changeTags(scope, id, add_tags ?? [], remove_tags ?? []) : {};
  return updateContent(scope, id, { ...Object.fromEntries(given), ...tagged });
}

/** Changes each item on its own: one that is refused does not keep the others from being changed. */
async function changeItems(input: DashboardInput<Body>): Promise<Refusal[]> {
  const { db, site, session, body } = input;
  const scope = scopeOf(input);
  const refusals: Refusal[] = [];
  let scheduled: ContentRow | undefined;
  for (const item of body.items) {
    try {
      const row = await changeItem(scope, body, item);
      if (row.status === 'scheduled' && !row.trashed_at) scheduled = row;
      const { id, slug } = row;
      const target = { kind: 'content', id, name: slug };
      const change = { operation: operations[body.action], site: { id: site.id, slug: site.slug }, target };
      await recordChange(db, change, { via: 'dashboard', userId: session!.userId });
      refusals.push(null);
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      refusals.push({ code: error.code, message: error.message });
    }
  }
  if (scheduled) wakeScheduler(input, scheduled);
  return refusals;
}

/** The call of the dashboard that changes many items: the REST API changes one with each request. */
export const bulkCalls: DashboardRoute[] = [
  dashboardRoute({
    method: 'POST',
    path: '/sites/:site/content/changes',
    operationId: 'changeContents',
    summary: 'Change, trash or restore up to 100 items, each on its own',
    session: 'signed_in',
    operationKind: 'content.write',
    ownRecords: true,
    body: { kind: 'json', schema: bulkBody },
    reply: { status: 200, schema: bulkRecord },
    handler: async (input) => ok({ refusals: await changeItems(input) }),
  }),
];
