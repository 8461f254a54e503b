import { Problem } from '../../../core/errors.ts';
import { requireId } from '../../../core/ids.ts';
import { ok } from '../../../core/reply.ts';
import { requireOnSite } from '../../access/index.ts';
import { type DashboardInput, type DashboardRoute, dashboardRoute } from '../../dashboard-route.ts';
import { hasDraft } from '../drafts/sql.ts';

import { itemName } from '../item-input.ts';
import { requireOwnItem } from '../own-item.ts';
import type { BodilessRow } from '../row.ts';
import { requireBodiless } from '../trash.ts';
import { rightsRecord } from './dashboard-schema.ts';

/** Returns why the person may not change the item, in the words of the refusal; null if they may. */
function findReason({ site, session }: DashboardInput, item: BodilessRow): string | null {
  const { userId, roles } = session!;
  try {
    const grant = requireOnSite(roles, 'content.write', site.slug);
    requireOwnItem({ userId, onlyOwn: grant === 'own' }, item);
    return null;
  } catch (error) {
    if (error instanceof Problem && error.code === 'role_insufficient') return error.message;
    throw error;
  }
}

/** The dashboard's call for what REST records of an item do not contain: the rights of a user, and whether there is a draft. */
export const contentCalls: DashboardRoute[] = [
  dashboardRoute({
    method: 'GET',
    path: '/sites/:site/content/:id/rights',
    operationId: 'getContentRights',
    summary: 'Whether the person may change an item, why not, and whether it has a pending draft',
    session: 'signed_in',
    operationKind: 'read',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: rightsRecord },
    errors: ['not_found'],
    async handler(input) {
      const { db, site, params } = input;
      const item = await requireBodiless({ db, site }, requireId(params['id'], itemName));
      const reason = findReason(input, item);
      return ok({ may_write: reason === null, reason, has_draft: await hasDraft(db, item.id) });
    },
  }),
];
