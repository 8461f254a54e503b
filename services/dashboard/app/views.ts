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

/** A page of a view. The module's default export is the component; it is loaded when the page is first opened. */
export interface ViewPage {
  /** Below the view's base, with `$name` parameters: `/`, `/$id`. */
  path: string;
  load: () => Promise<{ default: ComponentType }>;
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
    pages: [{ path: '/', load: () => import('../views/home/site-home.tsx') }],
  },
  {
    name: 'content',
    title: 'Content',
    icon: FileText,
    group: 'Content',
    pages: [
      { path: '/', load: () => import('../views/content/list/content-list.tsx') },
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
