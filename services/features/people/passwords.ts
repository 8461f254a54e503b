import argon2 from 'argon2';
import { Counter, Gauge } from 'prom-client';
import { createFairQueue, takeTurn } from '../../core/fair-queue.ts';
import { forbidInTransaction } from '../../engines/transaction-guard.ts';

/** argon2id with 32 MiB and three passes, above the OWASP minimum, because people choose these secrets. */
const argonOptions = { type: argon2.argon2id, memoryCost: 32_768, timeCost: 3, parallelism: 1 } as const;

/** The hash to check for an account without a password: it costs the same work, and no known password matches it. */
const noPassword = `$argon2id$v=19$m=${argonOptions.memoryCost},t=${argonOptions.timeCost},p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * Hashes one password at a time, in a queue separate from that of API keys, so that sign-ins cannot delay requests with
 * a key. The queue is fair between client addresses.
 */
const queue = createFairQueue({ capacity: 1, maxWaiting: 64 });

const checks = new Counter({
  name: 'fieldstone_password_checks_total',
  help: 'Passwords checked with argon2, also for accounts that do not exist or have no password.',
});
new Gauge({
  name: 'fieldstone_password_checks_waiting',
  help: 'Passwords that wait to be hashed or checked. Above 64, an address of which one waits already is rejected with 503.',
  collect() {
    this.set(queue.waiting());
  },
});

/** Returns the same text for equivalent Unicode spellings (NIST SP 800-63B: normalise before hashing). */
const normalise = (password: string): string => password.normalize('NFKC');

/**
 * Returns the argon2id hash of a password, as a PHC string. `address`: the client's. Throws `unavailable` if the queue
 * is full.
 */
export function hashPassword(password: string, address: string): Promise<string> {
  forbidInTransaction('Hashing a password');
  return takeTurn(queue, address, () => argon2.hash(normalise(password), argonOptions));
}

/**
 * Returns whether the password matches the hash. Without a hash it returns false after the same work, so that the time
 * does not reveal whether an account exists and has a password. Throws `unavailable` if the queue is full.
 */
export async function matchesPassword(hash: string | null, password: string, address: string): Promise<boolean> {
  forbidInTransaction('Checking a password');
  const matches = await takeTurn(queue, address, () => argon2.verify(hash ?? noPassword, normalise(password)));
  checks.inc();
  return matches && hash !== null;
}
