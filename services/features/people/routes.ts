import type { DashboardRoute } from '../dashboard-route.ts';
import { keyRequestRoutes } from './key-requests/routes.ts';
import { meRoutes } from './me-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { teamRoutes } from './team-routes.ts';
import { userRoutes } from './user-routes.ts';

/** The calls of the dashboard about people. */
export const peopleRoutes: DashboardRoute[] = [
  ...signInRoutes,
  ...meRoutes,
  ...memberRoutes,
  ...userRoutes,
  ...teamRoutes,
  ...keyRequestRoutes,
];
