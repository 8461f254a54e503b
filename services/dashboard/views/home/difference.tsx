import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callOwn } from '../../app/api.ts';
import type { ReleaseDifference } from '../../parts/activity.ts';
import { Button } from '../../parts/button.tsx';
import { Pending } from '../../parts/pending.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { strings } from './strings.ts';
import { Why } from './why.tsx';

type Kind = keyof ReleaseDifference;
const kinds: readonly Kind[] = ['added', 'changed', 'removed'];

interface Compared {
  site: string;
  release: string;
  /** Whether the paths can be explained: they are compared with the release that this one replaced. */
  hasReasons: boolean;
}

function PathRow({ site, release, hasReasons, kind, path }: Compared & { kind: Kind; path: string }) {
  const [isOpen, setOpen] = useState(false);
  const isExplained = hasReasons && kind !== 'removed' && path.endsWith('/');
  return (
    <li>
      <div className="path-line">
        <span className="badge" data-change={kind}>
          {strings.pathKinds[kind]}
        </span>
        <code>{path}</code>
        {isExplained && (
          <Button
            variant="quiet"
            aria-expanded={isOpen}
            aria-label={strings.whyLabel(path)}
            onPress={() => setOpen(!isOpen)}
          >
            {strings.whyButton}
          </Button>
        )}
      </div>
      {isOpen && <Why site={site} release={release} path={path} />}
    </li>
  );
}

/** The paths that differ between a release and another one, each with the reasons where they are known. */
export function Difference({ other, lead, ...compared }: Compared & { other: string; lead: string }) {
  const { site, release } = compared;
  const difference = useQuery({
    queryKey: ['difference', site, release, other],
    queryFn: ({ signal }) =>
      callOwn<ReleaseDifference>('GET', `/sites/${site}/releases/${release}/difference/${other}`, undefined, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (difference.isPending) return <Pending />;
  if (difference.error) return <ProblemView error={difference.error} onRetry={() => void difference.refetch()} />;
  const shown = kinds.filter((kind) => difference.data[kind].number > 0);
  const rest = kinds.reduce((sum, kind) => sum + difference.data[kind].number - difference.data[kind].listed.length, 0);
  return (
    <div className="difference">
      <p className="quiet">{shown.length === 0 ? strings.noDifference : lead}</p>
      <ul>
        {shown.flatMap((kind) =>
          difference.data[kind].listed.map((path) => (
            <PathRow key={`${kind} ${path}`} {...compared} kind={kind} path={path} />
          )),
        )}
        {rest > 0 && <li className="quiet">{strings.morePaths(rest)}</li>}
      </ul>
    </div>
  );
}
