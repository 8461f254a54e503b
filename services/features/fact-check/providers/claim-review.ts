import { z } from 'zod';
import { countShared, significantWords } from '../text/words.ts';
import type { Verdict } from '../types.ts';
import type { FactCheckProvider, ProviderClaim, ProviderContext, ProviderVerdict } from './provider.ts';
import { requestJson } from './request.ts';

const maxClaims = 12;
const maxParallel = 4;
const maxQueryChars = 300;
/** Minimum share of the claim's significant words in a published review about it. */
const minShared = 0.6;

const reviewSchema = z.object({
  url: z.string().default(''),
  title: z.string().default(''),
  textualRating: z.string().default(''),
  publisher: z.object({ name: z.string().default(''), site: z.string().default('') }).default({ name: '', site: '' }),
});
const replySchema = z.object({
  claims: z
    .array(z.object({ text: z.string().default(''), claimReview: z.array(reviewSchema).default([]) }))
    .default([]),
});

/**
 * The wording of fact checkers' ratings; the first match counts, so mixed ratings precede the words that they contain.
 */
const ratings: [Verdict | null, RegExp][] = [
  [null, /\b(?:half|partly|partially|mostly|mixture|mixed|misleading|missing context|unproven|disputed)\b/i],
  [
    'contradicted',
    /\b(?:false|incorrect|wrong|inaccurate|fake|hoax|pants on fire|not true|untrue|debunked|fabricated|falsch|faux|falso)\b/i,
  ],
  ['supported', /\b(?:true|correct|accurate|verified|richtig|wahr|vrai|verdadero)\b/i],
];

/**
 * Creates a provider that queries a ClaimReview search with the API of Google's Fact Check Tools; `url` is the URL of
 * the search.
 */
export function createClaimReviewProvider(settings: { url: string; apiKey: string }): FactCheckProvider {
  async function checkOne(claim: ProviderClaim, index: number, context: ProviderContext): Promise<ProviderVerdict[]> {
    const url = new URL(settings.url);
    url.searchParams.set('query', claim.text.slice(0, maxQueryChars));
    url.searchParams.set('languageCode', context.locale);
    url.searchParams.set('pageSize', '5');
    if (settings.apiKey) url.searchParams.set('key', settings.apiKey);
    return readReviews(await requestJson(url, { method: 'GET', headers: {}, signal: context.signal }), claim, index);
  }

  async function check(claims: readonly ProviderClaim[], context: ProviderContext): Promise<ProviderVerdict[]> {
    const checked = claims.slice(0, maxClaims);
    const verdicts: ProviderVerdict[] = [];
    for (let from = 0; from < checked.length; from += maxParallel) {
      const batch = checked.slice(from, from + maxParallel);
      const results = await Promise.all(batch.map((claim, offset) => checkOne(claim, from + offset, context)));
      verdicts.push(...results.flat());
    }
    return verdicts;
  }

  return { name: 'claimreview', check };
}

function readReviews(reply: unknown, claim: ProviderClaim, index: number): ProviderVerdict[] {
  const parsed = replySchema.safeParse(reply);
  const words = significantWords(claim.text);
  const about = (parsed.data?.claims ?? []).find((found) => {
    return words.size > 0 && countShared(words, significantWords(found.text)) / words.size >= minShared;
  });
  const review = about?.claimReview[0];
  if (!about || !review) return [];
  const publisher = review.publisher.name || review.publisher.site || 'A fact checker';
  const verdict = ratings.find(([, pattern]) => pattern.test(review.textualRating))?.[0] ?? null;
  const message = `${publisher} rates a like claim: ${review.textualRating || review.title}`.slice(0, 500);
  return [
    {
      claim: index,
      verdict,
      message,
      excerpt: about.text.slice(0, 300),
      ...(isWebUrl(review.url) ? { url: review.url } : {}),
    },
  ];
}

function isWebUrl(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}
