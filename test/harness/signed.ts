import type { SignatureCheck } from '../../services/features/inbound/signature.ts';

/** Returns the result of a signature check for a body in one piece; false if the header was rejected before. */
export function isSigned(check: SignatureCheck | undefined, body: Buffer): boolean {
  check?.update(body);
  return check?.matches() ?? false;
}
