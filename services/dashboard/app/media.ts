import type { components } from '../../client/schema.ts';
import { dataOf, rest } from './api.ts';

/** An item of the media library. */
export type Media = components['schemas']['Media'];

export const libraryKey = (site: string) => ['sites', site, 'media'] as const;

/** Returns the options of a query for an item of the library. Refreshing the library refreshes it. */
export const mediaQuery = (site: string, id: string) => ({
  queryKey: [...libraryKey(site), id] as const,
  queryFn: ({ signal }: { signal?: AbortSignal }) =>
    dataOf(rest.GET('/sites/{site}/media/{id}', { params: { path: { site, id } }, ...(signal && { signal }) })),
});

/** Returns the URL of the smallest WebP variant that is at least `width` pixels wide, or of the original file. */
export function variantUrl({ variants, url }: Pick<Media, 'variants' | 'url'>, width: number): string {
  const wide = variants.filter((variant) => variant.format === 'webp' && variant.width >= width);
  return wide.sort((a, b) => a.width - b.width)[0]?.url ?? url;
}
