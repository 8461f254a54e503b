import type { Db, Transaction } from '../core/db.ts';
import type { Principal } from '../core/principal.ts';
import type { Reply } from '../core/reply.ts';
import { operationKindOf } from '../features/access/index.ts';
import { type Change, queueChange, recordChange } from '../features/audit/index.ts';
import type { DashboardRoute } from '../features/dashboard-route.ts';
import type { AppRoute } from '../features/route.ts';
import type { Context } from './context.ts';

/** Returns whether a successful request to this route is a change: every route that does not only read. */
export function isChange(route: AppRoute): boolean {
  return route.method !== 'GET' && route.method !== 'HEAD' && operationKindOf(route) !== 'read';
}

/**
 * The members of a record that can name it; the first present one is used. No other member is stored in the audit log.
 */
const nameMembers = ['slug', 'name', 'filename', 'handle', 'path', 'from', 'locale'] as const;

type Named = Partial<Record<(typeof nameMembers)[number] | 'id' | 'user_id' | 'job', unknown>>;

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/**
 * Returns the collection of the changed record, as in the path, and the record's id: from the reply, otherwise the last
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

/** Returns the principal of an authenticated request. */
export function principalOf({ caller }: Context): Principal {
  const { via, id, userId, name = '' } = caller!;
  if (via === 'agent') return { via, userId, agent: { id, name } };
  return via === 'key' ? { via, keyId: id, userId } : { via, userId };
}

/** Records the change of a request with the commit of its transaction. */
export function auditRequest(tx: Transaction, ctx: Context, reply: Reply): void {
  if (isChange(ctx.route!) && reply.status < 400) queueChange(tx, changeOf(ctx, ctx.route!, reply), principalOf(ctx));
}

/**
 * Records the change of a dashboard call, in its transaction. The target of calls outside of sites is the user, whose
 * session, password or second factor they change, unless the call declares otherwise. The caller skips calls without a
 * user, such as a password reset request.
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
  const change = ctx.site || route.changes === 'record' ? changeOf(ctx, route, reply) : self;
  await recordChange(tx, change, { via: 'dashboard', userId });
}
