import { z } from 'zod';
import { notFound, problem } from '../../core/errors.ts';
import { requireId } from '../../core/ids.ts';
import { ok } from '../../core/reply.ts';
import { uuidText } from '../../core/schema.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { type DashboardInput, type DashboardRoute, dashboardRoute } from '../dashboard-route.ts';
import { findUserByEmail, listMembers, setAdministrator, setUserActive } from '../users/index.ts';
import { findAccount } from './accounts-sql.ts';
import { createLink } from './links.ts';
import { queueMail } from './mails.ts';
import { presentLink } from './present.ts';
import { invitedRecord, usersRecord } from './schema.ts';

const updateBody = z.strictObject({ active: z.boolean().optional(), administrator: z.boolean().optional() });

/** Returns the user that the path names. Throws `not_found`. */
async function requireUser({ db, params }: Pick<DashboardInput, 'db' | 'params'>) {
  const account = await findAccount(db, requireId(params['user'], 'user'));
  if (!account) throw notFound('user');
  return account;
}

/** Shared by all calls on users, which concern the whole installation. */
const shared = { session: 'signed_in', onlyAdministrators: true, changes: 'record' } as const;

/** The calls on the users of the installation, for administrators. */
export const userRoutes: DashboardRoute[] = [
  dashboardRoute({
    ...shared,
    method: 'GET',
    path: '/users',
    operationId: 'listUsers',
    summary: 'All users with their roles, newest first',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: usersRecord },
    async handler({ db }) {
      const users = (await listMembers(db)).map(({ role, created_at, ...user }) => ({
        ...user,
        administrator: role === 'admin',
        created_at: formatTimestamp(created_at),
      }));
      return ok({ users });
    },
  }),
  dashboardRoute({
    ...shared,
    method: 'PATCH',
    path: '/users/:user',
    operationId: 'updateUser',
    summary: 'Deactivate or activate a user, or make one an administrator or no longer one',
    body: { kind: 'json', schema: updateBody },
    reply: { status: 200, schema: z.object({ id: uuidText, active: z.boolean(), administrator: z.boolean() }) },
    errors: ['not_found', 'conflict'],
    async handler(input) {
      const { db, session, body } = input;
      const { id, email } = await requireUser(input);
      if (id === session!.userId) throw problem('conflict', 'Another administrator has to change this for you.');
      if (body.administrator !== undefined) await setAdministrator(db, email, body.administrator);
      if (body.active !== undefined) await setUserActive(db, email, body.active);
      const user = (await findUserByEmail(db, email))!;
      return ok({ id, active: user.active, administrator: user.role === 'admin' });
    },
  }),
  dashboardRoute({
    ...shared,
    method: 'POST',
    path: '/users/:user/reset',
    operationId: 'resetUserPassword',
    summary: 'Mail the user a link that sets a new password; without a mail server, return it',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: invitedRecord },
    errors: ['not_found', 'conflict'],
    async handler(input) {
      const { app, db } = input;
      const { id, email, active } = await requireUser(input);
      if (!active) throw problem('conflict', 'This user is deactivated.');
      if (app.config.smtpUrl !== undefined) {
        await queueMail(db, email, 'reset');
        return ok({ user_id: id, link: null, mail_queued: true });
      }
      return ok({ user_id: id, link: presentLink(await createLink(db, app.config, id, 'reset')), mail_queued: false });
    },
  }),
];
