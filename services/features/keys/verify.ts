import { createHmac, randomBytes } from 'node:crypto';
import argon2 from 'argon2';
import { LRUCache } from 'lru-cache';
import type { Db } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import type { ApiKey } from '../../core/http.ts';
import { argonOptions, parseKey } from './format.ts';
import { findKeyForVerification, type KeyRow } from './sql.ts';

export interface KeyVerifier {
  /** The key that the header names, or null: missing, malformed, unknown, wrong, revoked and deactivated look alike. */
  verify(header: string): Promise<ApiKey | null>;
}

/** Checks at one time, and requests that may wait for one: wrong keys from many addresses must not starve the gateway. */
const maxConcurrentChecks = 1;
const maxWaitingChecks = 256;
const rememberedChecks = 10_000;

/**
 * The row of the key and its user is read on every request, so revoking works at once (spec: Authentication, rule 5). What
 * is remembered is only that this secret matched this stored hash, keyed by an HMAC under a key that
 * lives as long as the process; a changed hash is another entry.
 */
export function createKeyVerifier(db: Db): KeyVerifier {
  const memoryKey = randomBytes(32);
  const checked = new LRUCache<string, true>({ max: rememberedChecks });
  const pending = new Map<string, Promise<boolean>>();
  const runCheck = createGate(maxConcurrentChecks, maxWaitingChecks);
  const nobodysHash = argon2.hash(randomBytes(24).toString('base64'), argonOptions);

  function matches(secret: string, hash: string): Promise<boolean> | boolean {
    const entry = createHmac('sha256', memoryKey).update(hash).update('\0').update(secret).digest('base64');
    const known = checked.get(entry);
    if (known !== undefined) return known;
    const running = pending.get(entry);
    if (running) return running;
    const check = runCheck(() => argon2.verify(hash, secret)).then((result) => {
      // a refusal is never remembered: every wrong key costs the same time, the first time and the hundredth
      if (result) checked.set(entry, true);
      return result;
    });
    pending.set(entry, check);
    const forget = () => pending.delete(entry);
    check.then(forget, forget);
    return check;
  }

  async function matchesRow(row: KeyRow | undefined, secret: string): Promise<boolean> {
    const current = await matches(secret, row?.secret_hash ?? (await nobodysHash));
    if (current || !row?.previous_hash || !row.previous_until || row.previous_until <= new Date()) return current;
    return matches(secret, row.previous_hash);
  }

  return {
    async verify(header) {
      const parsed = parseKey(header);
      const row = parsed ? await findKeyForVerification(db, parsed.id) : undefined;
      // malformed, revoked and deactivated ones cost the same time as an unknown one
      const usable = row && !row.revoked_at && row.user_active ? row : undefined;
      const matched = await matchesRow(usable, parsed?.secret ?? header.slice(0, 44));
      if (!matched || !usable) return null;
      const { user_id, scopes, sites } = usable;
      return { id: usable.id, userId: user_id, scopes, sites };
    },
  };
}

/** At most `running` at once, at most `waiting` in the queue; beyond that 503. */
function createGate(running: number, waiting: number) {
  let active = 0;
  const queue: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (active >= running) {
      if (queue.length >= waiting) {
        throw problem('unavailable', 'Too many keys are being checked at the moment; try again shortly.', {
          retryAfterSeconds: 2,
        });
      }
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    active++;
    try {
      return await work();
    } finally {
      active--;
      queue.shift()?.();
    }
  };
}
