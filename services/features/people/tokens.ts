import { createHash, randomBytes } from 'node:crypto';

/** A token of 256 random bits, for a cookie or a link. */
export const createToken = (): string => randomBytes(32).toString('base64url');

/** What is stored of a token or code. It is random enough for a plain digest: there is nothing to guess. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
