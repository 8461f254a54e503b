import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { dataOf, rest } from '../../app/api.ts';
import { Page, Section } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { ProblemView } from '../../parts/problem-view.tsx';
import { strings } from './strings.ts';

/** The overview of a site. */
export default function SiteHome() {
  const { site } = useParams({ strict: false }) as { site: string };
  const record = useQuery({
    queryKey: ['sites', site],
    queryFn: ({ signal }) => dataOf(rest.GET('/sites/{site}', { params: { path: { site } }, signal })),
  });
  if (record.isPending) return <Pending />;
  if (record.error) return <ProblemView error={record.error} onRetry={() => void record.refetch()} />;
  const { name, url, live_release } = record.data;
  return (
    <Page title={name}>
      <Section title={strings.overview} facts={live_release === null ? strings.neverPublished : strings.published}>
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
      </Section>
    </Page>
  );
}
