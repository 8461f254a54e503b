import { randomUUID } from 'node:crypto';
import { InvalidClientError, InvalidClientMetadataError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { clientDocumentTimeoutMs, clientDocumentType } from '../../../workflows/contracts/client-document.ts';
import type { Db } from '../../core/db.ts';
import { Problem } from '../../core/errors.ts';
import { isLoopback } from '../../core/hosts.ts';
import { isUuid } from '../../core/ids.ts';
import type { App } from '../app.ts';
import { readClientMetadata } from './client-metadata.ts';
import { type Client, selectClient, storeClient } from './clients-sql.ts';
import { lifetimes } from './lifetimes.ts';

const maxDocumentUrlLength = 500;

/**
 * Registers a public client (RFC 7591). It expires after a day, unless a user allows it. Throws
 * `invalid_client_metadata`.
 */
export async function registerClient(db: Db, metadata: unknown): Promise<Client> {
  const client = readClientMetadata(randomUUID(), metadata);
  await storeClient(db, client, lifetimes.unusedClient);
  return client;
}

/**
 * Returns whether a client_id is the URL of a client metadata document: https with a path; http on loopback of a local
 * service.
 */
function isDocumentUrl(id: string, own: URL): boolean {
  if (id.length > maxDocumentUrlLength || !URL.canParse(id) || id.includes('#')) return false;
  const url = new URL(id);
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url) && isLoopback(own));
  return isSecure && url.pathname !== '/' && url.username === '' && url.href === id;
}

/** Fetches a client metadata document by a worker, whose downloads are guarded. */
async function fetchDocument({ actors }: Pick<App, 'actors'>, url: string): Promise<Client> {
  const options = { id: `client-document:${randomUUID()}`, input: { url }, timeoutMs: clientDocumentTimeoutMs };
  let text: string;
  try {
    text = await actors.run<string>(clientDocumentType, options);
  } catch (error) {
    if (error instanceof Problem && error.status < 500)
      throw new InvalidClientError(`The client metadata document could not be read: ${error.message}`);
    throw error;
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new InvalidClientMetadataError('The client metadata document is not JSON.');
  }
  if ((document as { client_id?: unknown } | null)?.client_id !== url)
    throw new InvalidClientMetadataError('The client_id of the document is not the URL of the document.');
  return readClientMetadata(url, document);
}

/**
 * Returns the client of a client_id: a registration, or a client metadata document, which is fetched at most once an
 * hour; `beforeFetch` may refuse that. Throws `invalid_client`, `invalid_client_metadata` and what `beforeFetch`
 * throws.
 */
export async function findClient(app: App, id: string, beforeFetch: () => Promise<void>): Promise<Client> {
  const isDocument = isDocumentUrl(id, new URL(app.config.url));
  const known = isDocument || isUuid(id) ? await selectClient(app.db, id) : undefined;
  if (known) return known;
  if (!isDocument) throw new InvalidClientError('The client is unknown, or its registration has expired.');
  await beforeFetch();
  const client = await fetchDocument(app, id);
  await storeClient(app.db, client, lifetimes.document);
  return client;
}
