import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { pageOf, rest } from '../../app/api.ts';
import { describeTime } from '../../app/format.ts';
import { Button } from '../../parts/button.tsx';
import { Section } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { Time } from '../../parts/time.tsx';
import { Difference } from './difference.tsx';
import { useRollback } from './rollback.ts';
import { strings } from './strings.ts';

const shownReleases = 8;

const readReleases = (site: string, signal: AbortSignal) =>
  pageOf(
    rest.GET('/sites/{site}/releases', { params: { path: { site }, query: { per_page: shownReleases } }, signal }),
  );
type Release = Awaited<ReturnType<typeof readReleases>>['data'][number];

interface RowProps {
  site: string;
  release: Release;
  live: Release | undefined;
  /** The release before this one. */
  before: Release | undefined;
}

function ReleaseRow({ site, release, live, before }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  const rollBack = useRollback(site);
  const row = useRef<HTMLLIElement>(null);
  // the button that was pressed is gone once the release is live: without this, the keyboard starts at the top again
  const hadFocus = useRef(false);
  useEffect(() => {
    if (release.live && hadFocus.current && document.activeElement === document.body) row.current?.focus();
    hadFocus.current = false;
  }, [release.live]);
  const when = describeTime(release.created_at);
  const other = release.live ? before : live;
  return (
    <li ref={row} className="release" tabIndex={-1}>
      <div className="release-line">
        <div>
          <strong>
            <Time at={release.created_at} />
          </strong>
          {release.live && <span className="badge badge-live">{strings.live}</span>}
          <small>{strings.releasePages(release.pages, release.changed)}</small>
        </div>
        <div className="buttons">
          {other && (
            <Button
              variant="quiet"
              aria-expanded={isOpen}
              aria-label={release.live ? strings.compareLiveLabel : strings.compareLabel(when)}
              onPress={() => setOpen(!isOpen)}
            >
              {release.live ? strings.compareLive : strings.compare}
            </Button>
          )}
          {!release.live && (
            <Button
              aria-label={strings.makeLiveLabel(when)}
              onPress={() => {
                hadFocus.current = true;
                rollBack({ to: release.id, from: live?.id ?? null });
              }}
            >
              {strings.makeLive}
            </Button>
          )}
        </div>
      </div>
      {isOpen && other && (
        <Difference
          site={site}
          release={release.id}
          other={other.id}
          hasReasons={release.live}
          lead={release.live ? strings.differenceOfLive : strings.difference}
        />
      )}
    </li>
  );
}

/** The newest releases: each can be compared with the live one, and made live again. */
export function ReleasesSection({ site }: { site: string }) {
  const releases = useQuery({ queryKey: ['releases', site], queryFn: ({ signal }) => readReleases(site, signal) });
  const list = releases.data?.data ?? [];
  const live = list.find((release) => release.live);
  return (
    <Section title={strings.releases} facts={strings.releasesFact}>
      {releases.isPending && <Pending />}
      {releases.error && <ProblemView error={releases.error} onRetry={() => void releases.refetch()} />}
      {releases.data && list.length === 0 && <p className="quiet">{strings.noReleases}</p>}
      {list.length > 0 && (
        <ul className="rows">
          {list.map((release, at) => (
            <ReleaseRow key={release.id} site={site} release={release} live={live} before={list[at + 1]} />
          ))}
        </ul>
      )}
    </Section>
  );
}
