import { randomUUID } from 'node:crypto';
import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { invalid, notFound } from '../../core/errors.ts';
import type { Cipher } from '../../core/secrets.ts';
import { FetchError } from '../../engines/fetch/errors.ts';
import { parseAllowList, parseSecureTarget } from '../../engines/fetch/target.ts';
import {
  countEndpoints,
  type EndpointRow,
  endpointColumns,
  insertEndpoint,
  selectEndpoint,
  updateEndpointRow,
} from './endpoints-sql.ts';
import { endWaiting } from './events-sql.ts';
import type { CreateEndpoint, UpdateEndpoint } from './schema.ts';
import { endpointSecrets, makeEndpointSecret } from './secrets.ts';

/** The error of waiting events when their endpoint is disabled. */
export const disabledMessage = 'The endpoint is disabled.';

interface EndpointDeps {
  cipher: Cipher;
  config: Pick<Config, 'fetchAllow' | 'siteLimits'>;
}

interface EndpointWithSecret {
  row: EndpointRow;
  secret: string;
}

/** Returns the normalized URL. Each request checks which host it leads to. Throws `validation_failed`. */
function readUrl(url: string, { fetchAllow }: Pick<Config, 'fetchAllow'>): string {
  try {
    return parseSecureTarget(url, parseAllowList(fetchAllow)).url.href;
  } catch (error) {
    if (error instanceof FetchError) throw invalid([{ path: 'url', message: error.message }]);
    throw error;
  }
}

/**
 * Creates an endpoint with a new secret. Throws `validation_failed`, also when the site has too many, because each is
 * sent every event.
 */
export async function createEndpoint(
  db: Db,
  { cipher, config }: EndpointDeps,
  siteId: string,
  request: CreateEndpoint,
): Promise<EndpointWithSecret> {
  const url = readUrl(request.url, config);
  const most = config.siteLimits.eventEndpoints;
  if ((await countEndpoints(db, siteId)) >= most)
    throw invalid([{ path: '', message: `a site has at most ${most} event endpoints; delete one first` }]);
  const id = randomUUID();
  const secret = makeEndpointSecret();
  const { events, enabled } = request;
  const sealed = endpointSecrets.seal(cipher, id, secret);
  return { row: await insertEndpoint(db, { id, site_id: siteId, url, events, enabled, secret: sealed }), secret };
}

/** Returns an endpoint. Throws `not_found`. */
export async function requireEndpoint(db: Db, siteId: string, id: string): Promise<EndpointRow> {
  const row = await selectEndpoint(db, siteId, id);
  if (!row) throw notFound('endpoint');
  return row;
}

/**
 * Changes an endpoint; disabling it ends its waiting events. Requires a transaction. Throws `not_found`,
 * `validation_failed`.
 */
export async function updateEndpoint(
  db: Db,
  { config }: Pick<EndpointDeps, 'config'>,
  id: string,
  { url, ...request }: UpdateEndpoint,
): Promise<EndpointRow> {
  const row = await updateEndpointRow(db, id, url === undefined ? request : { ...request, url: readUrl(url, config) });
  if (!row) throw notFound('endpoint');
  if (request.enabled === false) await endWaiting(db, id, disabledMessage);
  return row;
}

/** Replaces an endpoint's secret; events are signed with both for 24 hours. Throws `not_found`. */
export async function rotateEndpoint(db: Db, cipher: Cipher, id: string): Promise<EndpointWithSecret> {
  const secret = makeEndpointSecret();
  const sealed = endpointSecrets.seal(cipher, id, secret);
  const row = await endpointSecrets.rotate<EndpointRow>(db, id, sealed, endpointColumns);
  if (!row) throw notFound('endpoint');
  return { row, secret };
}
