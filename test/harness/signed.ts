import type { SignatureCheck } from '../../services/features/inbound/signature.ts';

/** What a check says of a body that comes in one piece; false where the header was refused before. */
export function isSigned(check: SignatureCheck | undefined, body: Buffer): boolean {
  check?.update(body);
  return check?.matches() ?? false;
}
