import { problem } from '../../core/errors.ts';

/** Each upload uses about a megabyte of memory. Browsers and programs send fewer at the same time. */
const mostOfOneUser = 64;
const underWay = new WeakMap<object, Map<string, number>>();

/**
 * Counts an upload in progress of a user in this process. The returned function ends it; call it once. The duration of an
 * upload is not limited, so without this limit one user's uploads could fill the memory. `owner`: an object that
 * lives as long as the process. Throws `unavailable`.
 */
export function enterUpload(owner: object, userId: string | null): () => void {
  const counts = underWay.get(owner) ?? new Map<string, number>();
  underWay.set(owner, counts);
  const key = userId ?? '';
  const count = counts.get(key) ?? 0;
  if (count >= mostOfOneUser) {
    const message = `The user has ${mostOfOneUser} uploads in progress; try again when some have ended.`;
    throw problem('unavailable', message, { retryAfterSeconds: 5 });
  }
  counts.set(key, count + 1);
  return () => {
    const left = counts.get(key)! - 1;
    if (left > 0) counts.set(key, left);
    else counts.delete(key);
  };
}
