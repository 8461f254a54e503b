import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto';

/** spec: Limits, webhook signature window. Both limits are included. */
const signatureWindowSeconds = 300;

interface SignatureParts {
  /** As sent, because it is part of the signed text. */
  timestamp: string;
  signatures: Buffer[];
}

function startDigest(secret: string, timestamp: string): Hmac {
  return createHmac('sha256', secret).update(`${timestamp}.`);
}

/** Returns the header's value for a body: `t=…,v1=…` (spec: Events, rule 2). */
export function signBody(secret: string, body: Buffer, nowMs = Date.now()): string {
  const timestamp = String(Math.floor(nowMs / 1000));
  return `t=${timestamp},v1=${startDigest(secret, timestamp).update(body).digest('hex')}`;
}

/**
 * Parses `t=<digits>,v1=<64 hex digits>` with exactly one `t` and any number of `v1`, of which one must match: an
 * invalid one matches nothing. Other members are for future versions and are ignored. Returns null for anything else.
 */
function parseHeader(header: string): SignatureParts | null {
  const signatures: Buffer[] = [];
  let timestamp: string | undefined;
  for (const part of header.split(',')) {
    const pair = /^[ \t]*([a-z][a-z0-9]*)=([^ \t]*)[ \t]*$/.exec(part);
    if (!pair) return null;
    const value = pair[2]!;
    if (pair[1] === 't') {
      if (timestamp !== undefined || !/^\d{1,12}$/.test(value)) return null;
      timestamp = value;
    } else if (pair[1] === 'v1' && /^[0-9a-f]{64}$/i.test(value)) {
      signatures.push(Buffer.from(value, 'hex'));
    }
  }
  return timestamp === undefined ? null : { timestamp, signatures };
}

interface SignedRequest {
  header: string | undefined;
  /** One secret, or two while a secret is being rotated. */
  secrets: readonly string[];
  nowMs: number;
}

/** A signature that is checked while the body is received. */
export interface SignatureCheck {
  /** Processes the next transmitted bytes, not decoded. */
  update(chunk: Buffer): void;
  /** Returns whether the bytes so far were signed with one of the secrets. Call it once. */
  matches(): boolean;
}

/**
 * Starts to check a body's signature; returns undefined when the header is missing, malformed, or made more than 300
 * seconds from now (spec: Events, rule 2). Every signature is compared with every secret's in constant time, so that
 * the duration reveals nothing.
 */
export function openSignature({ header, secrets, nowMs }: SignedRequest): SignatureCheck | undefined {
  const parts = header === undefined ? null : parseHeader(header);
  if (!parts || parts.signatures.length === 0) return undefined;
  const ageSeconds = Math.floor(nowMs / 1000) - Number(parts.timestamp);
  if (Math.abs(ageSeconds) > signatureWindowSeconds) return undefined;
  const digests = secrets.map((secret) => startDigest(secret, parts.timestamp));
  return {
    update(chunk) {
      for (const digest of digests) digest.update(chunk);
    },
    matches() {
      let matches = false;
      for (const digest of digests) {
        const expected = digest.digest();
        for (const signature of parts.signatures) matches = timingSafeEqual(signature, expected) || matches;
      }
      return matches;
    },
  };
}
