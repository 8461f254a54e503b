import { randomBytes } from 'node:crypto';
import { createSigningSecrets } from '../signing-secrets.ts';

/** The secrets with which deliveries to integrations are signed. */
export const integrationSecrets = createSigningSecrets('integrations', 'integration');

/** Returns 256 random bits as text; the prefix identifies the string if it leaks. */
export function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}
