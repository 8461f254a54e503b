import { agentRoutes } from '../features/agents/routes.ts';
import { auditRoutes } from '../features/audit/routes.ts';
import { backupRoutes } from '../features/backups/dashboard-routes.ts';
import { componentRoutes } from '../features/components/routes.ts';
import { bulkCalls } from '../features/content/bulk/dashboard-routes.ts';
import { draftRoutes } from '../features/content/drafts/routes.ts';
import { revisionRoutes } from '../features/content/revisions/routes.ts';
import { contentCalls } from '../features/content/rights/dashboard-routes.ts';
import { contentRoutes } from '../features/content/routes.ts';
import { typeRoutes } from '../features/content/types/routes.ts';
import type { DashboardRoute } from '../features/dashboard-route.ts';
import { eventCalls } from '../features/events/dashboard-routes.ts';
import { eventRoutes } from '../features/events/routes.ts';
import { factCheckRoutes } from '../features/fact-check/routes.ts';
import { guideRoutes } from '../features/guide/routes.ts';
import { healthCalls } from '../features/health/dashboard-routes.ts';
import { deliveryRoutes } from '../features/inbound/routes.ts';
import { integrationCalls } from '../features/integrations/dashboard-routes.ts';
import { integrationRoutes } from '../features/integrations/routes.ts';
import { keyRoutes } from '../features/keys/dashboard-routes.ts';
import { languageRoutes } from '../features/languages/routes.ts';
import { mappingCalls } from '../features/mapping/dashboard-routes.ts';
import { mediaReplaceRoutes } from '../features/media/replace/routes.ts';
import { mediaRoutes } from '../features/media/routes.ts';
import { mediaUsageRoutes } from '../features/media/usage/routes.ts';
import { peopleRoutes } from '../features/people/routes.ts';
import { publishingCalls } from '../features/publishing/dashboard-routes.ts';
import { jobRoutes } from '../features/publishing/jobs/routes.ts';
import { publishingRoutes } from '../features/publishing/routes.ts';
import { redirectRoutes } from '../features/redirects/routes.ts';
import type { AppRoute } from '../features/route.ts';
import { scriptRoutes } from '../features/scripts/routes.ts';
import { shellRoutes } from '../features/shell/routes.ts';
import { siteLifecycleRoutes } from '../features/site-lifecycle/routes.ts';
import { siteRoutes } from '../features/sites/routes.ts';

/** The routes of resumable uploads, which are outside the base. */
export { createUploadRoutes } from '../features/media/uploads/routes.ts';

/** The calls of the dashboard that the REST API does not have. */
export const dashboardRoutes: readonly DashboardRoute[] = [
  ...peopleRoutes,
  ...keyRoutes,
  ...integrationCalls,
  ...contentCalls,
  ...bulkCalls,
  ...mappingCalls,
  ...eventCalls,
  ...backupRoutes,
  ...publishingCalls,
  ...agentRoutes,
  ...healthCalls,
];

/** All REST routes. The pipeline, the OpenAPI document and the guides read only this list. */
export const routes: readonly AppRoute[] = [
  ...siteRoutes,
  ...siteLifecycleRoutes,
  ...languageRoutes,
  ...contentRoutes,
  ...typeRoutes,
  ...revisionRoutes,
  ...draftRoutes,
  ...factCheckRoutes,
  ...mediaRoutes,
  ...mediaUsageRoutes,
  ...mediaReplaceRoutes,
  ...shellRoutes,
  ...componentRoutes,
  ...redirectRoutes,
  ...scriptRoutes,
  ...publishingRoutes,
  ...integrationRoutes,
  ...deliveryRoutes,
  ...eventRoutes,
  ...jobRoutes,
  ...auditRoutes,
  ...guideRoutes,
];
