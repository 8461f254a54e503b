import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { Problem } from '../../core/errors.ts';
import { type Reply, raw } from '../../core/reply.ts';
import { everySite, roleOn, sitesWithRole } from '../../core/roles.ts';
import {
  type AuthorizationRequest,
  allowAgent,
  findClient,
  onlyOne,
  RedirectedError,
  readAuthorization,
  redirectTo,
} from '../../features/agents/index.ts';
import type { App } from '../../features/app.ts';
import type { Session } from '../../features/dashboard-route.ts';
import { readSession } from '../../features/people/index.ts';
import { selectSiteNames } from '../../features/sites/index.ts';
import { type Context, headerOf, type Stage } from '../context.ts';
import { createSessionCookie } from '../dashboard/cookie.ts';
import { requireOwnOrigin } from '../dashboard/origin.ts';
import { problemHeaders } from '../envelope.ts';
import { countOAuth } from '../metrics.ts';
import type { PlainHandler } from '../server.ts';
import { connectCss, consentPage, faultPage } from './consent-page.ts';
import { readForm } from './form.ts';

/** Below the path of the session's cookie. */
const path = '/dashboard/connect';
const maxSites = 200;

/** Returns a page. `redirectUri` is allowed in `form-action`, because some browsers check redirects of forms too. */
function pageReply(status: number, html: string, redirectUri?: string, more: Record<string, string> = {}): Reply {
  const { protocol = '', origin = 'null' } = redirectUri === undefined ? {} : new URL(redirectUri);
  const target = origin === 'null' ? protocol : origin;
  return raw(status, html, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self' ${target}; frame-ancestors 'none'`,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    ...more,
  });
}

const redirect = (url: string): Reply => raw(303, null, { Location: url, 'Referrer-Policy': 'no-referrer' });

/**
 * Returns the URL of the dashboard page that signs the user in and then returns here with this query. It is also used
 * for links from other sites, for which browsers send no cookie.
 */
const signInUrl = (search: string): string => `/dashboard/connect-agent#${Buffer.from(search).toString('base64url')}`;

/** Returns the sites that the user may choose from, and whether there are more. */
async function choicesOf({ db }: App, { roles }: Session) {
  const rows = await selectSiteNames(db, sitesWithRole(roles, [everySite]), maxSites + 1);
  return { sites: rows.slice(0, maxSites), hasMore: rows.length > maxSites };
}

/**
 * Returns what the form allows: scopes of the request, and sites on which the user has a role. Returns a sentence for
 * the user if it allows nothing.
 */
function readConsent(form: URLSearchParams, { scopes }: AuthorizationRequest, { roles, userId }: Session) {
  const allowed = scopes.filter((scope) => form.getAll('scope').includes(scope));
  const sites = [...new Set(form.getAll('site'))].filter((slug) => slug === everySite || roleOn(roles, slug));
  if (allowed.length === 0) return 'Choose at least one thing that the agent may do, or deny.';
  if (sites.length === 0) return 'Choose at least one site, or deny.';
  return { userId, scopes: allowed, sites: sites.includes(everySite) ? [everySite] : sites };
}

/**
 * Creates the handlers of the authorization endpoint and its consent page, which needs a session of the dashboard.
 */
export function createConsentHandlers(app: App, limitFetch: Stage): PlainHandler[] {
  const { db, config } = app;
  const cookie = createSessionCookie(config);

  async function sessionOf(ctx: Context): Promise<Session | undefined> {
    const token = cookie.read(headerOf(ctx, 'cookie'));
    const session = token === undefined ? undefined : await readSession(db, token);
    return session?.awaitsTotp ? undefined : session;
  }

  async function readRequest(ctx: Context): Promise<AuthorizationRequest> {
    const params = new URLSearchParams(ctx.search);
    const limit = async () => void (await limitFetch(ctx));
    const client = await findClient(app, onlyOne(params, 'client_id') ?? '', limit);
    return readAuthorization(params, client, config);
  }

  async function show(ctx: Context, request: AuthorizationRequest, session: Session, fault?: string): Promise<Reply> {
    const view = {
      request,
      email: session.email,
      ...(await choicesOf(app, session)),
      action: path + ctx.search,
      fault,
    };
    return pageReply(fault ? 400 : 200, consentPage(view), request.redirectUri);
  }

  async function decide(ctx: Context, request: AuthorizationRequest, session: Session): Promise<Reply> {
    const { redirectUri, state } = request;
    const form = await readForm(ctx);
    if (form.get('decision') !== 'allow')
      return redirect(redirectTo(redirectUri, { error: 'access_denied', state }, config));
    const consent = readConsent(form, request, session);
    if (typeof consent === 'string') return show(ctx, request, session, consent);
    const code = await db.transaction((tx) => allowAgent(tx, request, consent));
    return redirect(redirectTo(redirectUri, { code, state }, config));
  }

  async function respond(ctx: Context, next: typeof decide): Promise<Reply> {
    if (ctx.method === 'POST') requireOwnOrigin(ctx);
    const session = await sessionOf(ctx);
    const request = await readRequest(ctx).catch((error: unknown) => {
      // a browser is not redirected to a client's URL before its user signs in: anyone can register one (RFC 9700, 4.11.2)
      if (error instanceof RedirectedError && !session) return undefined;
      throw error;
    });
    if (!session || !request) return redirect(signInUrl(ctx.search));
    return next(ctx, request, session);
  }

  function faultReply(ctx: Context, error: unknown): Reply {
    if (error instanceof RedirectedError) {
      const { redirectUri, state, fault } = error;
      const params = { error: fault.errorCode, error_description: fault.message, state };
      return redirect(redirectTo(redirectUri, params, config));
    }
    if (error instanceof OAuthError) return pageReply(400, faultPage(error.message));
    if (error instanceof Problem)
      return pageReply(error.status, faultPage(error.message), undefined, problemHeaders(error));
    ctx.app.log.error({ method: ctx.method, path: ctx.path, err: error }, 'request failed');
    return pageReply(500, faultPage('Something went wrong on our side.'));
  }

  const consent = (next: typeof decide) => async (ctx: Context) => {
    const reply = await respond(ctx, next).catch((error: unknown) => faultReply(ctx, error));
    countOAuth('authorize', reply.status);
    return reply;
  };
  return [
    { method: 'GET', path: '/oauth/authorize', handle: async (ctx) => redirect(path + ctx.search) },
    { method: 'GET', path, handle: consent((ctx, request, session) => show(ctx, request, session)) },
    { method: 'POST', path, handle: consent(decide) },
    {
      method: 'GET',
      path: `${path}.css`,
      handle: async () =>
        raw(200, connectCss, { 'Content-Type': 'text/css; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }),
    },
  ];
}
