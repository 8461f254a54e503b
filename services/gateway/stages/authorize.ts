import { notFound, problem } from '../../core/errors.ts';
import { allowsSite, grants } from '../../core/scopes.ts';
import { findSiteBySlug } from '../../features/sites/service.ts';
import type { Stage } from '../context.ts';

/** spec: Authentication, rule 3. */
export const requireScope: Stage = (ctx) => {
  const needed = ctx.route!.scope;
  if (!grants(ctx.key!.scopes, needed)) {
    throw problem('scope_missing', `This key lacks the scope ${needed}.`);
  }
  return undefined;
};

/** Before any handler, and before the site is known to exist (spec: Authentication, rule 4). */
export const requireSiteInList: Stage = (ctx) => {
  const slug = ctx.params.site;
  if (slug !== undefined && !allowsSite(ctx.key!.sites, slug)) {
    throw problem('site_not_allowed', 'This key is not allowed to use that site.');
  }
  return undefined;
};

export const loadSite: Stage = async (ctx) => {
  const slug = ctx.params.site;
  if (slug === undefined) return undefined;
  const site = slug.includes('\0') ? undefined : await findSiteBySlug(ctx.app.db, slug); // SQL texts hold no NUL
  if (!site) throw notFound('site');
  ctx.site = site;
  return undefined;
};
