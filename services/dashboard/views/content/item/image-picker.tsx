import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageOf, rest } from '../../../app/api.ts';
import { libraryKey, type Media, variantUrl } from '../../../app/media.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { Pager } from '../../../parts/pager.tsx';
import { strings } from './strings.ts';

const perPage = 24;
const thumbnailWidth = 320;

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
    queryKey: [...libraryKey(site), 'pick', page],
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
                    <img src={variantUrl(media, thumbnailWidth)} alt={media.alt || media.filename} loading="lazy" />
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
