import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import type { Site } from '../../core/http.ts';
import type { Logger } from '../../core/log.ts';
import { formatTimestamp } from '../../core/timestamp.ts';
import { type DueHost, markProven, postponeCheck, selectDueHosts, selectProvenHosts } from './hosts-sql.ts';

/**
 * Resolves to the TXT records of a name, each as one text; an empty list when the name has none. Rejects when DNS does
 * not respond.
 */
export type ReadTxtRecords = (name: string) => Promise<string[]>;

const firstDelayMs = 5_000;
const longestDelayMs = 60 * 60 * 1000;
/** Hosts that one worker checks in one turn. */
const checksPerRound = 20;

/** Returns the DNS name of a host's record (contract: Domains). */
export const proofName = (host: string): string => `_fieldstone.${host}`;

/** Returns the contents of the record, which include the site, so that it proves nothing for another one. */
export const proofValue = (siteId: string): string => `fieldstone-site=${siteId}`;

/** Returns the delay in milliseconds after `checks` failed checks: 5 s, doubled each time, at most an hour. */
export const proofDelayMs = (checks: number): number =>
  Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(checks, 20));

export interface DomainProof {
  name: string;
  value: string;
  proven_at: string | null;
  aliases: { name: string; proven_at: string | null }[];
}

/**
 * Reads the proofs of the sites' hosts. Returns a function that returns a site's `domain_proof`: null if no proof is
 * required.
 */
export async function readDomainProofs(
  db: Db,
  config: Pick<Config, 'domainProof'>,
  sites: readonly Site[],
): Promise<(site: Site) => DomainProof | null> {
  if (config.domainProof === 'off' || sites.length === 0) return () => null;
  const rows = await selectProvenHosts(
    db,
    sites.map(({ id }) => id),
  );
  const provenAt = new Map(rows.map((row) => [`${row.site_id} ${row.host}`, formatTimestamp(row.proven_at)]));
  return ({ id, domain, aliases }) => {
    if (domain === null) return null;
    const stateOf = (host: string) => ({ name: proofName(host), proven_at: provenAt.get(`${id} ${host}`) ?? null });
    return { ...stateOf(domain), value: proofValue(id), aliases: aliases.map(stateOf) };
  };
}

/**
 * Does the checks that are due. A proven host is never checked again, so a DNS failure cannot revoke it. Failed checks
 * are repeated with growing delays.
 */
export async function checkDomainProofs(
  db: Db,
  readTxtRecords: ReadTxtRecords,
  log: Pick<Logger, 'info'>,
): Promise<void> {
  async function check(due: DueHost): Promise<void> {
    if (!(await postponeCheck(db, due, proofDelayMs(due.checks)))) return;
    const records = await readTxtRecords(proofName(due.host)).catch((error: unknown) => {
      log.info(
        { err: error, host: due.host },
        'the proof of a host could not be checked by DNS; the check is repeated later',
      );
      return [] as string[];
    });
    if (!records.includes(proofValue(due.site_id))) return;
    await markProven(db, due);
    log.info({ host: due.host, site: due.site_id }, 'the proof of a host was found; the host is now served');
  }
  await Promise.all((await selectDueHosts(db, checksPerRound)).map(check));
}
