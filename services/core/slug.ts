import anyAscii from 'any-ascii';

/** The longest slug that is ever stored (contract: Behaviour, Slug). */
export const maxSlugLength = 120;

/** The slug of a text in which nothing can be transliterated. */
export const fallbackSlug = 'untitled';

const chunkLength = 1024;

/**
 * Makes the slug of any text: transliterated, lowercase `[a-z0-9-]`, no leading, trailing or double hyphen, at most
 * 120 characters, never empty (contract: Behaviour, Slug). A given slug goes through the same function.
 * Works through the text in pieces and stops when the slug is full, so a huge title costs no more than a long one.
 */
export function deriveSlug(text: string): string {
  let slug = '';
  for (let start = 0; start < text.length && slug.length <= maxSlugLength; ) {
    const end = endOfChunk(text, start);
    slug = joinWords(slug + toAsciiWords(text.slice(start, end)));
    start = end;
  }
  return trimHyphens(trimHyphens(slug).slice(0, maxSlugLength)) || fallbackSlug;
}

/** Normalises a slug that a client gave (contract: Behaviour, Content: "normalised like a derived one"). */
export const normaliseSlug = deriveSlug;

/** The n-th variant of a taken slug (`post-2`), shortened so that it stays within 120 characters. */
export function withCounter(slug: string, n: number): string {
  const suffix = `-${n}`;
  return trimHyphens(slug.slice(0, maxSlugLength - suffix.length)) + suffix;
}

/** Never cuts a surrogate pair in two. */
function endOfChunk(text: string, start: number): number {
  const end = Math.min(start + chunkLength, text.length);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}

function toAsciiWords(text: string): string {
  return anyAscii(text.toWellFormed()).toLowerCase().replace(/['`]/g, '');
}

function joinWords(text: string): string {
  return text.replace(/[^a-z0-9]+/g, '-');
}

function trimHyphens(text: string): string {
  return text.replace(/^-+/, '').replace(/-$/, '');
}
