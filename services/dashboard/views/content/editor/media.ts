import { dataOf, rest } from '../../../app/api.ts';
import { mediaIdOf } from './urls.ts';

/** The key of an item of the media library, below that of the library (views/media), so that its changes show here. */
export const mediaKey = (site: string, id: string) => ['sites', site, 'media', id] as const;

const shownWidth = 1200;

/** Returns a URL under which the page can show an image of the library: the smallest variant that is wide enough, or the original. */
export async function readImageUrl(site: string, src: string): Promise<string> {
  const id = mediaIdOf(src);
  if (id === undefined) return src;
  const media = await dataOf(rest.GET('/sites/{site}/media/{id}', { params: { path: { site, id } } }));
  const wide = media.variants.filter(({ width, format }) => format === 'webp' && width >= shownWidth);
  return wide.sort((a, b) => a.width - b.width)[0]?.url ?? media.url;
}
