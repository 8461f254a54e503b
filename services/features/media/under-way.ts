import { problem } from '../../core/errors.ts';

/** Each holds about a megabyte. More than any browser or program sends at once. */
const mostOfOneUser = 64;
const underWay = new WeakMap<object, Map<string, number>>();

/**
 * Counts an upload that a user sends to this process, until the function returned is called once. An upload may take as long as its sender
 * wants: without a limit one user's could fill the memory. `owner` is what lives as long as the process. Throws `unavailable`.
 */
export function enterUpload(owner: object, userId: string | null): () => void {
  const counts = underWay.get(owner) ?? new Map<string, number>();
  underWay.set(owner, counts);
  const key = userId ?? '';
  const count = counts.get(key) ?? 0;
  if (count >= mostOfOneUser) {
    const message = `The user has ${mostOfOneUser} uploads under way; try again when some have ended.`;
    throw problem('unavailable', message, { retryAfterSeconds: 5 });
  }
  counts.set(key, count + 1);
  return () => {
    const left = counts.get(key)! - 1;
    if (left > 0) counts.set(key, left);
    else counts.delete(key);
  };
}
