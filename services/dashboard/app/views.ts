import type { LucideIcon } from 'lucide-react';
import FileText from 'lucide-react/icons/file-text';
import House from 'lucide-react/icons/house';
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
];
