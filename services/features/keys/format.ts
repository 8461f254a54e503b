import { randomInt } from 'node:crypto';
import argon2 from 'argon2';

/** `fs_<8>_<32>`, 44 characters (spec: API key). */
const keyPattern = /^fs_([A-Za-z0-9]{8})_([A-Za-z0-9]{32})$/;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** argon2id with 19 MiB and two passes: the least that OWASP advises; a secret of 190 random bits needs no more. */
export const argonOptions = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

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
