import { problem } from '../../core/errors.ts';
import { isLoopback } from '../../core/hosts.ts';
import { type Context, headerOf } from '../context.ts';

/**
 * Returns whether the origin is ours: the one of FIELDSTONE_URL or, on loopback, where the service has several names,
 * the one of the request's `Host`.
 */
function isOurs(origin: string, own: URL, host: string | undefined): boolean {
  if (origin === own.origin) return true;
  if (!isLoopback(own) || !URL.canParse(origin)) return false;
  const sent = new URL(origin);
  return sent.protocol === 'http:' && isLoopback(sent) && sent.host === host;
}

/**
 * Rejects requests that pages of other origins send with our cookie: cookies ignore ports, and `SameSite` allows
 * sibling hosts. A request that is not GET or HEAD must have our `Origin`. Throws `forbidden`.
 */
export function requireOwnOrigin(ctx: Context): void {
  const own = new URL(ctx.app.config.url);
  if (own.protocol === 'http:' && !isLoopback(own))
    throw problem(
      'forbidden',
      'The dashboard needs HTTPS here: set FIELDSTONE_URL to the https origin of the gateway.',
    );
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  const origin = headerOf(ctx, 'origin');
  const site = headerOf(ctx, 'sec-fetch-site');
  const isSiteOurs = site === undefined || site === 'same-origin' || (isRead && site === 'none');
  const isOriginOurs = origin === undefined ? isRead : isOurs(origin, own, ctx.req.headers.host);
  if (!isSiteOurs || !isOriginOurs)
    throw problem('forbidden', `The dashboard accepts requests only from its own pages, at ${own.origin}.`);
}
