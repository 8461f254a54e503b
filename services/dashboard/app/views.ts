import type { LucideIcon } from 'lucide-react';
import Archive from 'lucide-react/icons/archive';
import Bot from 'lucide-react/icons/bot';
import FileText from 'lucide-react/icons/file-text';
import HeartPulse from 'lucide-react/icons/heart-pulse';
import House from 'lucide-react/icons/house';
import Images from 'lucide-react/icons/images';
import Inbox from 'lucide-react/icons/inbox';
import KeyRound from 'lucide-react/icons/key-round';
import Megaphone from 'lucide-react/icons/megaphone';
import ScrollText from 'lucide-react/icons/scroll-text';
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

/** A view of the navigation (docs/dashboard.md, How to add a view). */
export interface View {
  /** The folder in `views/`, and the first segment of the path; empty for the start page of a site. */
  name: string;
  title: string;
  icon: LucideIcon;
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
    pages: [
      { path: '/', load: () => import('../views/content/list/content-list.tsx') },
      { path: '/$id', load: () => import('../views/content/item/item-page.tsx') },
    ],
  },
  {
    name: 'media',
    title: 'Media',
    icon: Images,
    needs: 'read',
    pages: [
      { path: '/', load: () => import('../views/media/media-page.tsx') },
      { path: '/$id', load: () => import('../views/media/item-page.tsx') },
    ],
  },
  {
    name: 'webhooks',
    title: 'Webhooks',
    icon: Inbox,
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
    needs: 'read',
    pages: [
      { path: '/', load: () => import('../views/events/endpoints.tsx') },
      { path: '/$id', load: () => import('../views/events/endpoint-page.tsx') },
    ],
  },
  {
    name: 'people',
    title: 'People',
    icon: Users,
    needs: 'read',
    pages: [{ path: '/', load: () => import('../views/people/people.tsx') }],
  },
  {
    name: 'backups',
    title: 'Backups',
    icon: Archive,
    needs: 'backups',
    pages: [{ path: '/', load: () => import('../views/backups/backups.tsx') }],
  },
  {
    name: 'audit',
    title: 'Audit log',
    icon: ScrollText,
    needs: 'audit.read',
    pages: [{ path: '/', load: () => import('../views/audit/audit.tsx') }],
  },
];

/** A view of the whole installation, below `/`. */
export interface MainView extends Omit<View, 'needs'> {
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
