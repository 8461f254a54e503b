import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import Negotiator from 'negotiator';
import type { Config } from '../../core/config.ts';
import { notFound } from '../../core/errors.ts';
import { type Reply, raw } from '../../core/reply.ts';
import { type Bundle, loadBundle, renderPage } from '../../dashboard/index.ts';
import type { App } from '../../features/app.ts';
import { type Context, headerOf } from '../context.ts';
import type { PlainHandler } from '../server.ts';
import type { SessionCookie } from './cookie.ts';

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const sharedHeaders = { 'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff' };

/**
 * Forbids inline scripts, foreign scripts and being framed. Style elements need the nonce. Pictures come from the edge
 * or the domains of sites, frames (previews) from the edge alone.
 */
function pageHeaders({ edgeUrl }: Pick<Config, 'edgeUrl'>, nonce: string): Record<string, string> {
  const edge = new URL(edgeUrl).origin;
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "connect-src 'self'",
    `img-src 'self' data: blob: https: ${edge}`,
    `media-src 'self' blob: https: ${edge}`,
    `frame-src ${edge}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    ...sharedHeaders,
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  };
}

/**
 * Returns a file of the bundle in the best encoding that the client accepts. Its name contains its hash, so it never
 * changes.
 */
async function readAsset({ folder, files }: Bundle, name: string, req: IncomingMessage): Promise<Reply> {
  const type = types[path.extname(name)];
  if (!type || !files.has(name)) throw notFound('file of the dashboard');
  const forms = { br: `${name}.br`, gzip: `${name}.gz`, identity: name } as const;
  const available = (['br', 'gzip', 'identity'] as const).filter((encoding) => files.has(forms[encoding]));
  const accepted = new Negotiator(req).encodings([...available]);
  const encoding = available.find((one) => accepted.includes(one)) ?? 'identity';
  return raw(200, await readFile(path.join(folder, forms[encoding])), {
    ...sharedHeaders,
    'Content-Type': type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  });
}

/** The paths of the page; its script interprets the rest. */
const pagePaths = ['', '/', '/:view', '/sites/*'];

/**
 * Creates the handlers of the page and of the files that it loads. The bundle is loaded when this is called; requests
 * wait for it. If loading fails, they fail, and the next request loads it again.
 */
export function createPageHandlers(app: App, cookie: SessionCookie): PlainHandler[] {
  let loading: Promise<Bundle> | undefined;
  const load = () => {
    loading ??= loadBundle().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  load().catch((error: unknown) => app.log.error({ err: error }, 'the dashboard could not be bundled'));

  const page = async (ctx: Context): Promise<Reply> => {
    const { index } = await load();
    const nonce = randomBytes(16).toString('base64');
    const hasSession = cookie.read(headerOf(ctx, 'cookie')) !== undefined;
    return raw(200, renderPage(index, { path: ctx.path, hasQuery: ctx.search !== '', hasSession, nonce }), {
      ...pageHeaders(app.config, nonce),
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'private, no-cache',
    });
  };
  const pages = pagePaths.map((path): PlainHandler => ({ method: 'GET', path: `/dashboard${path}`, handle: page }));
  return [
    ...pages,
    {
      method: 'GET',
      path: '/dashboard/assets/:name',
      handle: async ({ params, req }) => readAsset(await load(), params['name']!, req),
    },
  ];
}
