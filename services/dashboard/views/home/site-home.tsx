import { Link, useParams } from '@tanstack/react-router';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import PenLine from 'lucide-react/icons/pen-line';
import { may, useMe } from '../../app/session.ts';
import { useSite } from '../../app/sites.ts';
import { useActivity } from '../../parts/activity.ts';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { ChangesSection } from './changes.tsx';
import sheet from './home.css?url';
import { JobsSection } from './jobs.tsx';
import { PreviewSection } from './preview.tsx';
import { PublishButton, PublishProgress } from './publish.tsx';
import { ReleasesSection } from './releases.tsx';
import { strings } from './strings.ts';

/** The overview of a site: what is live, what would be published, what runs, what went live before. */
export default function SiteHome() {
  const { site } = useParams({ strict: false }) as { site: string };
  const me = useMe();
  const record = useSite(site);
  const activity = useActivity(site);
  if (record.isPending || activity.isPending) return <Pending />;
  const error = record.error ?? activity.error;
  if (error)
    return <ProblemView error={error} onRetry={() => void Promise.all([record.refetch(), activity.refetch()])} />;
  const { name, url } = record.data!;
  const { live_release, jobs } = activity.data!;
  const mayWrite = may(me, 'content.write', site) !== 'none';
  const mayPublish = may(me, 'publish', site) !== 'none';
  return (
    <Page
      title={name}
      lead={
        live_release === null ? (
          strings.neverPublished
        ) : (
          <a className="live-url" href={url} target="_blank" rel="noreferrer">
            {url.replace(/^https?:\/\//, '').replace(/\/$/, '')}
            <ArrowUpRight aria-hidden size={15} />
          </a>
        )
      }
      actions={
        <>
          {mayWrite && (
            <Link className="button button-plain" to={`/sites/${site}/content`} search={{ write: true } as never}>
              <PenLine aria-hidden size={16} />
              {strings.writePost}
            </Link>
          )}
          {mayPublish && <PublishButton key={site} site={site} jobs={jobs} live={live_release} />}
        </>
      }
    >
      <Sheet url={sheet} />
      <PublishProgress jobs={jobs} />
      <ChangesSection site={site} />
      <JobsSection jobs={jobs} />
      {mayPublish && <ReleasesSection site={site} />}
      <PreviewSection site={site} />
    </Page>
  );
}
