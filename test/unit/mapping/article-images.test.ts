import { describe, expect, test } from '@jest/globals';
import { problem } from '../../../services/core/errors.ts';
import type { Site } from '../../../services/core/http.ts';
import { TurnMissed } from '../../../services/features/mapping/images/article-clock.ts';
import { importArticleImages } from '../../../services/features/mapping/images/article-images.ts';
import { createImageImporter, type Transfer } from '../../../services/features/mapping/images/import-images.ts';

const site = { id: 'a-site' } as Site;
const never = new AbortController().signal;
const limits = { imageTimeoutMs: 60_000, articleTimeoutMs: 60_000, maxWaitMs: 60_000 };

const article = (...names: string[]) => ({
  site,
  title: 'T',
  html: names.map((name) => `<img src="https://pictures.test/${name}">`).join(''),
  featuredUrl: null,
});
const nameOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);
const found = (url: string) =>
  ({ row: { id: nameOf(url), kind: 'image' }, isNew: true }) as Awaited<ReturnType<Transfer>>;

/** Ends only at its timeout, like a server that sends nothing. */
const silence = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });

test('an image that waits behind slow ones of other articles still has all its time', async () => {
  const transfer: Transfer = async ({ url }, signal) => {
    if (nameOf(url) === 'slow') return silence(signal);
    signal.throwIfAborted();
    return found(url);
  };
  const images = createImageImporter(transfer, 1);
  const short = { ...limits, imageTimeoutMs: 50 };
  const [slow, quick] = await Promise.all([
    importArticleImages(images, article('slow'), never, short),
    importArticleImages(images, article('quick'), never, short),
  ]);
  expect(slow.omitted).toEqual([{ url: 'https://pictures.test/slow', reason: 'The image took too long to arrive.' }]);
  expect(quick).toMatchObject({ omitted: [], imported: [{ media_id: 'quick' }] });
});

test('a slow server holds up its article no longer than an article has', async () => {
  const images = createImageImporter((_request, signal) => silence(signal));
  const names = Array.from({ length: 40 }, (_, n) => `slow-${n}`);
  const { omitted } = await importArticleImages(images, article(...names), never, { ...limits, articleTimeoutMs: 100 });
  expect(omitted).toHaveLength(40);
});

test('an image whose turn comes too late is no reason to leave it out: the attempt fails and another goes on', async () => {
  const images = createImageImporter(async ({ url }) => found(url));
  await expect(importArticleImages(images, article('a'), never, { ...limits, maxWaitMs: -1 })).rejects.toThrow(
    TurnMissed,
  );
});

test('nothing of an article is under way when its attempt has failed', async () => {
  let running = 0;
  const images = createImageImporter(async ({ url }) => {
    if (nameOf(url) === 'first') throw problem('unavailable', 'The store is away.');
    running++;
    await new Promise((resolve) => setTimeout(resolve, 20));
    running--;
    return found(url);
  });
  await expect(importArticleImages(images, article('first', 'second', 'third'), never, limits)).rejects.toThrow('away');
  expect(running).toBe(0);
});

describe('several articles with one image', () => {
  test.each([
    ['succeeds', 1],
    ['fails', 3],
  ])('are never fetched for at once, also when the first %s', async (how, calls) => {
    const library = new Set<string>();
    let running = 0;
    let most = 0;
    let fetched = 0;
    const images = createImageImporter(async ({ url }) => {
      if (library.has(url)) return { ...found(url), isNew: false };
      fetched++;
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      if (how === 'fails') throw problem('fetch_refused', 'No.');
      library.add(url);
      return found(url);
    });
    await Promise.all([1, 2, 3].map(() => importArticleImages(images, article('shared'), never, limits)));
    expect({ most, fetched }).toEqual({ most: 1, fetched: calls });
  });
});
