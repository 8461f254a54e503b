import { notFound, problem } from '../../core/errors.ts';
import type { Caller } from '../../core/http.ts';
import type { Writer } from '../../core/roles.ts';
import { allowsSite, grants, type Scope } from '../../core/scopes.ts';
import { type OperationKind, operationKindOf, requireOnSite, requireSomewhere } from '../../features/access/index.ts';
import { selectSiteBySlug } from '../../features/sites/index.ts';
import type { Context, Stage } from '../context.ts';

const nounFor = ({ via }: Caller): string => (via === 'agent' ? 'agent' : 'key');

/** Throws 403 unless the caller has the scope (spec: Authentication, rule 3). */
export function checkScope(caller: Caller, needed: Scope): void {
  if (!grants(caller.scopes, needed))
    throw problem('scope_missing', `This ${nounFor(caller)} lacks the scope ${needed}.`);
}

/** Throws 403 unless the caller may use the site; the site need not exist (spec: Authentication, rule 4). */
export function checkSiteList(caller: Caller, slug: string): void {
  if (!allowsSite(caller.sites, slug))
    throw problem('site_not_allowed', `This ${nounFor(caller)} is not allowed to use that site.`);
}

/**
 * Returns the writer for an operation on a site, which need not exist. Throws 403 unless the roles of the caller's user
 * allow the operation (contract: a key never exceeds its user).
 */
export function checkRole(caller: Caller, kind: OperationKind, slug: string): Writer {
  return { userId: caller.userId, onlyOwn: requireOnSite(caller.roles, kind, slug) === 'own' };
}

export const requireScope: Stage = (ctx) => {
  checkScope(ctx.caller!, ctx.route!.scope);
  return undefined;
};

/**
 * Sets the slug of the site that the request concerns, from the path or from the route's protocol. Throws what the
 * protocol throws.
 */
export const nameSite: Stage = async (ctx) => {
  const { app, params, req, route } = ctx;
  const slug = route!.siteOf
    ? await route!.siteOf({ app, params, headers: req.headers as Record<string, string | undefined> })
    : params.site;
  if (slug !== undefined) ctx.siteSlug = slug;
  return undefined;
};

export const requireSiteInList: Stage = (ctx) => {
  if (ctx.siteSlug !== undefined) checkSiteList(ctx.caller!, ctx.siteSlug);
  return undefined;
};

/**
 * Checks the role for every route. If the request names no site, a user who may not do this kind of operation on any
 * site is refused here; the handler then checks the role for the site that it changes.
 */
export const requireRole: Stage = (ctx) => {
  const caller = ctx.caller!;
  const route = ctx.route!;
  const kind = operationKindOf(route);
  const slug = ctx.siteSlug;
  if (slug === undefined) {
    if (kind !== 'read') requireSomewhere(caller.roles, kind);
    ctx.writer = { userId: caller.userId, onlyOwn: false };
    return undefined;
  }
  ctx.writer = checkRole(caller, kind, slug);
  if (ctx.writer.onlyOwn && !route.ownRecords)
    throw problem('role_insufficient', 'The role of the user on this site does not allow this.');
  return undefined;
};

// PostgreSQL's texts cannot contain NUL
const findSite = async ({ app }: Context, slug: string) =>
  slug.includes('\0') ? undefined : selectSiteBySlug(app.db, slug);

export const loadSite: Stage = async (ctx) => {
  const slug = ctx.siteSlug;
  if (slug === undefined) return undefined;
  const site = ctx.readSite?.slug === slug ? ctx.readSite.site : await findSite(ctx, slug);
  if (!site) throw notFound('site');
  ctx.site = site;
  return undefined;
};
