import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callOwn } from '../../app/api.ts';
import { siteViews } from '../../app/views.ts';
import type { Changes } from '../../parts/activity.ts';
import { Section } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { Time } from '../../parts/time.tsx';
import { strings } from './strings.ts';

type Item = Changes['items']['listed'][number];

/** The title, as a link where there is a view of content. */
function ItemTitle({ site, item: { id, title, change } }: { site: string; item: Item }) {
  const text = title ?? strings.deletedItem;
  const isOpenable = title !== null && change !== 'removed' && siteViews.some(({ name }) => name === 'content');
  return isOpenable ? <Link to={`/sites/${site}/content/${id}`}>{text}</Link> : <strong>{text}</strong>;
}

function listOther({ shell, components, redirects, scripts, site }: Changes): string[] {
  const { otherChanges } = strings;
  return [
    ...(shell.length > 0 ? [otherChanges.shell(shell.length)] : []),
    ...(components.length > 0 ? [otherChanges.components(components.length)] : []),
    ...(redirects.length > 0 ? [otherChanges.redirects(redirects.length)] : []),
    ...(scripts.length > 0 ? [otherChanges.scripts(scripts.length)] : []),
    ...(site ? [otherChanges.site] : []),
  ];
}

function ChangeList({ site, changes }: { site: string; changes: Changes }) {
  const { added, updated, removed, listed } = changes.items;
  const items = added + updated + removed;
  const other = listOther(changes);
  const sum =
    items +
    changes.shell.length +
    changes.components.length +
    changes.redirects.length +
    changes.scripts.length +
    (changes.site ? 1 : 0);
  if (sum === 0) return <p className="quiet">{strings.noChanges}</p>;
  return (
    <>
      <p>{strings.changesSum(sum)}</p>
      <ul className="rows">
        {listed.map((item) => (
          <li key={item.id}>
            <span>
              <span className="badge" data-change={item.change}>
                {strings.change[item.change]}
              </span>
              <ItemTitle site={site} item={item} />
            </span>
            {item.updated_at !== null && (
              <small>
                <Time at={item.updated_at} />
              </small>
            )}
          </li>
        ))}
        {items > listed.length && <li className="quiet">{strings.moreItems(items - listed.length)}</li>}
        {other.map((text) => (
          <li key={text}>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What the next publish would change. */
export function ChangesSection({ site }: { site: string }) {
  const changes = useQuery({
    queryKey: ['changes', site],
    queryFn: ({ signal }) => callOwn<Changes>('GET', `/sites/${site}/changes`, undefined, signal),
    staleTime: 0,
  });
  const fact = changes.data?.live_release === null ? strings.changesFactNew : strings.changesFact;
  return (
    <Section title={strings.changes} facts={fact}>
      {changes.isPending && <Pending />}
      {changes.error && <ProblemView error={changes.error} onRetry={() => void changes.refetch()} />}
      {changes.data && <ChangeList site={site} changes={changes.data} />}
    </Section>
  );
}
