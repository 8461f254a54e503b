import { randomUUID } from 'node:crypto';
import type { Db } from '../../core/db.ts';
import { invalid, notFound, problem } from '../../core/errors.ts';
import type { Site } from '../../core/http.ts';
import type { Cipher } from '../../core/secrets.ts';
import { deriveSlug, findFreeSlug } from '../../core/slug.ts';
import { serializationRetry } from '../../engines/sql/errors.ts';
import type { CreateIntegration, UpdateIntegration } from './schema.ts';
import { integrationSecrets, makeSecret } from './secrets.ts';
import {
  type IntegrationRow,
  insertIntegration,
  integrationColumns,
  selectIntegration,
  selectIntegrationBySlug,
  selectIntegrationIds,
  selectTakenIntegrationSlugs,
  updateIntegrationRow,
} from './sql.ts';

export interface WithSecret {
  row: IntegrationRow;
  secret: string;
}

/** Maximum length of a derived slug before its counter. */
const maxDerivedLength = 100;

function deriveFreeSlug(db: Db, text: string): Promise<string> {
  const base = deriveSlug(text).slice(0, maxDerivedLength).replace(/-$/, '');
  return findFreeSlug(base, (candidates) => selectTakenIntegrationSlugs(db, candidates));
}

/**
 * Creates an integration with its own secret. Throws `slug_taken` when a given slug is in use anywhere in the service,
 * `validation_failed` when the site has reached `maxIntegrations`. Call it in a transaction.
 */
export async function createIntegration(
  db: Db,
  cipher: Cipher,
  site: Pick<Site, 'id' | 'slug'>,
  request: CreateIntegration,
  maxIntegrations: number,
): Promise<WithSecret> {
  if ((await selectIntegrationIds(db, site.id)).length >= maxIntegrations)
    throw invalid([{ path: '', message: `a site has at most ${maxIntegrations} integrations; delete one first` }]);
  const id = randomUUID();
  const secret = makeSecret();
  const name = request.name ?? request.mapper;
  const slug = request.slug ?? (await deriveFreeSlug(db, request.name ?? `${site.slug} ${request.mapper}`));
  const { mapper, enabled } = request;
  const sealed = integrationSecrets.seal(cipher, id, secret);
  const row = await insertIntegration(db, { id, site_id: site.id, slug, name, mapper, enabled, secret: sealed });
  if (row) return { row, secret };
  if (request.slug !== undefined) throw problem('slug_taken', `There is already an integration with the slug ${slug}.`);
  throw serializationRetry(); // a concurrent request used the derived slug
}

/** Returns an integration of a site. Throws `not_found`. */
export async function requireIntegration(db: Db, siteId: string, id: string): Promise<IntegrationRow> {
  const row = await selectIntegration(db, siteId, id);
  if (!row) throw notFound('integration');
  return row;
}

/** Changes the name and whether it is enabled. Throws `not_found`. */
export async function updateIntegration(db: Db, id: string, request: UpdateIntegration): Promise<IntegrationRow> {
  const row = await updateIntegrationRow(db, id, request);
  if (!row) throw notFound('integration');
  return row;
}

/** Gives an integration a new secret; the previous one stays valid for 24 hours. Throws `not_found`. */
export async function rotateIntegration(db: Db, cipher: Cipher, id: string): Promise<WithSecret> {
  const secret = makeSecret();
  const sealed = integrationSecrets.seal(cipher, id, secret);
  const row = await integrationSecrets.rotate<IntegrationRow>(db, id, sealed, integrationColumns);
  if (!row) throw notFound('integration');
  return { row, secret };
}

/** Returns an integration by its slug, for the command line. Throws `not_found`. */
export async function requireIntegrationBySlug(db: Db, slug: string): Promise<IntegrationRow> {
  const row = await selectIntegrationBySlug(db, slug);
  if (!row) throw problem('not_found', `There is no integration ${slug}.`);
  return row;
}
