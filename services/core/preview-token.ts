import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from './config.ts';

/** The grant of a preview link: one release of one site, until it expires. */
export interface PreviewGrant {
  siteId: string;
  releaseId: string;
  expiresAt: Date;
}

const purpose = 'fieldstone preview link';
const macBytes = 16;
const payloadBytes = 36;
const dayMs = 24 * 60 * 60 * 1000;
/** How long a preview link of a site is valid, and one of an item. */
const previewLifetimeMs = 7 * dayMs;
export const itemPreviewLifetimeMs = dayMs;

function sign(key: Buffer, payload: Buffer): Buffer {
  return createHmac('sha256', key).update(purpose).update(payload).digest().subarray(0, macBytes);
}

function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidText(bytes: Buffer): string {
  return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}

/** Creates a token for the URL of a preview; it cannot be forged without a key of FIELDSTONE_SECRET_KEY. */
export function createPreviewToken(keys: readonly Buffer[], grant: PreviewGrant): string {
  const seconds = Buffer.alloc(4);
  seconds.writeUInt32BE(Math.floor(grant.expiresAt.getTime() / 1000));
  const payload = Buffer.concat([uuidBytes(grant.siteId), uuidBytes(grant.releaseId), seconds]);
  return Buffer.concat([payload, sign(keys[0]!, payload)]).toString('base64url');
}

/** Returns the grant of a token, or null if it is forged or has expired. */
export function readPreviewToken(keys: readonly Buffer[], token: string, now = new Date()): PreviewGrant | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== payloadBytes + macBytes || bytes.toString('base64url') !== token) return null;
  const payload = bytes.subarray(0, payloadBytes);
  if (!keys.some((key) => timingSafeEqual(sign(key, payload), bytes.subarray(payloadBytes)))) return null;
  const expiresAt = new Date(payload.readUInt32BE(32) * 1000);
  if (expiresAt <= now) return null;
  return { siteId: uuidText(payload.subarray(0, 16)), releaseId: uuidText(payload.subarray(16, 32)), expiresAt };
}

/** Returns the URL of a preview release, and its expiry. */
export function previewUrl(
  config: Pick<Config, 'edgeUrl' | 'secretKeys'>,
  siteId: string,
  releaseId: string,
  now = new Date(),
  lifetimeMs = previewLifetimeMs,
): { url: string; expiresAt: Date } {
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  const token = createPreviewToken(config.secretKeys, { siteId, releaseId, expiresAt });
  return { url: `${config.edgeUrl}/previews/${token}/`, expiresAt };
}
