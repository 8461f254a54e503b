import {
  InvalidRequestError,
  InvalidScopeError,
  InvalidTargetError,
  type OAuthError,
  UnsupportedResponseTypeError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { scopes as allScopes, isScope, type Scope } from '../../core/scopes.ts';
import { allowsRedirect } from './client-metadata.ts';
import type { Client } from './clients-sql.ts';

const maxStateLength = 2000;
/** BASE64URL of a SHA-256 (RFC 7636, 4.2). */
const challengePattern = /^[\w-]{43}$/;

/** The default scopes of an authorization request: all but `admin`. */
export const defaultScopes = (Object.keys(allScopes) as Scope[]).filter((scope) => scope !== 'admin');

/** Returns the resource of all tokens: the URL of the agent endpoint (RFC 8707). */
export const resourceOf = ({ url }: { url: string }): string => `${url}/mcp`;

/** A validated request that a user may allow or deny. */
export interface AuthorizationRequest {
  client: Client;
  redirectUri: string;
  state: string | undefined;
  scopes: Scope[];
  codeChallenge: string;
  resource: string;
}

/** A fault that is reported to the client, at its redirect URI. */
export class RedirectedError extends Error {
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly fault: OAuthError;

  constructor(fault: OAuthError, redirectUri: string, state: string | undefined) {
    super(fault.message);
    this.fault = fault;
    this.redirectUri = redirectUri;
    this.state = state;
  }
}

/** Returns a parameter that occurs at most once. Throws `invalid_request` for a repeated one (OAuth 2.1, 4.1.1). */
export function onlyOne(params: URLSearchParams, name: string): string | undefined {
  const values = params.getAll(name);
  if (values.length > 1) throw new InvalidRequestError(`${name} occurs more than once.`);
  return values[0] || undefined;
}

/**
 * Returns the audience of a request that names `resource` or nothing. Throws `invalid_target` for another one: tokens
 * are for the agent endpoint only.
 */
export function requireResource(given: string | undefined, config: { url: string }): string {
  const resource = resourceOf(config);
  if (given !== undefined && given.replace(/\/$/, '') !== resource)
    throw new InvalidTargetError(`The resource must be ${resource}.`);
  return resource;
}

/**
 * Returns the known scopes of a list, or the default ones without a list. Throws `invalid_scope` if it has only unknown
 * ones.
 */
function readScopes(text: string | undefined): Scope[] {
  if (text === undefined) return defaultScopes;
  const known = [...new Set(text.split(' ').filter(isScope))];
  if (known.length === 0) throw new InvalidScopeError('No scope of the list is known here.');
  return known;
}

/**
 * Returns the redirect URI. Throws `invalid_request` unless the client registered it; a client with one may omit it.
 */
export function readRedirectUri(params: URLSearchParams, client: Client): string {
  const given = onlyOne(params, 'redirect_uri');
  const uri = given ?? (client.redirect_uris.length === 1 ? client.redirect_uris[0] : undefined);
  if (uri === undefined || !allowsRedirect(client, uri))
    throw new InvalidRequestError('The redirect_uri is not one that the client registered.');
  return uri;
}

/**
 * Returns the request of an authorization URL. Throws an OAuthError if the redirect URI cannot be trusted, so that the
 * user must be told, and RedirectedError for every other fault (OAuth 2.1, 4.1.2.1).
 */
export function readAuthorization(
  params: URLSearchParams,
  client: Client,
  config: { url: string },
): AuthorizationRequest {
  const redirectUri = readRedirectUri(params, client);
  const state = params.get('state') ?? undefined;
  try {
    if ((state?.length ?? 0) > maxStateLength) throw new InvalidRequestError('The state is too long.');
    onlyOne(params, 'state');
    if (onlyOne(params, 'response_type') !== 'code')
      throw new UnsupportedResponseTypeError('The response_type must be code.');
    const codeChallenge = onlyOne(params, 'code_challenge');
    if (onlyOne(params, 'code_challenge_method') !== 'S256' || !challengePattern.test(codeChallenge ?? ''))
      throw new InvalidRequestError('PKCE is required: a code_challenge with code_challenge_method S256.');
    return {
      client,
      redirectUri,
      state,
      scopes: readScopes(onlyOne(params, 'scope')),
      codeChallenge: codeChallenge!,
      resource: requireResource(onlyOne(params, 'resource'), config),
    };
  } catch (error) {
    throw new RedirectedError(error as OAuthError, redirectUri, state);
  }
}

/** Returns the redirect URI with these parameters, and the issuer (RFC 9207). */
export function redirectTo(
  uri: string,
  params: Record<string, string | undefined>,
  { url: issuer }: { url: string },
): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries({ ...params, iss: issuer }))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
