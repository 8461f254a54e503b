import { hash } from 'node:crypto';

/** Returns a strong entity tag of a reply's body: the same bytes have the same tag in every process. */
export function etagOf(body: string | Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

const entityTags = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

const elements = /^\*$|^(?:[ \t,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?=,|$))+[ \t,]*$/;

/** Returns whether an `If-Match` is valid (RFC 9110, 13.1.1): `*`, or entity tags in quotes, separated by commas. */
export const isTagList = (header: string): boolean => elements.test(header.trim());

/**
 * Returns whether a list of tags, as in `If-Match` or `If-None-Match`, contains this one; `*` matches any (RFC 9110,
 * 13.1). The strong comparison ignores weak tags in the list.
 */
export function namesTag(header: string, etag: string, comparison: 'weak' | 'strong' = 'weak'): boolean {
  if (header === etag || header.trim() === '*') return true;
  for (const [, weak, tag] of header.matchAll(entityTags)) {
    if (tag === etag && !(weak && comparison === 'strong')) return true;
  }
  return false;
}
