import { problem } from '../../core/errors.ts';
import type { KeyVerifier } from '../../features/keys/index.ts';
import type { Stage } from '../context.ts';

/**
 * Authenticates the key. All wrong keys get the same message, so that clients cannot probe which keys exist (spec:
 * Authentication, rule 2).
 */
export function createAuthenticateStage(verifier: KeyVerifier): Stage {
  return async (ctx) => {
    const header = ctx.req.headers['x-api-key'];
    const key = await verifier.verify(typeof header === 'string' ? header : '');
    if (!key) throw problem('unauthorized', 'The API key is missing or not valid.');
    ctx.caller = { via: 'key', ...key };
    return undefined;
  };
}
