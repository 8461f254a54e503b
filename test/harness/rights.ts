import { randomUUID } from 'node:crypto';
import { type SiteRole, siteRoles } from '../../services/core/roles.ts';
import type { AppRoute } from '../../services/features/route.ts';

/**
 * The weakest role for each route that changes something or that not every role may read, written from the contract and
 * not from the product's policy (contract: People, agents and paths; spec: any member of the site may manage its
 * integrations). Any role may use the other GET routes.
 */
const weakest: Readonly<Record<string, SiteRole>> = {
  'GET /sites/:site/audit': 'owner',
  'DELETE /sites/:site': 'owner',
  'PATCH /sites/:site': 'owner',
  'POST /sites/:site/languages': 'owner',
  'DELETE /sites/:site/languages/:locale': 'owner',
  'POST /sites/:site/event-endpoints': 'owner',
  'PATCH /sites/:site/event-endpoints/:id': 'owner',
  'DELETE /sites/:site/event-endpoints/:id': 'owner',
  'POST /sites/:site/event-endpoints/:id/rotate': 'owner',
  'POST /sites/:site/event-endpoints/:id/test': 'owner',
  'POST /sites/:site/events/:id/replay': 'owner',
  'POST /sites/:site/publish': 'editor',
  'POST /sites/:site/releases/:release/rollback': 'editor',
  'PUT /sites/:site/shell/file/*': 'editor',
  'DELETE /sites/:site/shell/file/*': 'editor',
  'POST /sites/:site/shell/archive': 'editor',
  'POST /sites/:site/shell/snapshot': 'editor',
  'POST /sites/:site/shell/restore/:rev': 'editor',
  'PUT /sites/:site/components/:handle': 'editor',
  'DELETE /sites/:site/components/:handle': 'editor',
  'POST /sites/:site/redirects': 'editor',
  'PATCH /sites/:site/redirects/:id': 'editor',
  'DELETE /sites/:site/redirects/:id': 'editor',
  'POST /sites/:site/scripts': 'editor',
  'PATCH /sites/:site/scripts/:id': 'editor',
  'DELETE /sites/:site/scripts/:id': 'editor',
  'PUT /sites/:site/types/:type': 'editor',
  'DELETE /sites/:site/types/:type': 'editor',
  'POST /sites/:site/content': 'author',
  'POST /sites/:site/content/batch': 'author',
  'PUT /sites/:site/content/by-ref/:source_ref': 'author',
  'PATCH /sites/:site/content/:id': 'author',
  'DELETE /sites/:site/content/:id': 'author',
  'POST /sites/:site/content/:id/restore': 'author',
  'DELETE /sites/:site/content/:id/purge': 'author',
  'POST /sites/:site/content/:id/revisions/:rev/restore': 'author',
  'PUT /sites/:site/content/:id/draft': 'author',
  'DELETE /sites/:site/content/:id/draft': 'author',
  'POST /sites/:site/content/:id/draft/apply': 'author',
  'POST /sites/:site/media': 'author',
  'PATCH /sites/:site/media/:id': 'author',
  'DELETE /sites/:site/media/:id': 'author',
  'POST /sites/:site/media/:id/replace': 'author',
  'POST /sites/:site/media/:id/restore': 'author',
  'POST /sites/:site/media/:id/undo-replacement': 'author',
  'DELETE /sites/:site/media/:id/purge': 'author',
  'POST /sites/:site/content/:id/fact-check': 'viewer',
  'POST /sites/:site/content/:id/preview': 'viewer',
  'POST /sites/:site/shell/archive/preview': 'viewer',
  'POST /sites/:site/components/:handle/try': 'viewer',
  'POST /sites/:site/webhooks': 'viewer',
  'PATCH /sites/:site/webhooks/:id': 'viewer',
  'DELETE /sites/:site/webhooks/:id': 'viewer',
  'POST /sites/:site/webhooks/:id/rotate': 'viewer',
  'POST /sites/:site/webhooks/:id/deliveries/:delivery/replay': 'viewer',
};

type Named = Pick<AppRoute, 'method' | 'path'>;
export const nameOf = ({ method, path }: Named): string => `${method} ${path}`;

/**
 * Returns whether the contract lets a role use a route of a site; a user without a role may use none. Throws for an
 * unknown route.
 */
export function mayUse(role: SiteRole | undefined, route: Named): boolean {
  const needed = weakest[nameOf(route)] ?? (route.method === 'GET' ? 'viewer' : undefined);
  if (!needed) throw new Error(`Say in test/harness/rights.ts which role may use ${nameOf(route)}.`);
  return role !== undefined && siteRoles.indexOf(role) <= siteRoles.indexOf(needed);
}

/** Returns a path of the route on a site whose records do not exist, so that a permitted request changes nothing. */
export const pathOn = (slug: string, { path }: Named): string =>
  path.replace(':site', slug).replace('*', 'css/none.css').replace(/:\w+/g, randomUUID());
