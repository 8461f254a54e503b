/** One byte range, both ends inclusive; `unsatisfiable` means 416; `whole` means that the header does not apply. */
export type RangeResult = { first: number; last: number } | 'whole' | 'unsatisfiable';

const singleRange = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * Parses a Range header (RFC 9110, section 14). A malformed header, another unit or several ranges return `whole`: a
 * server may ignore Range, and no browser needs multipart replies.
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

/** Returns whether If-Range permits a range: strong comparison; a date never matches, because the edge sends none. */
export function mayUseRange(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}
