import { empty } from '../../core/reply.ts';
import type { PlainHandler } from '../server.ts';

/** Allows requests from pages of every origin: these paths ignore cookies, so a page can do no more than a program. */
export const anyOrigin = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'WWW-Authenticate, Retry-After, X-Request-Id',
};

/** Creates the handler of preflight requests of a path. */
export function preflight(path: string, methods: string): PlainHandler {
  return {
    method: 'OPTIONS',
    path,
    handle: async () =>
      empty(204, {
        ...anyOrigin,
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': 'Authorization, Content-Type, Accept, MCP-Protocol-Version',
        'Access-Control-Max-Age': '3600',
      }),
  };
}
