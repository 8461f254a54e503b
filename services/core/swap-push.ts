import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The message to one edge from a process that swapped a site's release. */
export interface SwapPush {
  edgeId: string;
  siteId: string;
}

/** The path of pushes on an edge's push port, and the headers of the signature and of the confirmation. */
export const swapPushPath = '/swaps';
export const signatureHeader = 'x-fieldstone-signature';
export const confirmationHeader = 'x-fieldstone-confirmation';

/** A longer body is not a push. */
export const maxPushBytes = 256;

const pushPattern = /^([0-9a-f-]{36}) ([0-9a-f-]{36}) [0-9a-f]{32}$/;

const mac = (key: Buffer, purpose: 'push' | 'confirmation', body: string) =>
  createHmac('sha256', key).update(`fieldstone swap ${purpose}\n`).update(body).digest('hex');

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/**
 * Creates the body and the signature of a push. `keys`: FIELDSTONE_SECRET_KEY; the first one signs. The body has a
 * nonce, so that an earlier confirmation does not confirm it.
 */
export function createPush(keys: readonly Buffer[], { edgeId, siteId }: SwapPush): { body: string; signature: string } {
  const body = `${edgeId} ${siteId} ${randomBytes(16).toString('hex')}`;
  return { body, signature: mac(keys[0]!, 'push', body) };
}

/** Returns the push and its confirmation, or null if none of the keys signed it. */
export function readPush(
  keys: readonly Buffer[],
  body: string,
  signature: string,
): (SwapPush & { confirmation: string }) | null {
  const key = keys.find((one) => isEqual(mac(one, 'push', body), signature));
  const [, edgeId, siteId] = pushPattern.exec(body) ?? [];
  if (!key || edgeId === undefined || siteId === undefined) return null;
  return { edgeId, siteId, confirmation: mac(key, 'confirmation', body) };
}

/** Returns whether an edge that knows the secret key confirmed the push with this body. */
export function isConfirmation(keys: readonly Buffer[], body: string, confirmation: string): boolean {
  return isEqual(mac(keys[0]!, 'confirmation', body), confirmation);
}
