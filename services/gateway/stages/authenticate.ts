import { problem } from '../../core/errors.ts';
import type { KeyVerifier } from '../../features/keys/index.ts';
import type { Stage } from '../context.ts';
import { siteSlugOf } from '../target.ts';

/**
 * Authenticates the key. The same statement reads the site that the path names, for `loadSite`. All wrong keys get the
 * same message, so that clients cannot probe which keys exist (spec: Authentication, rule 2).
 */
export function createAuthenticateStage(verifier: KeyVerifier): Stage {
  return async (ctx) => {
    const header = ctx.req.headers['x-api-key'];
    const siteSlug = siteSlugOf(ctx.path);
    const verified = await verifier.verify(typeof header === 'string' ? header : '', siteSlug);
    if (!verified) throw problem('unauthorized', 'The API key is missing or not valid.');
    ctx.caller = { via: 'key', ...verified.key };
    if (siteSlug !== null) ctx.readSite = { slug: siteSlug, site: verified.site };
    return undefined;
  };
}
