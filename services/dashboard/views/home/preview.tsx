import { useQuery } from '@tanstack/react-query';
import ArrowUpRight from 'lucide-react/icons/arrow-up-right';
import { dataOf, rest } from '../../app/api.ts';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { strings } from './strings.ts';

/** The link to the latest preview of the stored site; nothing before the first preview. */
export function PreviewSection({ site }: { site: string }) {
  const { data } = useQuery({
    queryKey: ['shell-preview', site],
    queryFn: ({ signal }) => dataOf(rest.GET('/sites/{site}/shell/preview', { params: { path: { site } }, signal })),
  });
  if (!data?.url) return null;
  return (
    <Section title={strings.preview} facts={strings.previewFact}>
      <a className="live-url" href={data.url} target="_blank" rel="noreferrer">
        {strings.openPreview}
        <ArrowUpRight aria-hidden size={15} />
      </a>
      {data.expires_at !== null && (
        <p className="quiet">
          {strings.previewExpires} <Time at={data.expires_at} />.
        </p>
      )}
    </Section>
  );
}
