import { hash } from 'node:crypto';

/** A strong entity tag of a reply's body: the same bytes, the same tag, in every process. */
export function etagOf(body: string | Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

/** Whether a list of tags, as in `If-Match` or `If-None-Match`, names this one; `*` names any. */
export function namesTag(header: string, etag: string): boolean {
  const strip = (tag: string) => tag.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((tag) => strip(tag) === etag);
}
