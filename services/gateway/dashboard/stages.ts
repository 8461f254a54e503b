import { createHash } from 'node:crypto';
import { closeSignalOf } from '../../core/abortable.ts';
import { problem } from '../../core/errors.ts';
import { check } from '../../core/validate.ts';
import { requireAdministrator, requireOnSite } from '../../features/access/index.ts';
import type { App } from '../../features/app.ts';
import type { DashboardInput, DashboardRoute } from '../../features/dashboard-route.ts';
import { readSession } from '../../features/people/index.ts';
import { auditCall } from '../audit.ts';
import { type Context, headerOf, type Stage } from '../context.ts';
import { loadSite } from '../stages/authorize.ts';
import { readJsonOf } from '../stages/body.ts';
import { createLimitStage } from '../stages/limit.ts';
import type { SessionCookie } from './cookie.ts';
import { followWith } from './follow.ts';
import { requireOwnOrigin } from './origin.ts';

const maxBodyBytes = 64 * 1024;

/**
 * The stages of a dashboard call, in this order: origin 403, attempts of the client address 429, session 401, requests
 * of the user 429, role 403, site 404, body 413, 415, 422, attempts for the account 429, handler.
 */
export interface DashboardStages {
  of(route: DashboardRoute): Stage[];
  /** Authenticate a call of a REST operation: origin 403, session 401, requests of the user 429. */
  ofOperations: Stage[];
}

const checkOrigin: Stage = (ctx) => {
  requireOwnOrigin(ctx);
  return undefined;
};

/**
 * Makes the session the caller of an operation. It may do whatever the user's current roles allow, like a key with all
 * scopes and sites.
 */
const callAsUser: Stage = (ctx) => {
  const { id, userId, roles } = ctx.session!;
  ctx.caller = { via: 'dashboard', id, userId, roles, scopes: ['admin'], sites: ['*'] };
  return undefined;
};

/**
 * Returns the stage that reads the session and throws `unauthorized` unless it is in the state that the route requires.
 */
function requireSession(cookie: SessionCookie, route: Pick<DashboardRoute, 'session'>): Stage {
  return async (ctx) => {
    const token = cookie.read(headerOf(ctx, 'cookie'));
    const session = token === undefined ? undefined : await readSession(ctx.app.db, token);
    if (session) ctx.session = session;
    const isEnough =
      route.session === 'none' || (session && session.awaitsTotp === (route.session === 'awaiting_totp'));
    if (!isEnough) throw problem('unauthorized', 'Sign in first: the session is missing, or has ended.');
    return undefined;
  };
}

const requireAdministratorStage: Stage = (ctx) => {
  requireAdministrator(ctx.session!.roles);
  return undefined;
};

/**
 * Returns the stage that checks the policy with the user's current roles; the site need not exist. It rejects access
 * limited to own records, unless the handler checks the records (`ownRecords`).
 */
function requireRole(route: DashboardRoute): Stage {
  return (ctx) => {
    const slug = ctx.params['site'];
    if (slug === undefined) return undefined;
    ctx.siteSlug = slug;
    if (requireOnSite(ctx.session!.roles, route.operationKind!, slug) === 'own' && !route.ownRecords)
      throw problem('role_insufficient', 'The role of the user on this site does not allow this.');
    return undefined;
  };
}

function readBody(route: DashboardRoute): Stage {
  return async (ctx) => {
    if (route.body.kind === 'json') ctx.body = check(route.body.schema, await readJsonOf(ctx, maxBodyBytes));
    return undefined;
  };
}

const inputOf = (ctx: Context): DashboardInput => ({
  app: ctx.app,
  db: ctx.app.db,
  session: ctx.session,
  site: ctx.site!,
  params: ctx.params,
  body: ctx.body,
  prepared: undefined,
  client: {
    address: ctx.clientIp,
    userAgent: headerOf(ctx, 'user-agent') ?? '',
    get gone() {
      return closeSignalOf(ctx.res);
    },
  },
  signIn: () => undefined,
  signOut: () => undefined,
  afterCommit: () => undefined,
});

/**
 * Runs `prepare`, then the handler, in a transaction if the call writes. The same transaction records the change in the
 * audit log. The cookie is sent, and effects outside the database run, only after the commit.
 */
function handle(cookie: SessionCookie, route: DashboardRoute): Stage {
  return async (ctx) => {
    const input = inputOf(ctx);
    if (route.prepare) input.prepared = await route.prepare(input);
    let setCookie: string | undefined;
    let wakeUps: (() => void)[] = [];
    const isChange = route.method !== 'GET' && !route.transaction;
    const run = async (db: DashboardInput['db']) => {
      setCookie = undefined;
      wakeUps = [];
      let userId = input.session?.userId;
      const reply = await route.handler({
        ...input,
        db,
        signIn: (started) => {
          setCookie = cookie.set(started.token);
          userId = started.userId;
        },
        signOut: () => {
          setCookie = cookie.clear();
        },
        afterCommit: (work) => wakeUps.push(work),
      });
      if (isChange && userId !== undefined) await auditCall(db, ctx, route, reply, userId);
      return reply;
    };
    const { db } = ctx.app;
    const reply = isChange ? await db.transaction(run) : await db.attempt(run);
    for (const wake of wakeUps) wake();
    if (setCookie !== undefined) ctx.replyHeaders['Set-Cookie'] = setCookie;
    return reply;
  };
}

/**
 * Returns the key that counts attempts for an account. It is a hash, so that the table contains no e-mail addresses;
 * unknown ones count too.
 */
const accountKey = (account: string): string => createHash('sha256').update(account.trim().toLowerCase()).digest('hex');

/**
 * Creates the stages of the calls, which share their limits. `of` throws for a site route without an operation kind or
 * signed-in session.
 */
export function createDashboardStages(app: App, cookie: SessionCookie): DashboardStages {
  const { db, config } = app;
  const limitAddress = createLimitStage(
    { db, name: 'sign-in-ip', points: config.rateLimitSignInIp },
    (ctx) => ctx.clientIp,
  );
  const limitAccount = createLimitStage(
    { db, name: 'sign-in-account', points: config.rateLimitSignInAccount },
    (ctx) => ctx.account!,
  );
  const limitUser = createLimitStage(
    { db, name: 'dashboard', points: config.rateLimitDashboard },
    (ctx) => ctx.session!.userId,
  );
  const countForAccount =
    ({ attempt }: DashboardRoute): Stage =>
    (ctx) => {
      const account = attempt!(inputOf(ctx));
      if (account === undefined) return undefined;
      ctx.account = accountKey(account);
      return limitAccount(ctx);
    };
  return {
    ofOperations: [checkOrigin, requireSession(cookie, { session: 'signed_in' }), callAsUser, limitUser],
    of(route) {
      const isOnSite = route.path.includes(':site');
      if (isOnSite && (!route.operationKind || route.session !== 'signed_in'))
        throw new Error(`${route.method} ${route.path} must declare its operationKind and need a session.`);
      if (route.onlyAdministrators && route.session !== 'signed_in')
        throw new Error(`${route.method} ${route.path} is for administrators, and must need a session.`);
      return [
        checkOrigin,
        ...(route.attempt ? [limitAddress] : []),
        requireSession(cookie, route),
        ...(route.session === 'none' ? [] : [limitUser]),
        ...(route.onlyAdministrators ? [requireAdministratorStage] : []),
        ...(isOnSite ? [requireRole(route), loadSite] : []),
        readBody(route),
        ...(route.attempt ? [countForAccount(route)] : []),
        ...(route.follow ? [followWith(handle(cookie, route))] : []),
        handle(cookie, route),
      ];
    },
  };
}
