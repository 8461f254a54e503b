import { createHmac, timingSafeEqual } from 'node:crypto';

/** spec: Limits, webhook signature window. Both edges count. */
const signatureWindowSeconds = 300;

interface SignatureParts {
  /** As sent: it is part of what is signed. */
  timestamp: string;
  signatures: Buffer[];
}

function digest(secret: string, timestamp: string, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

/** The header's value for a body: `t=…,v1=…` (spec: Events, rule 2). */
export function signBody(secret: string, body: Buffer, nowMs = Date.now()): string {
  const timestamp = String(Math.floor(nowMs / 1000));
  return `t=${timestamp},v1=${digest(secret, timestamp, body).toString('hex')}`;
}

/**
 * `t=<digits>,v1=<64 hex digits>`, with exactly one `t` and any number of `v1`, of which one that matches is enough: what is no
 * signature matches nothing. Members of other names are for versions to come and ignored. Null for anything else.
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
  /** The transmitted bytes, nothing undone. */
  body: Buffer;
  /** One, or two while a secret is being rotated. */
  secrets: readonly string[];
  nowMs: number;
}

/**
 * Whether the body was signed with one of the secrets within ±300 seconds (spec: Events, rule 2). Every signature is
 * compared with every secret's in constant time, so that the time says nothing about which one was near.
 */
export function isSignedBy({ header, body, secrets, nowMs }: SignedRequest): boolean {
  const parts = header === undefined ? null : parseHeader(header);
  if (!parts) return false;
  const ageSeconds = Math.floor(nowMs / 1000) - Number(parts.timestamp);
  if (Math.abs(ageSeconds) > signatureWindowSeconds) return false;
  let matches = false;
  for (const secret of secrets) {
    const expected = digest(secret, parts.timestamp, body);
    for (const signature of parts.signatures) matches = timingSafeEqual(signature, expected) || matches;
  }
  return matches;
}
