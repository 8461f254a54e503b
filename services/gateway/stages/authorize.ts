import { notFound, problem } from '../../core/errors.ts';
import type { ApiKey } from '../../core/http.ts';
import { allowsSite, grants, type Scope } from '../../core/scopes.ts';
import { selectSiteBySlug } from '../../features/sites/index.ts';
import type { Stage } from '../context.ts';

/** Throws 403 unless the key has the scope (spec: Authentication, rule 3). */
export function checkScope(key: ApiKey, needed: Scope): void {
  if (!grants(key.scopes, needed)) throw problem('scope_missing', `This key lacks the scope ${needed}.`);
}

/** Throws 403 unless the key's list has the site, which need not exist (spec: Authentication, rule 4). */
export function checkSiteList(key: ApiKey, slug: string): void {
  if (!allowsSite(key.sites, slug)) throw problem('site_not_allowed', 'This key is not allowed to use that site.');
}

export const requireScope: Stage = (ctx) => {
  checkScope(ctx.key!, ctx.route!.scope);
  return undefined;
};

/** Names the site that the request concerns: its path does, or what its protocol says. Throws what the protocol rejects. */
export const nameSite: Stage = async (ctx) => {
  const { app, params, req, route } = ctx;
  const slug = route!.siteOf
    ? await route!.siteOf({ app, params, headers: req.headers as Record<string, string | undefined> })
    : params.site;
  if (slug !== undefined) ctx.siteSlug = slug;
  return undefined;
};

export const requireSiteInList: Stage = (ctx) => {
  if (ctx.siteSlug !== undefined) checkSiteList(ctx.key!, ctx.siteSlug);
  return undefined;
};

export const loadSite: Stage = async (ctx) => {
  const slug = ctx.siteSlug;
  if (slug === undefined) return undefined;
  const site = slug.includes('\0') ? undefined : await selectSiteBySlug(ctx.app.db, slug); // SQL texts hold no NUL
  if (!site) throw notFound('site');
  ctx.site = site;
  return undefined;
};
