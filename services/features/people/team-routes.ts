import { z } from 'zod';
import { created, ok } from '../../core/reply.ts';
import { siteRoles } from '../../core/roles.ts';
import { deletedRecord } from '../../core/schema.ts';
import { type DashboardRoute, dashboardRoute } from '../dashboard-route.ts';
import {
  addTeamMember,
  createTeam,
  deleteTeam,
  listTeams,
  removeTeamMember,
  setTeamRole,
  setTeamSites,
} from '../users/index.ts';
import { memberBody, teamRecord, teamsRecord } from './schema.ts';

const sites = z.array(z.string());
const createBody = z.strictObject({ name: z.string(), sites, role: z.enum(siteRoles).nullable().default(null) });
const updateBody = z.strictObject({ sites: sites.optional(), role: z.enum(siteRoles).optional() });

/** Shared by all calls on teams, which concern the whole installation. */
const shared = { session: 'signed_in', onlyAdministrators: true, changes: 'record' } as const;

/** The calls on teams, for administrators. */
export const teamRoutes: DashboardRoute[] = [
  dashboardRoute({
    ...shared,
    method: 'GET',
    path: '/teams',
    operationId: 'listTeams',
    summary: 'All teams with their sites, role and members',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: teamsRecord },
    async handler({ db }) {
      return ok({ teams: await listTeams(db) });
    },
  }),
  dashboardRoute({
    ...shared,
    method: 'POST',
    path: '/teams',
    operationId: 'createTeam',
    summary: 'Create a team',
    body: { kind: 'json', schema: createBody },
    reply: { status: 201, schema: teamRecord },
    errors: ['slug_taken'],
    async handler({ db, body }) {
      return created(await createTeam(db, body.name, body.sites, body.role));
    },
  }),
  dashboardRoute({
    ...shared,
    method: 'PATCH',
    path: '/teams/:team',
    operationId: 'updateTeam',
    summary: 'Change the sites of a team, or the role that it gives on them',
    body: { kind: 'json', schema: updateBody },
    reply: { status: 200, schema: teamRecord },
    errors: ['not_found'],
    async handler({ db, params, body }) {
      const slug = params['team']!;
      let team = await setTeamSites(db, slug, body.sites);
      if (body.role) team = await setTeamRole(db, slug, body.role);
      return ok(team);
    },
  }),
  dashboardRoute({
    ...shared,
    method: 'DELETE',
    path: '/teams/:team',
    operationId: 'deleteTeam',
    summary: 'Delete a team; its members lose the role that it gave',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deletedRecord },
    errors: ['not_found'],
    async handler({ db, params }) {
      await deleteTeam(db, params['team']!);
      return ok({ id: params['team']!, deleted: true });
    },
  }),
  dashboardRoute({
    ...shared,
    method: 'POST',
    path: '/teams/:team/members',
    operationId: 'addTeamMember',
    summary: 'Add a user to a team',
    body: { kind: 'json', schema: memberBody },
    reply: { status: 200, schema: teamRecord },
    errors: ['not_found'],
    async handler({ db, params, body }) {
      return ok(await addTeamMember(db, params['team']!, body.email));
    },
  }),
  dashboardRoute({
    ...shared,
    method: 'DELETE',
    path: '/teams/:team/members',
    operationId: 'removeTeamMember',
    summary: 'Remove a user from a team',
    body: { kind: 'json', schema: memberBody },
    reply: { status: 200, schema: teamRecord },
    errors: ['not_found'],
    async handler({ db, params, body }) {
      return ok(await removeTeamMember(db, params['team']!, body.email));
    },
  }),
];
