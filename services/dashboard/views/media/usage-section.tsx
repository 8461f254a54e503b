import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { pageOf, rest } from '../../app/api.ts';
import { libraryKey } from '../../app/media.ts';
import { Badge } from '../../parts/badge.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { strings } from './strings.ts';

/** The items that use an item of the library, each with the places where. */
export function UsageSection({ site, id }: { site: string; id: string }) {
  const [page, setPage] = useState(1);
  const usage = useQuery({
    queryKey: [...libraryKey(site), id, 'usage', page],
    queryFn: ({ signal }) =>
      pageOf(rest.GET('/sites/{site}/media/{id}/usage', { params: { path: { site, id }, query: { page } }, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <Section title={strings.usage} facts={strings.usageFact}>
      <Loaded query={usage}>
        {({ data, pagination }) =>
          pagination.total === 0 ? (
            <p>{strings.unused}</p>
          ) : (
            <>
              <ul className="rows" aria-label={strings.usageOf}>
                {data.map((use) => (
                  <li key={use.id}>
                    {use.trashed_at === null ? (
                      <Link to={`/sites/${site}/content/${use.id}`}>{use.title}</Link>
                    ) : (
                      <span>
                        {use.title} <Badge>{strings.inTrash}</Badge>
                      </span>
                    )}
                    <small>{use.places.map((place) => strings.places[place]).join(', ')}</small>
                  </li>
                ))}
              </ul>
              <Pager pagination={pagination} onChange={setPage} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
