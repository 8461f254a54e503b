import { InvalidClientMetadataError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { OAuthClientMetadataSchema } from '@modelcontextprotocol/sdk/shared/auth.js';
import { isLoopback } from '../../core/hosts.ts';
import type { Client } from './clients-sql.ts';

const maxRedirectUris = 10;
const maxUriLength = 2000;
const maxNameLength = 100;
/** Schemes that run code or read files in the browser of the user. A program may use any scheme of its own. */
const refusedSchemes = new Set([
  'javascript:',
  'data:',
  'file:',
  'blob:',
  'about:',
  'vbscript:',
  'ws:',
  'wss:',
  'ftp:',
]);

/** Returns the error of a redirect URI, or undefined if it is valid (OAuth 2.1, 2.3; RFC 8252). */
export function faultOfRedirectUri(text: string): string | undefined {
  if (text.length > maxUriLength || !URL.canParse(text)) return 'is not a URL';
  // the URL parser removes some of them, so that two texts would be one URL
  if (/[\p{Cc}\s]/u.test(text)) return 'must not contain spaces or control characters';
  const url = new URL(text);
  const { protocol, username, password } = url;
  if (text.includes('#')) return 'must not contain a fragment';
  if (username !== '' || password !== '') return 'must not contain a user name';
  if (refusedSchemes.has(protocol)) return `must not use the scheme ${protocol}`;
  if (protocol === 'http:' && !isLoopback(url)) return 'must use https, or http on loopback';
  return undefined;
}

/** Removes characters that could make one name look like another or like a part of the page. */
const plainName = (text: string) =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, maxNameLength)
    .toWellFormed();

/**
 * Returns the client of a registration or of a document. Throws `invalid_client_metadata` for anything that is not
 * metadata of a public client with redirect URIs (RFC 7591, 2).
 */
export function readClientMetadata(id: string, value: unknown): Client {
  const parsed = OAuthClientMetadataSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new InvalidClientMetadataError(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`);
  }
  const { redirect_uris: uris, client_name: name = '' } = parsed.data;
  if (uris.length === 0 || uris.length > maxRedirectUris)
    throw new InvalidClientMetadataError(`redirect_uris: must have 1 to ${maxRedirectUris} URLs`);
  for (const uri of uris) {
    const fault = faultOfRedirectUri(uri);
    if (fault) throw new InvalidClientMetadataError(`redirect_uris: ${uri.slice(0, 100)} ${fault}`);
  }
  return { id, name: plainName(name) || 'Unnamed agent', redirect_uris: uris };
}

/** Returns the URI without its port if it is on loopback: a native program listens on any free port (RFC 8252, 7.3). */
function comparable(uri: string): string {
  const url = new URL(uri);
  if (url.protocol !== 'http:' || !isLoopback(url)) return uri;
  url.port = '';
  return url.href;
}

/**
 * Returns whether the client registered the redirect URI. URIs are compared as text, except for the port on loopback.
 */
export function allowsRedirect({ redirect_uris }: Client, uri: string): boolean {
  if (faultOfRedirectUri(uri)) return false;
  return redirect_uris.some((known) => known === uri || comparable(known) === comparable(uri));
}
