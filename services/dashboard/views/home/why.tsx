import { useQuery } from '@tanstack/react-query';
import { dataOf, rest } from '../../app/api.ts';
import { Pending } from '../../parts/pending.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { strings } from './strings.ts';

/** Why the build of a release rendered a page: what had changed of the things that the page reads. */
export function Why({ site, release, path }: { site: string; release: string; path: string }) {
  const why = useQuery({
    queryKey: ['why', site, release, path],
    queryFn: ({ signal }) =>
      dataOf(
        rest.GET('/sites/{site}/releases/{release}/why', {
          params: { path: { site, release }, query: { path } },
          signal,
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (why.isPending) return <Pending />;
  if (why.error) return <ProblemView error={why.error} />;
  const { rendered, reasons } = why.data;
  if (rendered === null) return <p className="quiet">{strings.why.unknown}</p>;
  return (
    <ul className="why">
      {reasons.map((reason) => {
        const subject = reason.name ?? reason.path ?? reason.handle ?? reason.tag ?? reason.locale;
        return (
          <li key={JSON.stringify(reason)}>
            {strings.why.kinds[reason.kind]}
            {subject !== undefined && subject !== null && (
              <>
                : <code>{subject}</code>
              </>
            )}
          </li>
        );
      })}
      {reasons.length === 0 && <li>{strings.why.nothing}</li>}
    </ul>
  );
}
