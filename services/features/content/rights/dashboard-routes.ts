import { Problem } from '../../../core/errors.ts';
import { requireId } from '../../../core/ids.ts';
import { ok } from '../../../core/reply.ts';
import { requireOnSite } from '../../access/index.ts';
import { type DashboardInput, type DashboardRoute, dashboardRoute } from '../../dashboard-route.ts';
import { itemName } from '../item-input.ts';
import { requireOwnItem } from '../own-item.ts';
import { requireBodiless } from '../trash.ts';
import { rightsRecord } from './dashboard-schema.ts';

/** Returns why the person may not change the item, in the words of the refusal; null if they may. Throws `not_found`. */
async function findReason({ db, site, session, params }: DashboardInput): Promise<string | null> {
  const item = await requireBodiless({ db, site }, requireId(params['id'], itemName));
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

/** The dashboard's call for the rights of a user on an item, which REST records do not contain. */
export const contentCalls: DashboardRoute[] = [
  dashboardRoute({
    method: 'GET',
    path: '/sites/:site/content/:id/rights',
    operationId: 'getContentRights',
    summary: 'Whether the person may change an item, and why not',
    session: 'signed_in',
    operationKind: 'read',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: rightsRecord },
    errors: ['not_found'],
    async handler(input) {
      const reason = await findReason(input);
      return ok({ may_write: reason === null, reason });
    },
  }),
];
