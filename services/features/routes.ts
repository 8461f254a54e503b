import { componentRoutes } from './components/routes.ts';
import { contentRoutes } from './content/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { factCheckRoutes } from './fact-check/routes.ts';
import { guideRoutes } from './guide/routes.ts';
import { languageRoutes } from './languages/routes.ts';
import { mediaRoutes } from './media/routes.ts';
import { jobRoutes } from './publishing/jobs/routes.ts';
import { publishingRoutes } from './publishing/routes.ts';
import { redirectRoutes } from './redirects/routes.ts';
import type { AppRoute } from './route.ts';
import { scriptRoutes } from './scripts/routes.ts';
import { shellRoutes } from './shell/routes.ts';
import { siteLifecycleRoutes } from './site-lifecycle/routes.ts';
import { siteRoutes } from './sites/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** The whole REST surface. The pipeline, the OpenAPI document and the guides read this list and nothing else. */
export const routes: readonly AppRoute[] = [
  ...siteRoutes,
  ...siteLifecycleRoutes,
  ...languageRoutes,
  ...contentRoutes,
  ...factCheckRoutes,
  ...mediaRoutes,
  ...shellRoutes,
  ...componentRoutes,
  ...redirectRoutes,
  ...scriptRoutes,
  ...publishingRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...jobRoutes,
  ...guideRoutes,
];
