import { created, ok } from '../../../core/reply.ts';
import { scopes as allScopes, type Scope } from '../../../core/scopes.ts';
import { formatTimestamp } from '../../../core/timestamp.ts';
import { type DashboardRoute, dashboardRoute } from '../../dashboard-route.ts';
import { createSecret } from '../../keys/index.ts';
import { doneRecord } from '../schema.ts';
import { claimBody, claimRecord, keyRequestBody, keyRequestRecord, openedRequest, requestCodeBody } from './schema.ts';
import { claimKey, decideKeyRequest, openKeyRequest, requireOpenRequest, waitForDecision } from './service.ts';
import type { KeyRequestRow } from './sql.ts';

const presentRequest = ({ code, name, scopes, sites, address, created_at, expires_at }: KeyRequestRow) => ({
  code,
  name,
  scopes: scopes.map((scope) => ({ scope, description: allScopes[scope as Scope] })),
  sites,
  address,
  created_at: formatTimestamp(created_at),
  expires_at: formatTimestamp(expires_at),
});

/** The calls with which a command line gets an API key that a user approves in the dashboard (decision 0281). */
export const keyRequestRoutes: DashboardRoute[] = [
  dashboardRoute({
    method: 'POST',
    path: '/key-requests',
    operationId: 'openKeyRequest',
    summary: 'Request an API key, which a user has to approve',
    session: 'none',
    attempt: () => undefined,
    body: { kind: 'json', schema: keyRequestBody },
    reply: { status: 201, schema: openedRequest },
    async handler({ app, db, body, client }) {
      const { token, code, url, expiresAt } = await openKeyRequest(db, app.config, {
        ...body,
        address: client.address,
      });
      return created({ token, code, url, expires_at: formatTimestamp(expiresAt) });
    },
  }),
  dashboardRoute({
    method: 'POST',
    path: '/key-requests/claim',
    operationId: 'claimKey',
    summary: 'Wait for the decision about a request, and get its key if it was approved',
    session: 'none',
    attempt: () => undefined,
    body: { kind: 'json', schema: claimBody },
    reply: { status: 200, schema: claimRecord },
    errors: ['not_found', 'forbidden'],
    prepare: async ({ db, body }) =>
      (await waitForDecision(db, body.token, body.wait_seconds)) ? createSecret() : undefined,
    async handler({ db, body, prepared }) {
      const claimed = await claimKey(db, body.token, prepared);
      return ok(claimed ? { status: 'approved', ...claimed } : { status: 'open', user: null, key: null });
    },
  }),
  dashboardRoute({
    method: 'POST',
    path: '/key-requests/inspect',
    operationId: 'inspectKeyRequest',
    summary: 'What a request with this code asks for',
    session: 'signed_in',
    attempt: ({ session }) => session!.email,
    body: { kind: 'json', schema: requestCodeBody },
    reply: { status: 200, schema: keyRequestRecord },
    errors: ['not_found'],
    transaction: { none: 'Nothing is stored.' },
    handler: async ({ db, body }) => ok(presentRequest(await requireOpenRequest(db, body.code))),
  }),
  dashboardRoute({
    method: 'POST',
    path: '/key-requests/approve',
    operationId: 'approveKeyRequest',
    summary: 'Approve a request: the command line gets an API key of the user',
    session: 'signed_in',
    attempt: ({ session }) => session!.email,
    body: { kind: 'json', schema: requestCodeBody },
    reply: { status: 200, schema: doneRecord },
    errors: ['not_found'],
    async handler({ db, session, body }) {
      await decideKeyRequest(db, body.code, session!.userId, false);
      return ok({ done: true });
    },
  }),
  dashboardRoute({
    method: 'POST',
    path: '/key-requests/deny',
    operationId: 'denyKeyRequest',
    summary: 'Deny a request',
    session: 'signed_in',
    attempt: ({ session }) => session!.email,
    body: { kind: 'json', schema: requestCodeBody },
    reply: { status: 200, schema: doneRecord },
    errors: ['not_found'],
    async handler({ db, session, body }) {
      await decideKeyRequest(db, body.code, session!.userId, true);
      return ok({ done: true });
    },
  }),
];
