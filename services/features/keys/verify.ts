import { hash as digestOf, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { Counter, Gauge } from 'prom-client';
import { createBatches } from '../../core/batches.ts';
import type { Db } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import { createFairQueue, takeTurn } from '../../core/fair-queue.ts';
import type { ApiKey, Site } from '../../core/http.ts';
import type { Logger } from '../../core/log.ts';
import { createSingleFlight } from '../../core/single-flight.ts';
import { readJoinedSite } from '../sites/index.ts';
import { readRolesOfKey } from '../users/index.ts';
import { matchesHash, mayMatch, parseKey } from './format.ts';
import { findKeyForVerification, type KeyRow, recordKeyUse } from './sql.ts';

export interface KeyVerifier {
  /**
   * Resolves to the key in the header, or null: missing, malformed, unknown, wrong, revoked and deactivated keys are
   * not distinguished. With it comes the site of this slug, which the same statement reads, whether or not the key may
   * use it; undefined if there is no such site.
   */
  verify(header: string, siteSlug: string | null): Promise<VerifiedKey | null>;
}

export interface VerifiedKey {
  key: ApiKey;
  site: Site | undefined;
}

/** Maximum concurrent verifications, and requests that may wait for one. */
const maxConcurrentChecks = 1;
const maxWaitingChecks = 256;
const rememberedChecks = 10_000;
/** The precision of the last use: a write with every request would cost too much. */
const useIntervalMs = 300_000;
/** Delay from a request to its rejection, whatever is wrong with the key; longer than one verification takes. */
const refusalMs = 50;

const checks = new Counter({ name: 'fieldstone_key_checks_total', help: 'Key secrets checked with argon2.' });
const refusals = new Counter({
  name: 'fieldstone_key_refusals_total',
  help: 'Requests rejected with 401 because of their key.',
});
const checkQueue = createFairQueue({ capacity: maxConcurrentChecks, maxWaiting: Number.POSITIVE_INFINITY });
new Gauge({
  name: 'fieldstone_key_checks_waiting',
  help: 'Requests that wait for an argon2 check. Above 256, requests are rejected with 503.',
  collect() {
    this.set(checkQueue.waiting());
  },
});

/**
 * Creates a verifier. The row of the key and its user is read on every request, so that revoking takes effect at once
 * (spec: Authentication, rule 5). Only the fact that this secret matched this stored hash is cached, under a digest
 * prefixed with a random key of this process that never leaves it (an HMAC would cost a twelfth of a whole item read);
 * a changed hash is another entry. The hash's mark reveals a wrong secret without a verification, so wrong keys from
 * any number of IP addresses do not delay right ones.
 */
export function createKeyVerifier(db: Db, log: Pick<Logger, 'warn'>): KeyVerifier {
  const memoryKey = randomBytes(32).toString('base64');
  const checked = new LRUCache<string, true>({ max: rememberedChecks });
  /** Keys whose use was recorded recently, so that concurrent requests do not contend for the row. */
  const recorded = new LRUCache<string, true>({ max: rememberedChecks, ttl: useIntervalMs });
  const once = createSingleFlight<boolean>();
  /** Every request has the result of a statement that was sent after the request arrived. */
  const readInBatch = createBatches(async (text: string, requests: readonly null[]) => {
    const [id, siteSlug] = JSON.parse(text) as [string, string | null];
    const row = await findKeyForVerification(db, id, siteSlug);
    return requests.map(() => row);
  });

  function matches(secret: string, hash: string): Promise<boolean> | boolean {
    const entry = digestOf('sha256', `${memoryKey}\0${hash}\0${secret}`, 'base64');
    if (checked.has(entry)) return true;
    if (!mayMatch(hash, secret)) return false;
    return once(entry, async () => {
      const result = await runCheck(hash, secret);
      checks.inc();
      if (result) checked.set(entry, true);
      return result;
    });
  }

  /**
   * Records the use of the key without delaying the request: a use that fails to be recorded is recorded with the next
   * request.
   */
  function recordUse({ id, last_used_at }: KeyRow): void {
    if (last_used_at && Date.now() - last_used_at.getTime() < useIntervalMs) return;
    if (recorded.has(id)) return;
    recorded.set(id, true);
    recordKeyUse(db, id).catch((error: unknown) => log.warn({ err: error, keyId: id }, 'use of a key not recorded'));
  }

  async function findKey(header: string, siteSlug: string | null): Promise<VerifiedKey | null> {
    const parsed = parseKey(header);
    const row = parsed ? await readInBatch(JSON.stringify([parsed.id, siteSlug]), null) : undefined;
    if (!parsed || !row || row.revoked_at || hasExpired(row) || !row.user_active) return null;
    for (const hash of usableHashes(row)) {
      if (await matches(parsed.secret, hash)) {
        recordUse(row);
        const { id, user_id: userId, scopes, sites } = row;
        return { key: { id, userId, scopes, sites, roles: readRolesOfKey(row) }, site: readJoinedSite(row) };
      }
    }
    return null;
  }

  return {
    async verify(header, siteSlug) {
      const startedAt = performance.now();
      const verified = await findKey(header, siteSlug);
      // every rejection takes the same time, so that it does not reveal what was wrong (spec: Authentication, rule 2)
      if (verified) return verified;
      refusals.inc();
      await sleep(Math.max(0, refusalMs - (performance.now() - startedAt)));
      return null;
    },
  };
}

const hasExpired = ({ expires_at }: KeyRow): boolean => expires_at !== null && expires_at <= new Date();

/** Returns the hash of the current secret, and during a rotation's overlap that of the previous one. */
function usableHashes({ secret_hash, previous_hash, previous_until }: KeyRow): string[] {
  return previous_hash && previous_until && previous_until > new Date() ? [secret_hash, previous_hash] : [secret_hash];
}

/** Verifies a secret when its turn comes. Throws 503 when too many wait. */
async function runCheck(hash: string, secret: string): Promise<boolean> {
  if (checkQueue.waiting() >= maxWaitingChecks) {
    throw problem('unavailable', 'Too many keys are being checked at the moment; try again shortly.', {
      retryAfterSeconds: 2,
    });
  }
  return takeTurn(checkQueue, '', () => matchesHash(hash, secret));
}
