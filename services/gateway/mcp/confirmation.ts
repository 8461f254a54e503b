import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Cipher } from '../../core/secrets.ts';
import type { CallArguments } from './run-operation.ts';

/** Seconds in which a call can be confirmed. */
export const confirmationSeconds = 600;

/** Renders a value as JSON whose members are sorted, so that equal arguments are equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** The call that a confirmation is bound to; it confirms no other. */
export interface Confirmed {
  grantId: string;
  tool: string;
  args: CallArguments;
}

function sign(cipher: Pick<Cipher, 'deriveKey'>, { grantId, tool, args }: Confirmed, until: string): Buffer {
  const { confirm: _, ...rest } = args;
  return createHmac('sha256', cipher.deriveKey('agent-confirmation'))
    .update(canonical([grantId, tool, until, rest]))
    .digest();
}

/** Returns the token that confirms this call. No replica stores it: it is a signature of the call and its expiry. */
export function confirmationFor(cipher: Pick<Cipher, 'deriveKey'>, call: Confirmed, nowMs = Date.now()): string {
  const until = String(Math.floor(nowMs / 1000) + confirmationSeconds);
  return `${until}.${sign(cipher, call, until).toString('base64url')}`;
}

/** Returns whether a token confirms this call, now. */
export function isConfirmed(
  cipher: Pick<Cipher, 'deriveKey'>,
  call: Confirmed,
  token: string,
  nowMs = Date.now(),
): boolean {
  const [until = '', signature = ''] = token.split('.', 2);
  if (!/^\d{1,12}$/.test(until) || Number(until) * 1000 < nowMs) return false;
  const actual = Buffer.from(signature, 'base64url');
  const expected = sign(cipher, call, until);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
