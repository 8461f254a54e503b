import { z } from 'zod';
import { notFound } from '../../core/errors.ts';
import { created, ok } from '../../core/reply.ts';
import { deletedRecord, text } from '../../core/schema.ts';
import { scopes } from '../../core/scopes.ts';
import { requireAdministrator } from '../access/index.ts';
import { type DashboardInput, type DashboardRoute, dashboardRoute } from '../dashboard-route.ts';
import { createdKeyRecord, keysRecord } from './schema.ts';
import { createKey, createSecret, listKeys, revokeKey, rotateKey } from './service.ts';
import { findKeyForVerification } from './sql.ts';

/** Syntax only: `createKey` validates the values. `user`: an e-mail address, by default of the user of the session. */
const createKeyBody = z.strictObject({
  name: z.string(),
  scopes: z.array(z.string()),
  sites: z.array(z.string()),
  expires_at: z.string().nullable().default(null),
  user: text(254, 1).optional(),
});
const rotateBody = z.strictObject({ overlap_minutes: z.int().min(0).max(10_080).default(0) });

/** Throws `not_found` unless the key belongs to the user of the session, or the user is an administrator. */
async function requireOwnKey({ db, session, params }: DashboardInput): Promise<string> {
  const id = params['id']!;
  const row = id.includes('\0') ? undefined : await findKeyForVerification(db, id, null);
  const { userId, roles } = session!;
  if (!row || (row.user_id !== userId && !roles.administrator)) throw notFound('key');
  return id;
}

/** The calls on API keys: users have their own keys, administrators those of all users. */
export const keyRoutes: DashboardRoute[] = [
  dashboardRoute({
    method: 'GET',
    path: '/keys',
    operationId: 'listKeys',
    summary: 'Keys of the user, or of all users for an administrator, newest first; and what each scope allows',
    session: 'signed_in',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: keysRecord },
    async handler({ db, session }) {
      const { roles, userId } = session!;
      return ok({ keys: await listKeys(db, roles.administrator ? null : userId), scopes });
    },
  }),
  dashboardRoute({
    method: 'POST',
    path: '/keys',
    operationId: 'createKey',
    summary: 'Create a key for the user, or for another one by an administrator; the reply shows it this once',
    session: 'signed_in',
    changes: 'record',
    body: { kind: 'json', schema: createKeyBody },
    reply: { status: 201, schema: createdKeyRecord },
    prepare: createSecret,
    async handler({ db, session, body, prepared }) {
      const { user = session!.email, ...request } = body;
      if (user.toLowerCase() !== session!.email) requireAdministrator(session!.roles);
      return created(await createKey(db, { ...request, userEmail: user }, prepared));
    },
  }),
  dashboardRoute({
    method: 'POST',
    path: '/keys/:id/rotate',
    operationId: 'rotateKey',
    summary: 'Replace the secret of a key; the previous one stays valid for `overlap_minutes`',
    session: 'signed_in',
    changes: 'record',
    body: { kind: 'json', schema: rotateBody },
    reply: { status: 200, schema: createdKeyRecord },
    errors: ['not_found'],
    async prepare(input) {
      return { id: await requireOwnKey(input), secret: await createSecret() };
    },
    async handler(input) {
      const { id, secret } = input.prepared;
      return ok(await rotateKey(input.db, id, input.body.overlap_minutes, secret));
    },
  }),
  dashboardRoute({
    method: 'DELETE',
    path: '/keys/:id',
    operationId: 'revokeKey',
    summary: 'Revoke a key; it stops working at once',
    session: 'signed_in',
    changes: 'record',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deletedRecord },
    errors: ['not_found'],
    async handler(input) {
      const id = await requireOwnKey(input);
      await revokeKey(input.db, id);
      return ok({ id, deleted: true });
    },
  }),
];
