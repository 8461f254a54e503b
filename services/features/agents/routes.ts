import { notFound } from '../../core/errors.ts';
import { requireId } from '../../core/ids.ts';
import { ok } from '../../core/reply.ts';
import { deletedRecord } from '../../core/schema.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { type DashboardRoute, dashboardRoute } from '../dashboard-route.ts';
import { type GrantRow, revokeGrantOf, selectGrants } from './grants-sql.ts';
import { agentsRecord } from './schema.ts';

function presentAgent({ id, client_name, client_id, redirect_uri, scopes, sites, created_at, used_at }: GrantRow) {
  const { host, protocol } = new URL(redirect_uri);
  return {
    id,
    name: client_name,
    client_id,
    redirect_host: host || protocol,
    scopes,
    sites,
    created_at: formatTimestamp(created_at),
    used_at: used_at && formatTimestamp(used_at),
  };
}

/** The calls with which users see and revoke their connected agents. */
export const agentRoutes: DashboardRoute[] = [
  dashboardRoute({
    method: 'GET',
    path: '/agents',
    operationId: 'listAgents',
    summary: "The user's connected agents, at most 100, the newest first",
    session: 'signed_in',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: agentsRecord },
    async handler({ db, session }) {
      return ok({ agents: (await selectGrants(db, session!.userId)).map(presentAgent) });
    },
  }),
  dashboardRoute({
    method: 'DELETE',
    path: '/agents/:id',
    operationId: 'revokeAgent',
    summary: 'Revoke what an agent may do; all its tokens stop working at once',
    session: 'signed_in',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deletedRecord },
    errors: ['not_found'],
    async handler({ db, session, params }) {
      const id = requireId(params['id'], 'agent');
      if (!(await revokeGrantOf(db, session!.userId, id))) throw notFound('agent');
      return ok({ id, deleted: true });
    },
  }),
];
