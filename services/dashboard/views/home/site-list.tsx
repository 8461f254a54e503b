import { Link, Navigate } from '@tanstack/react-router';
import { useSites } from '../../app/sites.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import sheet from './home.css?url';
import { strings } from './strings.ts';

/** The sites of the person; with a single one, that site. */
export default function SiteList() {
  const sites = useSites();
  if (sites.isPending) return <Pending />;
  if (sites.error) return <ProblemView error={sites.error} onRetry={() => void sites.refetch()} />;
  if (sites.data.length === 0) return <EmptyState title={strings.noSites} text={strings.noSitesText} />;
  if (sites.data.length === 1) return <Navigate to={`/sites/${sites.data[0]!.slug}`} replace />;
  return (
    <Page title={strings.sites} lead={strings.sitesLead(sites.data.length)}>
      <Sheet url={sheet} />
      <ul className="site-list">
        {sites.data.map(({ slug, name, url, live_release }) => (
          <li key={slug}>
            <Link to={`/sites/${slug}`}>
              <strong>{name}</strong>
              <span>{url.replace(/^https?:\/\//, '')}</span>
              <small data-live={live_release !== null || undefined}>
                {live_release === null ? strings.neverPublished : strings.published}
              </small>
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  );
}
