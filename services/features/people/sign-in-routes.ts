import { problem } from '../../core/errors.ts';
import { ok } from '../../core/reply.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { type DashboardRoute, dashboardRoute } from '../dashboard-route.ts';
import { endSession } from '../users/index.ts';
import { checkCredentials } from './credentials.ts';
import { acceptLink, inspectLink } from './links.ts';
import { queueMail } from './mails.ts';
import { hashPassword } from './passwords.ts';
import {
  acceptLinkBody,
  codeBody,
  doneRecord,
  linkRecord,
  resetBody,
  signedInRecord,
  signInBody,
  tokenBody,
} from './schema.ts';
import { signIn, signInWithSecondFactor } from './sign-in.ts';

/** The calls that start and end a session. */
export const signInRoutes: DashboardRoute[] = [
  dashboardRoute({
    method: 'POST',
    path: '/sign-in',
    operationId: 'signIn',
    summary: 'Sign in with e-mail and password; with `next: totp` a code is asked for',
    session: 'none',
    attempt: ({ body }) => body.email,
    body: { kind: 'json', schema: signInBody },
    reply: { status: 200, schema: signedInRecord },
    errors: ['unauthorized'],
    prepare: ({ db, body, client }) => checkCredentials(db, body, client.address),
    async handler({ db, prepared, client, signIn: setCookie }) {
      const started = await signIn(db, prepared, client);
      setCookie(started);
      return ok({ next: started.next });
    },
  }),
  dashboardRoute({
    method: 'POST',
    path: '/sign-in/totp',
    operationId: 'signInWithTotp',
    summary: 'Send the code of the second factor, or a recovery code',
    session: 'awaiting_totp',
    attempt: ({ session }) => session!.email,
    body: { kind: 'json', schema: codeBody },
    reply: { status: 200, schema: signedInRecord },
    errors: ['unauthorized'],
    async handler({ app, db, body, session, client, signIn: setCookie }) {
      const started = await signInWithSecondFactor(db, app.cipher, session!, body.code, client);
      setCookie(started);
      return ok({ next: started.next });
    },
  }),
  dashboardRoute({
    method: 'POST',
    path: '/sign-out',
    operationId: 'signOut',
    summary: 'End this session, if there is one',
    session: 'none',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: doneRecord },
    async handler({ db, session, signOut }) {
      if (session) await endSession(db, session.userId, session.id);
      signOut();
      return ok({ done: true });
    },
  }),
  dashboardRoute({
    method: 'POST',
    path: '/links/inspect',
    operationId: 'inspectLink',
    summary: 'What a link is for; the link stays usable',
    session: 'none',
    attempt: () => undefined,
    body: { kind: 'json', schema: tokenBody },
    reply: { status: 200, schema: linkRecord },
    errors: ['not_found'],
    transaction: { none: 'Nothing is stored.' },
    async handler({ db, body }) {
      const { kind, account, expiresAt } = await inspectLink(db, body.token);
      return ok({ kind, email: account.email, name: account.name, expires_at: formatTimestamp(expiresAt) });
    },
  }),
  dashboardRoute({
    method: 'POST',
    path: '/links/accept',
    operationId: 'acceptLink',
    summary: 'Use a link up and sign in; an invitation or reset needs a new password',
    session: 'none',
    attempt: () => undefined,
    body: { kind: 'json', schema: acceptLinkBody },
    reply: { status: 200, schema: signedInRecord },
    errors: ['not_found'],
    async prepare({ db, body, client }) {
      await inspectLink(db, body.token); // reject an invalid link before the expensive hash
      return body.password === undefined ? undefined : hashPassword(body.password, client.address);
    },
    async handler({ db, body, prepared, client, signIn: setCookie }) {
      const input = { token: body.token, name: body.name, passwordHash: prepared };
      const started = await acceptLink(db, input, client);
      setCookie(started);
      return ok({ next: started.next });
    },
  }),
  dashboardRoute({
    method: 'POST',
    path: '/links/reset',
    operationId: 'requestReset',
    summary: 'Have a link for a new password sent, if there is an account with this e-mail address',
    session: 'none',
    attempt: ({ body }) => body.email,
    body: { kind: 'json', schema: resetBody },
    reply: { status: 200, schema: doneRecord },
    errors: ['conflict'],
    async handler({ app, db, body }) {
      if (app.config.smtpUrl === undefined)
        throw problem('conflict', 'This installation sends no mail: ask an administrator for a link.');
      await queueMail(db, body.email, 'reset');
      return ok({ done: true });
    },
  }),
];
