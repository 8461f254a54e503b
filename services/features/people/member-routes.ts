import { notFound } from '../../core/errors.ts';
import { requireId } from '../../core/ids.ts';
import { created, ok } from '../../core/reply.ts';
import { deletedRecord } from '../../core/schema.ts';
import { type DashboardInput, type DashboardRoute, dashboardRoute } from '../dashboard-route.ts';
import { removeSiteRole, setSiteRole } from '../users/index.ts';
import { inviteAsMember } from './invitations.ts';
import { findSiteMember, selectInvitationMails, selectMembers } from './members-sql.ts';
import { presentLink, presentMembers } from './present.ts';
import { doneRecord, inviteBody, invitedRecord, membersRecord, roleBody } from './schema.ts';

/**
 * Returns id and e-mail of the user that the path names. Throws `not_found` unless the user has a direct role on
 * exactly this site.
 */
async function memberOf({ db, site, params }: Pick<DashboardInput, 'db' | 'site' | 'params'>) {
  const id = requireId(params['user'], 'member');
  const member = await findSiteMember(db, site.slug, id);
  if (!member) throw notFound('member with a role of their own on this site');
  return { id, ...member };
}

/** The calls on the members of a site. */
export const memberRoutes: DashboardRoute[] = [
  dashboardRoute({
    method: 'GET',
    path: '/sites/:site/members',
    operationId: 'listSiteMembers',
    summary: 'Everybody with a role on the site, by e-mail address',
    session: 'signed_in',
    operationKind: 'read',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: membersRecord },
    async handler({ db, site }) {
      const rows = await selectMembers(db, site.slug);
      const mails = await selectInvitationMails(db, [...new Set(rows.map(({ email }) => email))]);
      return ok({ members: presentMembers(rows, mails) });
    },
  }),
  dashboardRoute({
    method: 'POST',
    path: '/sites/:site/members',
    operationId: 'inviteSiteMember',
    summary: 'Invite a person to the site, or give a role to a user',
    session: 'signed_in',
    operationKind: 'members.manage',
    body: { kind: 'json', schema: inviteBody },
    reply: { status: 201, schema: invitedRecord },
    errors: ['conflict'],
    async handler({ app, db, site, session, body }) {
      const invitation = { ...body, site: site.slug };
      const { userId, link, mailQueued } = await inviteAsMember(db, app.config, invitation, session!.roles);
      return created({ user_id: userId, link: link ? presentLink(link) : null, mail_queued: mailQueued });
    },
  }),
  dashboardRoute({
    method: 'PATCH',
    path: '/sites/:site/members/:user',
    operationId: 'updateSiteMember',
    summary: 'Change the role that was given to a user on this site',
    session: 'signed_in',
    operationKind: 'members.manage',
    body: { kind: 'json', schema: roleBody },
    reply: { status: 200, schema: doneRecord },
    errors: ['not_found'],
    async handler(input) {
      const { email } = await memberOf(input);
      await setSiteRole(input.db, email, input.site.slug, input.body.role);
      return ok({ done: true });
    },
  }),
  dashboardRoute({
    method: 'DELETE',
    path: '/sites/:site/members/:user',
    operationId: 'removeSiteMember',
    summary: 'Take the role away that was given to a user on this site',
    session: 'signed_in',
    operationKind: 'members.manage',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deletedRecord },
    errors: ['not_found'],
    async handler(input) {
      const { id, email } = await memberOf(input);
      await removeSiteRole(input.db, email, input.site.slug);
      return ok({ id, deleted: true });
    },
  }),
];
