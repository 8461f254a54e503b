import { createHash } from 'node:crypto';
import {
  InvalidGrantError,
  InvalidRequestError,
  type OAuthError,
  UnsupportedGrantTypeError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { Db } from '../../core/db.ts';
import { isUuid } from '../../core/ids.ts';
import type { Database } from '../../engines/sql/database.ts';
import { recordChange } from '../audit/index.ts';
import { createToken, hashToken } from '../people/index.ts';
import { type AuthorizationRequest, onlyOne, requireResource } from './authorization.ts';
import { extendClient } from './clients-sql.ts';
import {
  consumeToken,
  extendGrant,
  findToken,
  insertGrant,
  insertToken,
  revokeGrant,
  type TokenRow,
} from './grants-sql.ts';
import { lifetimes } from './lifetimes.ts';
import { countReuse } from './metrics.ts';

/** The user's decision on the consent page: at most what the client requested. */
export interface Consent {
  userId: string;
  scopes: readonly string[];
  sites: readonly string[];
}

/** The body of a token response (OAuth 2.1, 3.2.3). */
export interface TokenResponse {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
}

/** Stores what the user allowed and returns the code for the client. Requires a transaction. */
export async function allowAgent(
  tx: Db,
  { client, redirectUri, resource, codeChallenge }: AuthorizationRequest,
  { userId, scopes, sites }: Consent,
): Promise<string> {
  const grant = { clientId: client.id, clientName: client.name, redirectUri, resource, scopes, sites };
  const grantId = await insertGrant(tx, userId, grant, lifetimes.code);
  const code = createToken();
  await insertToken(tx, { hash: hashToken(code), grantId, kind: 'code', seconds: lifetimes.code, codeChallenge });
  // a metadata document is fetched again, so that its changes take effect
  if (isUuid(client.id)) await extendClient(tx, client.id, lifetimes.usedClient);
  const change = { operation: 'connectAgent', site: null, target: { kind: 'agents', id: grantId, name: client.name } };
  await recordChange(tx, change, { via: 'dashboard', userId });
  return code;
}

async function issue(tx: Db, { grant_id: grantId, scopes }: TokenRow): Promise<TokenResponse> {
  const [access, refresh] = [createToken(), createToken()];
  await insertToken(tx, { hash: hashToken(access), grantId, kind: 'access', seconds: lifetimes.access });
  await insertToken(tx, { hash: hashToken(refresh), grantId, kind: 'refresh', seconds: lifetimes.refresh });
  await extendGrant(tx, grantId, lifetimes.refresh);
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: lifetimes.access,
    refresh_token: refresh,
    scope: scopes.join(' '),
  };
}

/** Returns whether the verifier matches the challenge (RFC 7636, 4.6). */
const provesChallenge = (verifier: string | undefined, challenge: string | null): boolean =>
  verifier !== undefined &&
  /^[\w.~-]{43,128}$/.test(verifier) &&
  createHash('sha256').update(verifier).digest('base64url') === challenge;

/** A token request with the code or refresh token that it presents. */
export interface TokenRequest {
  kind: 'code' | 'refresh';
  hash: string;
  clientId: string;
  redirectUri: string | undefined;
  verifier: string | undefined;
  scope: string | undefined;
  resource: string;
}

function requireParam(params: URLSearchParams, name: string): string {
  const value = onlyOne(params, name);
  if (value === undefined) throw new InvalidRequestError(`${name} is required.`);
  return value;
}

/** Reads the form of a token request. Throws an OAuthError. */
export function readTokenRequest(params: URLSearchParams, config: { url: string }): TokenRequest {
  const type = requireParam(params, 'grant_type');
  if (type !== 'authorization_code' && type !== 'refresh_token')
    throw new UnsupportedGrantTypeError('The grant_type must be authorization_code or refresh_token.');
  const isCode = type === 'authorization_code';
  return {
    kind: isCode ? 'code' : 'refresh',
    hash: hashToken(requireParam(params, isCode ? 'code' : 'refresh_token')),
    clientId: requireParam(params, 'client_id'),
    redirectUri: onlyOne(params, 'redirect_uri'),
    verifier: onlyOne(params, 'code_verifier'),
    scope: onlyOne(params, 'scope'),
    resource: requireResource(onlyOne(params, 'resource'), config),
  };
}

const notValid = () => new InvalidGrantError('The code or token is unknown, used, expired or revoked.');

/**
 * Returns the id of the user whose code or token the request presents, for the limit of attempts; undefined if it is
 * unknown.
 */
export async function userOfRequest(db: Db, { hash, kind }: TokenRequest): Promise<string | undefined> {
  return (await findToken(db, hash, [kind]))?.user_id;
}

/** Returns the error for a request that may not have tokens, or undefined. */
function faultOf(request: TokenRequest, row: TokenRow): OAuthError | undefined {
  if (!row.is_valid || row.resource !== request.resource) return notValid();
  if (request.scope?.split(' ').some((scope) => !row.scopes.includes(scope)))
    return new InvalidGrantError('The user did not allow all of these scopes.');
  if (request.kind === 'refresh') return undefined;
  if (request.redirectUri !== undefined && request.redirectUri !== row.redirect_uri)
    return new InvalidGrantError('The redirect_uri is not the one of the authorization request.');
  if (!provesChallenge(request.verifier, row.code_challenge))
    return new InvalidGrantError('The code_verifier is not the one of the code_challenge.');
  return undefined;
}

/**
 * Exchanges a code or a refresh token for new tokens. Each is used once: a second use revokes the grant and all its
 * tokens, because one of the two users stole it (OAuth 2.1, 4.1.3 and 4.3.1). Throws `invalid_grant`.
 */
export async function exchangeToken(db: Database, request: TokenRequest): Promise<TokenResponse> {
  // the revocation must be committed, so the fault is a result of the transaction
  const result = await db.transaction(async (tx): Promise<TokenResponse | OAuthError> => {
    const row = await findToken(tx, request.hash, [request.kind]);
    if (!row || row.client_id !== request.clientId) return notValid();
    if (row.used_at === null) {
      const fault = faultOf(request, row);
      if (fault) return fault;
      if (await consumeToken(tx, request.hash)) return issue(tx, row);
    }
    if (await revokeGrant(tx, row.grant_id)) countReuse(request.kind);
    return notValid();
  });
  if (result instanceof Error) throw result;
  return result;
}

/** Revokes the grant of a token, if the token is known and was issued to this client (RFC 7009). */
export async function revokeToken(db: Db, token: string, clientId: string | undefined): Promise<void> {
  const row = await findToken(db, hashToken(token), ['access', 'refresh']);
  if (row && (clientId === undefined || row.client_id === clientId)) await revokeGrant(db, row.grant_id);
}
