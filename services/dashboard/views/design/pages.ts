import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { pageOf, rest } from '../../app/api.ts';
import { useSite } from '../../app/sites.ts';
import { strings } from './strings.ts';

/** A page that the preview can show. */
export interface SitePage {
  /** Below the root of the site, from a slash. */
  path: string;
  title: string;
}

const shownPages = 20;
const general: readonly SitePage[] = [
  { path: '/', title: strings.home },
  { path: '/posts/', title: strings.archive },
];

/** The path of a URL of the site below its root. */
export const pathBelow = (root: string, url: string): string =>
  `/${url.startsWith(root) ? url.slice(root.length).replace(/^\//, '') : new URL(url).pathname.slice(1)}`;

/** The pages of a site that contain a text in their title, or a typed path itself. */
export function usePages(site: string, text: string) {
  const root = useSite(site).data?.url;
  const isPath = text.startsWith('/');
  const items = useQuery({
    queryKey: ['content', site, 'pages', isPath ? '' : text],
    enabled: root !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<SitePage[]> => {
      const query = {
        status: 'published' as const,
        per_page: shownPages,
        fields: ['title' as const, 'url' as const],
        ...(text === '' || isPath ? {} : { q: text }),
      };
      const { data } = await pageOf(rest.GET('/sites/{site}/content', { params: { path: { site }, query }, signal }));
      return data.map(({ title, url }) => ({ title, path: pathBelow(root!, url) }));
    },
  });
  const wanted = text.toLowerCase();
  const named = general.filter(({ title, path }) => title.toLowerCase().includes(wanted) || path === text);
  const typed = isPath && !named.some(({ path }) => path === text) ? [{ path: text, title: text }] : [];
  return [...typed, ...named, ...(items.data ?? []).filter(({ path }) => !isPath || path.startsWith(text))];
}
