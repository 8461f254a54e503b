import type { Db } from '../core/db.ts';
import type { Principal } from '../core/principal.ts';
import type { Reply } from '../core/reply.ts';
import { operationKindOf } from '../features/access/index.ts';
import { type Change, recordChange } from '../features/audit/index.ts';
import type { DashboardRoute } from '../features/dashboard-route.ts';
import type { AppRoute } from '../features/route.ts';
import type { Context } from './context.ts';

/** Whether successful requests to a route are changes: all but those that only read. */
export function isChange(route: AppRoute): boolean {
  return route.method !== 'GET' && route.method !== 'HEAD' && operationKindOf(route) !== 'read';
}

/** Members of records that name them, in this order. Nothing else of a record is logged. */
const nameMembers = ['slug', 'name', 'filename', 'handle', 'path', 'from', 'locale'] as const;

type Named = Partial<Record<(typeof nameMembers)[number] | 'id' | 'user_id' | 'job', unknown>>;

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/**
 * The collection of the changed record, as the path names it, and the record's id: that of the reply, else the last
 * parameter of the path.
 */
function recordIdOf({ path }: Pick<AppRoute, 'path'>, { params, rest }: Context, idOfRecord: string | undefined) {
  const segments = path.split('/').filter((segment) => segment !== '');
  const own = segments[1] === ':site' ? segments.slice(2) : segments;
  const parameterAt = (segment: string) => (segment === '*' ? rest : params[segment.slice(1)]);
  const at = own.findIndex((segment) => segment.startsWith(':') && parameterAt(segment) === idOfRecord);
  const last = own.findLast((segment) => segment.startsWith(':') || segment === '*');
  return { kind: (at > 0 ? own[at - 1] : own[0]) ?? 'sites', id: idOfRecord ?? (last && parameterAt(last)) };
}

function changeOf(ctx: Context, route: Pick<AppRoute, 'path' | 'operationId'>, reply: Reply): Change {
  const record = (reply.record ?? {}) as Named;
  const { kind, id } = recordIdOf(route, ctx, textOf(record.id) ?? textOf(record.user_id));
  const isSite = kind === 'sites';
  const made = isSite && !ctx.site ? { id: textOf(record.id)!, slug: textOf(record.slug)! } : null;
  const site = ctx.site ?? made;
  const name = nameMembers.map((member) => textOf(record[member])).find((text) => text !== undefined);
  const target = isSite ? { kind, id: site?.id, name: site?.slug } : { kind, id: id ?? textOf(record.job), name };
  return { operation: route.operationId, site: site && { id: site.id, slug: site.slug }, target };
}

/** The principal of a request. */
export const principalOf = ({ key }: Context): Principal => ({ via: 'key', keyId: key!.id, userId: key!.userId });

/** Records what a request has changed, in its transaction. */
export async function auditRequest(tx: Db, ctx: Context, reply: Reply): Promise<void> {
  if (isChange(ctx.route!) && reply.status < 400)
    await recordChange(tx, changeOf(ctx, ctx.route!, reply), principalOf(ctx));
}

/**
 * Records what a call of the dashboard has changed, in its transaction. Calls outside of sites change the user: their session,
 * password or second factor. A call of nobody, such as a request for a reset, leaves no row.
 */
export async function auditCall(
  tx: Db,
  ctx: Context,
  route: DashboardRoute,
  reply: Reply,
  userId: string,
): Promise<void> {
  if (reply.status >= 400) return;
  const self: Change = { operation: route.operationId, site: null, target: { kind: 'users', id: userId } };
  const change = ctx.site ? changeOf(ctx, route, reply) : self;
  await recordChange(tx, change, { via: 'dashboard', userId });
}
