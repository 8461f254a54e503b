import { createHmac } from 'node:crypto';
import { secretBytes } from './secrets.ts';

/**
 * Returns the headers of the Standard Webhooks specification: HMAC-SHA256 over `<id>.<timestamp>.<body>`, one signature
 * for each secret.
 */
export function signEvent(id: string, body: Buffer, secrets: readonly string[], nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secretBytes(secret)).update(`${id}.${timestamp}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
