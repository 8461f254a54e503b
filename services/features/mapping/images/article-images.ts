import { Problem } from '../../../core/errors.ts';
import type { Site } from '../../../core/http.ts';
import { type ArticleLimits, createArticleClock, defaultArticleLimits, TurnMissed } from './article-clock.ts';
import { externalUrl } from './external-url.ts';
import { findImages } from './find-images.ts';
import type { ImageImporter, RunTransfer } from './import-images.ts';
import { type Replacement, rewriteImages } from './rewrite-images.ts';

/** Maximum number of concurrent transfers for one article. */
const maxParallel = 6;
const maxAltLength = 2000;

export interface Article {
  site: Site;
  title: string;
  html: string;
  featuredUrl: string | null;
}

export interface ArticleImages {
  /** The body with `media:` references. */
  html: string;
  featuredMediaId: string | null;
  imported: { url: string; media_id: string }[];
  omitted: { url: string; reason: string }[];
}

interface ImageRequest {
  /** Alternatives for one image, best first. */
  urls: string[];
  alt: string;
  /** The source has no alt text: the title is used instead. */
  altStandIn: boolean;
  /** For the report, if the image has no usable URL. */
  shown: string;
}

type Fetched = { url: string; mediaId: string } | { reason: string };

const plainText = (text: string) => text.toWellFormed().replaceAll('\0', '').slice(0, maxAltLength);

/**
 * Returns the reason for the result's reader; rethrows an error that the image did not cause, so that the delivery is
 * retried.
 */
function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) throw signal.reason;
  if (error instanceof TurnMissed) throw error;
  if (error instanceof Problem && error.code !== 'unavailable') return error.message;
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'The image took too long to arrive.';
  throw error;
}

/** Tries the alternatives one after the other. */
async function fetchOne(
  images: ImageImporter,
  site: Site,
  { urls, alt, altStandIn }: ImageRequest,
  run: RunTransfer,
  signal: AbortSignal,
): Promise<Fetched> {
  let reason = 'It has no URL that can be fetched.';
  for (const url of urls) {
    try {
      const { row } = await images.importImage({ site, url, alt, altStandIn, decorative: false }, run);
      return { url, mediaId: row.id };
    } catch (error) {
      reason = reasonOf(error, signal);
    }
  }
  return { reason };
}

/** Fetches all images. Throws an error that no image caused, after all transfers have ended. */
async function fetchAll(
  images: ImageImporter,
  site: Site,
  requests: readonly ImageRequest[],
  run: RunTransfer,
  signal: AbortSignal,
): Promise<Fetched[]> {
  const results: Fetched[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let index = next++; index < requests.length; index = next++) {
      results[index] = await fetchOne(images, site, requests[index]!, run, signal);
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: Math.min(maxParallel, requests.length) }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}

/**
 * Fetches the featured image and every external image of an article into the library and makes the body refer to them.
 * An image that cannot be fetched is removed with its empty wrapper and reported; it never prevents the article (spec:
 * Mappers, rule 3). Runs before the mapping transaction; fetched images are found by their URL, so a retry fetches
 * nothing twice.
 */
export async function importArticleImages(
  images: ImageImporter,
  article: Article,
  signal: AbortSignal,
  limits: ArticleLimits = defaultArticleLimits,
): Promise<ArticleImages> {
  const { site, title, html, featuredUrl } = article;
  const found = findImages(html);
  const describe = (alt: string | undefined) =>
    alt?.trim() ? { alt: plainText(alt), altStandIn: false } : { alt: plainText(title), altStandIn: true };
  const requests: ImageRequest[] = found.slots.map(({ urls, attributes }) => ({
    urls,
    ...describe(attributes.alt),
    shown: attributes.src ?? urls[0] ?? '',
  }));
  const featured = featuredUrl?.trim() ? externalUrl(featuredUrl) : null;
  if (featuredUrl?.trim())
    requests.push({ urls: featured ? [featured] : [], ...describe(undefined), shown: featuredUrl });
  const fetched = await fetchAll(images, site, requests, createArticleClock(limits, signal), signal);

  const imported = new Map<string, string>();
  const omitted = new Map<string, string>();
  const replacements = fetched.map((result, index): Replacement => {
    if ('mediaId' in result) {
      imported.set(result.url, result.mediaId);
      return { mediaId: result.mediaId, alt: requests[index]!.alt };
    }
    omitted.set(plainText(requests[index]!.shown), result.reason);
    return null;
  });
  return {
    html: rewriteImages(html, found, replacements.slice(0, found.slots.length)),
    featuredMediaId: featuredUrl?.trim() ? (replacements.at(-1)?.mediaId ?? null) : null,
    imported: [...imported].map(([url, media_id]) => ({ url, media_id })),
    omitted: [...omitted].map(([url, reason]) => ({ url, reason })),
  };
}
