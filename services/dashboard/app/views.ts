import type { LucideIcon } from 'lucide-react';
import Archive from 'lucide-react/icons/archive';
import Bot from 'lucide-react/icons/bot';
import Component from 'lucide-react/icons/component';
import FileCode from 'lucide-react/icons/file-code';
import FileText from 'lucide-react/icons/file-text';
import HeartPulse from 'lucide-react/icons/heart-pulse';
import House from 'lucide-react/icons/house';
import Images from 'lucide-react/icons/images';
import Inbox from 'lucide-react/icons/inbox';
import KeyRound from 'lucide-react/icons/key-round';
import Megaphone from 'lucide-react/icons/megaphone';
import Palette from 'lucide-react/icons/palette';
import ScrollText from 'lucide-react/icons/scroll-text';
import Settings from 'lucide-react/icons/settings';
import Shapes from 'lucide-react/icons/shapes';
import Signpost from 'lucide-react/icons/signpost';
import UserCog from 'lucide-react/icons/user-cog';
import Users from 'lucide-react/icons/users';
import type { ComponentType } from 'react';
import type { OperationKind } from '../../features/access/policy.ts';
import { itemsPerPage, listedMembers } from '../views/content/content-view.ts';

/** A page of a view. The module's default export is the component; it is loaded when the page is first opened. */
export interface ViewPage {
  /** Below the view's base, with `$name` parameters: `/`, `/$id`. */
  path: string;
  load: () => Promise<{ default: ComponentType }>;
  /**
   * What the page reads first, as paths below `/dashboard/api` that are exactly those of its requests. The browser sends them while it loads
   * the program, if the URL has no query.
   */
  reads?: readonly string[];
}

/** The headings of the navigation, in their order. */
export const viewGroups = ['Content', 'Design', 'Integrations', 'Administration'] as const;
export type ViewGroup = (typeof viewGroups)[number];

/** A view of the navigation (docs/dashboard.md, How to add a view). */
export interface View {
  /** The folder in `views/`, and the first segment of the path; empty for the start page of a site. */
  name: string;
  title: string;
  icon: LucideIcon;
  /** The heading below which the navigation lists it; without one it is above all of them. */
  group?: ViewGroup;
  /** The operation kind without which the view is not shown. */
  needs?: OperationKind;
  pages: readonly ViewPage[];
}

/** The views of a site, below `/sites/$site`, in the order of the navigation. */
export const siteViews: readonly View[] = [
  {
    name: '',
    title: 'Overview',
    icon: House,
    pages: [
      {
        path: '/',
        load: () => import('../views/home/site-home.tsx'),
        reads: [
          '/sites/$site/activity',
          '/sites/$site/changes',
          '/v1/sites/$site/releases?per_page=8',
          '/v1/sites/$site/shell/preview',
        ],
      },
    ],
  },
  {
    name: 'content',
    title: 'Content',
    icon: FileText,
    group: 'Content',
    pages: [
      {
        path: '/',
        load: () => import('../views/content/list/content-list.tsx'),
        reads: [
          `/v1/sites/$site/content?page=1&per_page=${itemsPerPage}&fields=${listedMembers.join(',')}`,
          '/v1/sites/$site/types?per_page=100',
        ],
      },
      { path: '/$id', load: () => import('../views/content/item/item-page.tsx') },
    ],
  },
  {
    name: 'media',
    title: 'Media',
    icon: Images,
    group: 'Content',
    needs: 'read',
    pages: [
      { path: '/', load: () => import('../views/media/media-page.tsx') },
      { path: '/$id', load: () => import('../views/media/item-page.tsx') },
    ],
  },
  {
    name: 'types',
    title: 'Content types',
    icon: Shapes,
    group: 'Content',
    needs: 'read',
    pages: [
      { path: '/', load: () => import('../views/types/types.tsx') },
      { path: '/$type', load: () => import('../views/types/type-page.tsx') },
    ],
  },
  {
    name: 'design',
    title: 'Design',
    icon: Palette,
    group: 'Design',
    needs: 'read',
    pages: [
      { path: '/', load: () => import('../views/design/design-page.tsx') },
      { path: '/snapshots', load: () => import('../views/design/snapshots/snapshots-page.tsx') },
    ],
  },
  {
    name: 'components',
    title: 'Components',
    icon: Component,
    group: 'Design',
    needs: 'read',
    pages: [
      { path: '/', load: () => import('../views/components/components.tsx') },
      { path: '/$handle', load: () => import('../views/components/component-page.tsx') },
    ],
  },
  {
    name: 'scripts',
    title: 'Scripts',
    icon: FileCode,
    group: 'Design',
    needs: 'read',
    pages: [
      { path: '/', load: () => import('../views/scripts/scripts.tsx') },
      { path: '/$id', load: () => import('../views/scripts/script-page.tsx') },
    ],
  },
  {
    name: 'redirects',
    title: 'Redirects',
    icon: Signpost,
    group: 'Design',
    needs: 'read',
    pages: [{ path: '/', load: () => import('../views/redirects/redirects.tsx') }],
  },
  {
    name: 'webhooks',
    title: 'Webhooks',
    icon: Inbox,
    group: 'Integrations',
    needs: 'read',
    pages: [
      { path: '/', load: () => import('../views/webhooks/webhooks.tsx') },
      { path: '/$id', load: () => import('../views/webhooks/integration-page.tsx') },
      { path: '/$id/$delivery', load: () => import('../views/webhooks/delivery-page.tsx') },
    ],
  },
  {
    name: 'events',
    title: 'Events',
    icon: Megaphone,
    group: 'Integrations',
    needs: 'read',
    pages: [
      { path: '/', load: () => import('../views/events/endpoints.tsx') },
      { path: '/$id', load: () => import('../views/events/endpoint-page.tsx') },
    ],
  },
  {
    name: 'settings',
    title: 'Settings',
    icon: Settings,
    group: 'Administration',
    needs: 'read',
    pages: [
      { path: '/', load: () => import('../views/settings/general-page.tsx') },
      { path: '/domains', load: () => import('../views/settings/domains-page.tsx') },
      { path: '/languages', load: () => import('../views/settings/languages-page.tsx') },
    ],
  },
  {
    name: 'people',
    title: 'People',
    icon: Users,
    group: 'Administration',
    needs: 'read',
    pages: [{ path: '/', load: () => import('../views/people/people.tsx') }],
  },
  {
    name: 'backups',
    title: 'Backups',
    icon: Archive,
    group: 'Administration',
    needs: 'backups',
    pages: [{ path: '/', load: () => import('../views/backups/backups.tsx') }],
  },
  {
    name: 'audit',
    title: 'Audit log',
    icon: ScrollText,
    group: 'Administration',
    needs: 'audit.read',
    pages: [{ path: '/', load: () => import('../views/audit/audit.tsx') }],
  },
];

/** A view of the whole installation, below `/`. */
export interface MainView extends Omit<View, 'needs' | 'group'> {
  onlyAdministrators?: boolean;
}

/** The views of the installation, in the order of the navigation. */
export const mainViews: readonly MainView[] = [
  {
    name: 'keys',
    title: 'Keys',
    icon: KeyRound,
    pages: [{ path: '/', load: () => import('../views/keys/keys.tsx') }],
  },
  {
    name: 'agents',
    title: 'Agents',
    icon: Bot,
    pages: [{ path: '/', load: () => import('../views/agents/agents.tsx') }],
  },
  {
    name: 'users',
    title: 'Users and teams',
    icon: UserCog,
    onlyAdministrators: true,
    pages: [{ path: '/', load: () => import('../views/users/users-and-teams.tsx') }],
  },
  {
    name: 'health',
    title: 'Health',
    icon: HeartPulse,
    onlyAdministrators: true,
    pages: [{ path: '/', load: () => import('../views/health/health.tsx') }],
  },
];

/** The pages without an entry in the navigation. */
export const otherPages = {
  link: { path: '/link', load: () => import('../views/sign-in/link.tsx') },
  connectAgent: { path: '/connect-agent', load: () => import('../views/sign-in/connect-agent.tsx') },
  keyRequest: { path: '/key-request', load: () => import('../views/key-request/key-request.tsx') },
  sites: { path: '/', load: () => import('../views/home/site-list.tsx') },
  account: { path: '/account', load: () => import('../views/account/account.tsx') },
} as const satisfies Record<string, ViewPage>;

/** What every page of a person signed in reads first, and what every page of a site does. */
const shellReads = ['/me', '/v1/sites?per_page=100&page=1'];
const siteReads = [...shellReads, '/v1/sites/$site'];

/** Returns every page with its path below `/dashboard` and everything that it reads first; the bundler writes them into the index. */
export function listPages(): Required<ViewPage>[] {
  const { link, connectAgent, keyRequest, ...inShell } = otherPages;
  const below = (base: string, first: readonly string[], { name, pages }: Pick<View, 'name' | 'pages'>) =>
    pages.map(({ path, load, reads = [] }) => ({
      path: `${base}${name && `/${name}`}${path}`.replace(/(?<=.)\/$/, ''),
      load,
      reads: [...first, ...reads],
    }));
  return [
    { ...link, reads: [] },
    ...[connectAgent, keyRequest].map((page) => ({ ...page, reads: ['/me'] })),
    ...Object.values(inShell).map((page) => ({ ...page, reads: shellReads })),
    ...mainViews.flatMap((view) => below('', shellReads, view)),
    ...siteViews.flatMap((view) => below('/sites/$site', siteReads, view)),
  ];
}
