import { randomBytes } from 'node:crypto';
import { createSigningSecrets } from '../signing-secrets.ts';

/** What deliveries to integrations are signed with. */
export const integrationSecrets = createSigningSecrets('integrations', 'integration');

/** 256 random bits; the prefix says what the string is when it turns up somewhere. */
export function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}
