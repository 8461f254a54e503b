import { contentRoutes } from './content/routes.ts';
import { jobRoutes } from './jobs/routes.ts';
import { publishingRoutes } from './publishing/routes.ts';
import type { AppRoute } from './route.ts';
import { shellRoutes } from './shell/routes.ts';
import { siteRoutes } from './sites/routes.ts';

/** The whole REST surface. The pipeline, the OpenAPI document and the guides read this list and nothing else. */
export const routes: readonly AppRoute[] = [
  ...siteRoutes,
  ...contentRoutes,
  ...shellRoutes,
  ...publishingRoutes,
  ...jobRoutes,
];
