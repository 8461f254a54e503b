import { notFound } from '../../core/errors.ts';
import type { GuardedFetcher } from '../../engines/fetch/fetcher.ts';
import type { App } from '../app.ts';
import { loadBody, selectContent } from '../content/index.ts';
import { checkFacts } from './check-facts.ts';
import { createFactCheckProvider } from './providers/index.ts';
import type { FactCheckReport } from './types.ts';

interface Deps {
  app: Pick<App, 'db' | 'objects' | 'config'>;
  fetcher: GuardedFetcher;
  signal?: AbortSignal;
}

/** Checks a stored item; changes nothing (contract: fact check). Throws `not_found`. */
export async function checkItem(
  { app, fetcher, signal }: Deps,
  order: { siteId: string; contentId: string },
): Promise<FactCheckReport> {
  const row = await selectContent(app.db, order.siteId, order.contentId);
  if (!row || row.trashed_at) throw notFound('content item');
  const input = {
    contentId: row.id,
    title: row.title,
    bodyHtml: await loadBody(app.objects, row),
    locale: row.locale,
    publishedAt: row.published_at,
  };
  const provider = createFactCheckProvider(app.config.factCheck);
  return checkFacts(input, { fetcher, provider, clock: () => new Date(), ...(signal ? { signal } : {}) });
}
