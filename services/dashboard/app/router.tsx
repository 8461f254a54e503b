import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { Pending } from '../parts/pending.tsx';
import { ProblemView } from '../parts/problem-view.tsx';
import { NotFound } from './not-found.tsx';
import { Root } from './root.tsx';
import { Shell } from './shell.tsx';
import { SignedIn } from './signed-in.tsx';
import { mainViews, otherPages, siteViews, type View, type ViewPage } from './views.ts';

const lazy = (load: () => Promise<{ default: ComponentType }>): RouteComponent =>
  lazyRouteComponent(load, 'default') as RouteComponent;

/** Creates the routes of a page below a parent. */
const pageRoute = (parent: AnyRoute, base: string, { path, load }: ViewPage): AnyRoute =>
  createRoute({ getParentRoute: () => parent, path: `${base}${path}`, component: lazy(load) });

const viewRoutes = (parent: AnyRoute, { name, pages }: Pick<View, 'name' | 'pages'>): AnyRoute[] =>
  pages.map((page) => pageRoute(parent, name === '' ? '' : `/${name}`, page));

const root = createRootRoute({ component: Root });
const link = pageRoute(root, '', otherPages.link);
const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: SignedIn });
const connectAgent = pageRoute(signedIn, '', otherPages.connectAgent);
const shell = createRoute({ getParentRoute: () => signedIn, id: 'shell', component: Shell });
const sites = pageRoute(shell, '', otherPages.sites);
const account = pageRoute(shell, '', otherPages.account);
const keyRequest = pageRoute(signedIn, '', otherPages.keyRequest);
const site = createRoute({ getParentRoute: () => shell, path: '/sites/$site' });

const tree = root.addChildren([
  link,
  signedIn.addChildren([
    connectAgent,
    keyRequest,
    shell.addChildren([
      sites,
      account,
      ...mainViews.flatMap((view) => viewRoutes(shell, view)),
      site.addChildren(siteViews.flatMap((view) => viewRoutes(site, view))),
    ]),
  ]),
]);

/** The router of the dashboard. Paths are below `/dashboard`. */
export const router = createRouter({
  routeTree: tree,
  basepath: '/dashboard',
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  defaultPendingComponent: Pending,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ({ error, reset }) => <ProblemView error={error} onRetry={reset} />,
  scrollRestoration: true,
});
