import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { formatTimestamp } from '../../core/timestamp.ts';
import type { Database } from '../../engines/sql/database.ts';
import { signBody } from '../../features/inbound/index.ts';
import {
  integrationSecrets,
  presentIntegration,
  requireIntegrationBySlug,
  rotateIntegration,
  selectAllIntegrations,
  updateIntegration,
} from '../../features/integrations/index.ts';
import { auditedSite, auditing } from '../auditing.ts';
import type { CommonOptions } from '../command-options.ts';
import { explain } from '../doctor/finding.ts';
import { CliError, type CliErrorCode, printResult } from '../run-command.ts';
import { requireSite, withDatabase } from '../with-database.ts';

/** Runs `webhooks list`: lists integrations, newest first. */
export async function list(options: CommonOptions & { site?: string }): Promise<void> {
  const found = await withDatabase(options.data, async ({ db, config }) => {
    if (options.site !== undefined) await requireSite({ db }, options.site);
    const rows = await selectAllIntegrations(db, options.site ?? null);
    return rows.map((row) => ({ ...presentIntegration(row, config), site: row.site_slug }));
  });
  printResult(
    found,
    options.json,
    (all) =>
      all
        .map(
          (one) => `${one.slug}  ${one.enabled ? 'enabled ' : 'disabled'}  ${one.mapper}  on ${one.site}  ${one.url}`,
        )
        .join('\n') || 'There is no integration yet.',
  );
}

/** Runs `webhooks secret`: prints the signing secret. */
export async function secret(slug: string, options: CommonOptions): Promise<void> {
  const found = await withDatabase(options.data, async ({ db, cipher }) =>
    integrationSecrets.open(cipher, await requireIntegrationBySlug(db, slug)),
  );
  printResult({ slug, secret: found }, options.json, (one) => one.secret);
}

/** Returns the database for an audited change of an integration. */
async function auditingIntegration(
  db: Database,
  command: string,
  { id, site_id, slug }: { id: string; site_id: string; slug: string },
) {
  const site = await auditedSite(db, site_id);
  return auditing(db, () => ({ operation: `webhooks.${command}`, site, target: { kind: 'webhooks', id, name: slug } }));
}

/** Runs `webhooks rotate`: creates a new secret; the previous one stays valid for a while. */
export async function rotate(slug: string, options: CommonOptions): Promise<void> {
  const rotated = await withDatabase(options.data, async ({ db, cipher }) => {
    const { id, site_id } = await requireIntegrationBySlug(db, slug);
    const { row, secret } = await (await auditingIntegration(db, 'rotate', { id, site_id, slug })).transaction((tx) =>
      rotateIntegration(tx, cipher, id),
    );
    return { slug, secret, previous_valid_until: formatTimestamp(row.previous_until!) };
  });
  printResult(
    rotated,
    options.json,
    (one) => `${one.secret}\nThe secret before it is accepted until ${one.previous_valid_until}.`,
  );
}

/** Runs `webhooks enable` and `disable`. */
export const setEnabled = (enabled: boolean) => async (slug: string, options: CommonOptions) => {
  await withDatabase(options.data, async ({ db }) => {
    const { id, site_id } = await requireIntegrationBySlug(db, slug);
    const command = enabled ? 'enable' : 'disable';
    const audited = await auditingIntegration(db, command, { id, site_id, slug });
    await audited.transaction((tx) => updateIntegration(tx, id, { enabled }));
  });
  printResult({ slug, enabled }, options.json, () => `${slug} is ${enabled ? 'enabled' : 'disabled'}.`);
};

const outcomes: Record<number, string> = {
  200: 'This delivery id is known already; nothing was done.',
  202: 'Accepted; it will be mapped and published.',
};

const refusals: Record<number, CliErrorCode> = { 401: 'refused', 404: 'not_found', 503: 'unavailable' };

async function readBody(file: string): Promise<Buffer> {
  if (file === '-') return buffer(process.stdin);
  return readFile(file).catch((cause: unknown) => {
    throw new CliError(`The file ${file} cannot be read: ${explain(cause)}.`, { code: 'not_found', cause });
  });
}

function post(url: string, request: RequestInit): Promise<Response> {
  return fetch(url, request).catch((cause: unknown) => {
    throw new CliError(`Nothing responds at ${url}: ${explain(cause)}.`, { code: 'unavailable', cause });
  });
}

/** Runs `webhooks send`: signs a file and sends it as an upstream system would. */
export async function send(
  file: string,
  options: CommonOptions & { integration: string; url?: string; deliveryId?: string },
) {
  const body = await readBody(file);
  const deliveryId = options.deliveryId ?? randomUUID();
  const { key, base } = await withDatabase(options.data, async ({ db, cipher, config }) => ({
    key: integrationSecrets.open(cipher, await requireIntegrationBySlug(db, options.integration)),
    base: options.url ?? config.url,
  }));
  const response = await post(`${base.replace(/\/+$/, '')}/webhooks/${options.integration}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Delivery-Id': deliveryId,
      'X-Service-Signature': signBody(key, body),
    },
    body,
  });
  const { status } = response;
  if (!outcomes[status]) {
    const message = `The endpoint responded with ${status}; the delivery was not accepted.`;
    throw new CliError(message, { code: refusals[status] ?? 'failed' });
  }
  printResult({ status, delivery_id: deliveryId }, options.json, (one) => `${outcomes[status]} (${one.delivery_id})`);
}
