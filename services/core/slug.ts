import anyAscii from 'any-ascii';

/** Maximum length of a stored slug (contract: Behaviour, Slug). */
export const maxSlugLength = 120;

/** The slug of a text that contains nothing to transliterate. */
export const fallbackSlug = 'untitled';

/**
 * Derives a slug from any text: transliterated, lowercase `[a-z0-9-]`, no leading, trailing or double hyphen, at most
 * 120 characters, never empty (contract: Behaviour, Slug). A slug from a client goes through the same function.
 */
export function deriveSlug(text: string): string {
  const letters = anyAscii(text.toWellFormed()).toLowerCase().replace(/['`]/g, '');
  const words = trimHyphens(letters.replace(/[^a-z0-9]+/g, '-'));
  return trimHyphens(words.slice(0, maxSlugLength)) || fallbackSlug;
}

/** Normalizes a slug from a client (contract: Behaviour, Content: "normalised like a derived one"). */
export const normaliseSlug = deriveSlug;

/** Returns the n-th variant of a slug in use (`post-2`), shortened so that it stays within 120 characters. */
export function withCounter(slug: string, n: number): string {
  const suffix = `-${n}`;
  return trimHyphens(slug.slice(0, maxSlugLength - suffix.length)) + suffix;
}

/** Number of candidates in the first query; each later query has four times as many, up to a maximum. */
const firstCandidates = 16;
const maxCandidates = 1024;

/**
 * Returns the first of `base`, `base-2`, `base-3`, … that `selectTaken` does not return and `isOpen` accepts. Queries
 * these exact slugs, because most slugs of a site may begin with `base-`.
 */
export async function findFreeSlug(
  base: string,
  selectTaken: (candidates: readonly string[]) => Promise<ReadonlySet<string>>,
  isOpen: (slug: string) => boolean = () => true,
): Promise<string> {
  for (let first = 1, count = firstCandidates; ; first += count, count = Math.min(count * 4, maxCandidates)) {
    const numbers = Array.from({ length: count }, (_, index) => first + index);
    const candidates = numbers.map((n) => (n === 1 ? base : withCounter(base, n)));
    const taken = await selectTaken(candidates);
    const free = candidates.find((slug) => !taken.has(slug) && isOpen(slug));
    if (free !== undefined) return free;
  }
}

function trimHyphens(text: string): string {
  return text.replace(/^-|-$/g, '');
}
