import { hash as digestOf, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { Counter, Gauge } from 'prom-client';
import type { Db } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import { createFairQueue, takeTurn } from '../../core/fair-queue.ts';
import type { ApiKey } from '../../core/http.ts';
import { createSingleFlight } from '../../core/single-flight.ts';
import { readRolesOfKey } from '../users/index.ts';
import { matchesHash, mayMatch, parseKey } from './format.ts';
import { findKeyForVerification, type KeyRow } from './sql.ts';

export interface KeyVerifier {
  /** The key that the header names, or null: missing, malformed, unknown, wrong, revoked and deactivated look alike. */
  verify(header: string): Promise<ApiKey | null>;
}

/** Checks at one time, and requests that may wait for one. */
const maxConcurrentChecks = 1;
const maxWaitingChecks = 256;
const rememberedChecks = 10_000;
/** A refusal is sent this long after its request, whatever was wrong with the key; longer than one check takes. */
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
 * The row of the key and its user is read on every request, so revoking works at once (spec: Authentication, rule 5). What
 * is remembered is only that this secret matched this stored hash, under a digest that begins with a random key of this process
 * and never leaves it (an HMAC would cost a twelfth of a whole item read); a changed hash is another entry. A wrong secret is
 * told by the hash's mark and costs no check, so wrong keys from however many addresses leave the checks to right ones.
 */
export function createKeyVerifier(db: Db): KeyVerifier {
  const memoryKey = randomBytes(32).toString('base64');
  const checked = new LRUCache<string, true>({ max: rememberedChecks });
  const once = createSingleFlight<boolean>();

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

  async function findKey(header: string): Promise<ApiKey | null> {
    const parsed = parseKey(header);
    const row = parsed ? await findKeyForVerification(db, parsed.id) : undefined;
    if (!parsed || !row || row.revoked_at || !row.user_active) return null;
    for (const hash of usableHashes(row)) {
      if (await matches(parsed.secret, hash)) {
        return { id: row.id, userId: row.user_id, scopes: row.scopes, sites: row.sites, roles: readRolesOfKey(row) };
      }
    }
    return null;
  }

  return {
    async verify(header) {
      const startedAt = performance.now();
      const key = await findKey(header);
      // every refusal takes the same time, so that it does not tell what was wrong (spec: Authentication, rule 2)
      if (key) return key;
      refusals.inc();
      await sleep(Math.max(0, refusalMs - (performance.now() - startedAt)));
      return null;
    },
  };
}

/** The hash of the present secret, and during a rotation's overlap that of the one before. */
function usableHashes({ secret_hash, previous_hash, previous_until }: KeyRow): string[] {
  return previous_hash && previous_until && previous_until > new Date() ? [secret_hash, previous_hash] : [secret_hash];
}

/** Checks a secret when it is its turn. Throws 503 when too many wait. */
async function runCheck(hash: string, secret: string): Promise<boolean> {
  if (checkQueue.waiting() >= maxWaitingChecks) {
    throw problem('unavailable', 'Too many keys are being checked at the moment; try again shortly.', {
      retryAfterSeconds: 2,
    });
  }
  return takeTurn(checkQueue, '', () => matchesHash(hash, secret));
}
