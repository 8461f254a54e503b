import { createHash, randomInt } from 'node:crypto';
import argon2 from 'argon2';

/** `fs_<8>_<32>`, 44 characters (spec: API key). */
const keyPattern = /^fs_([A-Za-z0-9]{8})_([A-Za-z0-9]{32})$/;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** argon2id with 19 MiB and two passes: OWASP's minimum, which suffices for a secret of 190 random bits. */
const argonOptions = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export function parseKey(text: string): { id: string; secret: string } | null {
  const match = keyPattern.exec(text);
  return match ? { id: match[1]!, secret: match[2]! } : null;
}

export function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

export function formatKey(id: string, secret: string): string {
  return `fs_${id}_${secret}`;
}

const markBytes = 2;

/**
 * Returns 16 bits of the secret's digest after a byte that makes its base64 begin with `/`: the parser of PHC strings
 * reads a value of only digits as a number, and such a hash could never be verified.
 */
function markOf(secret: string): Buffer {
  const digest = createHash('sha256').update(secret).digest();
  return Buffer.concat([Buffer.of(0xff), digest.subarray(0, markBytes)]);
}

/**
 * Returns the argon2id hash of a secret, as a PHC string. Its `data` contains 16 bits of the secret's digest, so that
 * nearly every wrong secret is rejected without a verification; 174 of the secret's 190 bits stay unknown to a reader
 * of the row.
 */
export function hashSecret(secret: string): Promise<string> {
  return argon2.hash(secret, { ...argonOptions, associatedData: markOf(secret) });
}

/** Returns false if the secret cannot match this hash; true if the hash has no mark. */
export function mayMatch(hash: string, secret: string): boolean {
  const mark = /,data=([A-Za-z0-9+/]+)\$/.exec(hash)?.[1];
  return mark === undefined || Buffer.from(mark, 'base64').equals(markOf(secret));
}

export function matchesHash(hash: string, secret: string): Promise<boolean> {
  return argon2.verify(hash, secret);
}
