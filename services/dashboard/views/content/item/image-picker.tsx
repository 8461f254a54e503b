import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '../../../../client/schema.ts';
import { pageOf, rest } from '../../../app/api.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Pager } from '../../../parts/pager.tsx';
import { strings } from './strings.ts';

type Media = components['schemas']['Media'];

const perPage = 24;
const thumbnailWidth = 320;

/** Returns the URL of the smallest variant that is at least `width` wide, or of the original. */
export function imageUrl({ variants, url }: Pick<Media, 'variants' | 'url'>, width: number): string {
  const wide = variants.filter((variant) => variant.format === 'webp' && variant.width >= width);
  return wide.sort((a, b) => a.width - b.width)[0]?.url ?? url;
}

/** The images of the library, of which one is chosen. */
export function ImagePicker({
  site,
  chosen,
  onChoose,
}: {
  site: string;
  chosen: string | null;
  onChoose: (id: string) => void;
}) {
  const [page, setPage] = useState(1);
  const images = useQuery({
    queryKey: ['sites', site, 'media', 'pick', page],
    queryFn: ({ signal }) =>
      pageOf<Media>(
        rest.GET('/sites/{site}/media', {
          params: { path: { site }, query: { kind: 'image', page, per_page: perPage } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={images}>
      {({ data, pagination }) =>
        pagination.total === 0 ? (
          <EmptyState title={strings.noImages} text={strings.noImagesText} />
        ) : (
          <>
            <ul className="image-picker">
              {data.map((media) => (
                <li key={media.id}>
                  <button type="button" aria-pressed={media.id === chosen} onClick={() => onChoose(media.id)}>
                    <img src={imageUrl(media, thumbnailWidth)} alt={media.alt || media.filename} loading="lazy" />
                    <span aria-hidden>{media.filename}</span>
                  </button>
                </li>
              ))}
            </ul>
            <Pager pagination={pagination} onChange={setPage} />
          </>
        )
      }
    </Loaded>
  );
}
