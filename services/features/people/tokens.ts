import { createHash, randomBytes } from 'node:crypto';

/** Returns a token of 256 random bits, in base64url, for a cookie or a link. */
export const createToken = (): string => randomBytes(32).toString('base64url');

/**
 * Returns the SHA-256 digest to store for a token or code. These are too random to guess, so that a slow hash is not
 * needed.
 */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
