/** One byte range, both ends inclusive; `unsatisfiable` is 416; `whole` means that the header does not apply. */
export type RangeResult = { first: number; last: number } | 'whole' | 'unsatisfiable';

const singleRange = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * Reads a Range header (RFC 9110, section 14). A malformed header, another unit and several ranges at once are answered
 * with the whole: a server may ignore Range, and multipart replies are worth their cost to no browser.
 */
export function parseRange(header: string, size: number): RangeResult {
  const match = singleRange.exec(header);
  if (!match) return 'whole';
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return 'whole';
  if (from === '') {
    const length = Number(to);
    return length === 0 || size === 0 ? 'unsatisfiable' : { first: Math.max(0, size - length), last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Number(to);
  if (to !== '' && last < first) return 'whole';
  return first >= size ? 'unsatisfiable' : { first, last: Math.min(last, size - 1) };
}

/** True when a Range may be answered under If-Range: strong comparison; a date never matches, the edge sends none. */
export function mayUseRange(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}
