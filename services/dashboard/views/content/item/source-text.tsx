import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { dataOf, rest } from '../../../app/api.ts';
import { Pending } from '../../../parts/pending.tsx';
import { ProblemView } from '../../../parts/problem-view.tsx';
import { itemKey } from './data.ts';
import { strings } from './strings.ts';

const RichText = lazy(() => import('../editor/rich-text.tsx'));

const ignore = () => undefined;

/** The source item of a translation, beside it. */
export function SourceText({ site, id }: { site: string; id: string }) {
  const source = useQuery({
    queryKey: itemKey(site, id),
    queryFn: ({ signal }) => dataOf(rest.GET('/sites/{site}/content/{id}', { params: { path: { site, id } }, signal })),
  });
  if (source.isPending) return <Pending />;
  if (source.error) return <ProblemView error={source.error} onRetry={() => void source.refetch()} />;
  const { locale, title, body_html: html } = source.data;
  return (
    <section className="item-source" lang={locale} aria-label={strings.sourceOf(locale)}>
      <p className="field-description">{strings.sourceOf(locale)}</p>
      <p className="item-title">{title}</p>
      <Suspense fallback={<Pending />}>
        <RichText site={site} html={html} onReady={ignore} onChange={ignore} isReadOnly />
      </Suspense>
    </section>
  );
}
