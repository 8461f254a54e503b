import { localePrefix } from '../../core/public-paths.ts';
import { feedItems, renderFeed } from '../feed.ts';
import { makeLinksAbsolute } from '../links.ts';
import type { PagePlan } from '../page-plan.ts';
import { reads } from '../reads.ts';
import type { PageLog, RenderData } from './page-log.ts';
import type { createPageScope } from './page-scope.ts';

/** Renders the feed of a locale: its newest posts with their bodies and absolute URLs (contract: What is published). */
export function renderFeedPage(
  data: RenderData,
  plan: PagePlan,
  scope: ReturnType<typeof createPageScope>,
  log: PageLog,
): string {
  const { index, siteUrl } = data;
  const { site } = index.inputs;
  const { locale } = plan;
  const query = { locale, tag: null, offset: 0, limit: feedItems };
  log.reads.add(reads.posts(query));
  const entries = index.posts(query).map((item) => {
    const url = siteUrl + encodeURI(index.pathOf(item));
    return { item, url, html: makeLinksAbsolute(scope.expandItem(item), url, siteUrl) };
  });
  const tagline = site.settings['description'] ?? site.settings['tagline'];
  return renderFeed({
    title: site.name,
    description: typeof tagline === 'string' ? tagline : site.name,
    locale,
    homeUrl: siteUrl + localePrefix(locale, site),
    feedUrl: siteUrl + plan.path,
    entries,
  });
}
