import { notFound } from '../../core/errors.ts';
import { requireId } from '../../core/ids.ts';
import { ok } from '../../core/reply.ts';
import { deletedRecord } from '../../core/schema.ts';
import { describePolicy } from '../access/index.ts';
import { type DashboardRoute, dashboardRoute } from '../dashboard-route.ts';
import { endSession, endSessions, selectSessions } from '../users/index.ts';
import { findAccount, setName } from './accounts-sql.ts';
import { confirmPassword, requireConfirmed } from './credentials.ts';
import { hashPassword } from './passwords.ts';
import { presentSession } from './present.ts';
import {
  changePasswordBody,
  codeBody,
  doneRecord,
  meRecord,
  nameBody,
  passwordBody,
  recoveryCodesRecord,
  sessionsRecord,
  signedInRecord,
  totpRecord,
} from './schema.ts';
import { replacePassword, startSession } from './sign-in.ts';
import { beginTotp, confirmTotp, countRecoveryCodes, removeTotp } from './totp.ts';

/** The calls with which signed-in users read and change their own account. */
export const meRoutes: DashboardRoute[] = [
  dashboardRoute({
    method: 'GET',
    path: '/me',
    operationId: 'getMe',
    summary: 'Who is signed in, and with which roles',
    session: 'signed_in',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: meRecord },
    async handler({ app, db, session }) {
      const { id, userId, email, name, roles } = session!;
      const account = await findAccount(db, userId);
      if (!account) throw notFound('user');
      return ok({
        id: userId,
        email,
        name,
        administrator: roles.administrator,
        roles: [...roles.onSites].map(([site, role]) => ({ site, role })),
        has_password: account.password_hash !== null,
        totp: { enabled: account.has_totp, recovery_codes: await countRecoveryCodes(db, userId) },
        policy: describePolicy(),
        session: id,
        sends_mail: app.config.smtpUrl !== undefined,
      });
    },
  }),
  dashboardRoute({
    method: 'PATCH',
    path: '/me',
    operationId: 'updateMe',
    summary: 'Change the name',
    session: 'signed_in',
    body: { kind: 'json', schema: nameBody },
    reply: { status: 200, schema: doneRecord },
    async handler({ db, session, body }) {
      await setName(db, session!.userId, body.name);
      return ok({ done: true });
    },
  }),
  dashboardRoute({
    method: 'POST',
    path: '/me/password',
    operationId: 'changePassword',
    summary: 'Set a new password; ends all other sessions and all links',
    session: 'signed_in',
    attempt: ({ session }) => session!.email,
    body: { kind: 'json', schema: changePasswordBody },
    reply: { status: 200, schema: signedInRecord },
    errors: ['forbidden'],
    async prepare({ db, session, body, client }) {
      const confirmed = await confirmPassword(db, session!.userId, body.password, client.address);
      return { confirmed, hash: await hashPassword(body.new_password, client.address) };
    },
    async handler({ db, session, prepared: { confirmed, hash }, client, signIn }) {
      await requireConfirmed(db, session!, confirmed);
      await replacePassword(db, session!.userId, hash);
      const started = await startSession(db, session!.userId, client);
      signIn(started);
      return ok({ next: started.next });
    },
  }),
  dashboardRoute({
    method: 'POST',
    path: '/me/totp',
    operationId: 'beginTotp',
    summary: 'Make the secret of a second factor; it is asked for once it is confirmed',
    session: 'signed_in',
    attempt: ({ session }) => session!.email,
    body: { kind: 'json', schema: passwordBody },
    reply: { status: 200, schema: totpRecord },
    errors: ['forbidden', 'conflict'],
    prepare: ({ db, session, body, client }) => confirmPassword(db, session!.userId, body.password, client.address),
    async handler({ app, db, session, prepared }) {
      await requireConfirmed(db, session!, prepared);
      return ok(await beginTotp(db, app.cipher, { id: session!.userId, email: session!.email }));
    },
  }),
  dashboardRoute({
    method: 'POST',
    path: '/me/totp/confirm',
    operationId: 'confirmTotp',
    summary: 'Turn the second factor on with a first code; the reply shows the recovery codes this once',
    session: 'signed_in',
    attempt: ({ session }) => session!.email,
    body: { kind: 'json', schema: codeBody },
    reply: { status: 200, schema: recoveryCodesRecord },
    errors: ['forbidden', 'conflict'],
    async handler({ app, db, session, body }) {
      return ok({ recovery_codes: await confirmTotp(db, app.cipher, session!.userId, body.code) });
    },
  }),
  dashboardRoute({
    method: 'POST',
    path: '/me/totp/remove',
    operationId: 'removeTotp',
    summary: 'Turn the second factor off',
    session: 'signed_in',
    attempt: ({ session }) => session!.email,
    body: { kind: 'json', schema: passwordBody },
    reply: { status: 200, schema: doneRecord },
    errors: ['forbidden', 'not_found'],
    prepare: ({ db, session, body, client }) => confirmPassword(db, session!.userId, body.password, client.address),
    async handler({ db, session, prepared }) {
      await requireConfirmed(db, session!, prepared);
      if (!(await removeTotp(db, session!.userId))) throw notFound('second factor');
      return ok({ done: true });
    },
  }),
  dashboardRoute({
    method: 'GET',
    path: '/sessions',
    operationId: 'listSessions',
    summary: "The user's sessions, at most 100, the last used one first",
    session: 'signed_in',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: sessionsRecord },
    async handler({ db, session }) {
      const rows = await selectSessions(db, session!.userId);
      return ok({ sessions: rows.map((row) => presentSession(row, session!.id)) });
    },
  }),
  dashboardRoute({
    method: 'DELETE',
    path: '/sessions/:id',
    operationId: 'endSession',
    summary: 'End one session',
    session: 'signed_in',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deletedRecord },
    errors: ['not_found'],
    async handler({ db, session, params, signOut }) {
      const id = requireId(params['id'], 'session');
      if (!(await endSession(db, session!.userId, id))) throw notFound('session');
      if (id === session!.id) signOut();
      return ok({ id, deleted: true });
    },
  }),
  dashboardRoute({
    method: 'DELETE',
    path: '/sessions',
    operationId: 'signOutEverywhere',
    summary: 'End every session of the user, this one included',
    session: 'signed_in',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: doneRecord },
    async handler({ db, session, signOut }) {
      await endSessions(db, session!.userId);
      signOut();
      return ok({ done: true });
    },
  }),
];
