import { randomBytes } from 'node:crypto';
import { createSigningSecrets } from '../signing-secrets.ts';

/** What events to endpoints are signed with. */
export const endpointSecrets = createSigningSecrets('event_endpoints', 'event-endpoint');

const prefix = 'whsec_';

/** 256 random bits in the form of the Standard Webhooks specification. */
export function makeEndpointSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** The bytes that a secret stands for: what the signature is keyed with. */
export function secretBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(prefix.length), 'base64');
}
