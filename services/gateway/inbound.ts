import type { IncomingMessage } from 'node:http';
import { Problem } from '../core/errors.ts';
import type { App } from '../features/app.ts';
import { createReceiver } from '../features/webhooks/service.ts';
import { problemHeaders, type WireReply } from './envelope.ts';
import { countWebhook } from './metrics.ts';
import type { PlainHandler } from './server.ts';
import { jsonMaxBytes, openRawBody, readBytes } from './stages/body.ts';
import { checkSpace } from './stages/space.ts';

const path = '/webhooks/:integration';
const otherMethods = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** The reply is its status alone (contract: Webhook replies). */
function answer(status: number, headers: Record<string, string> = {}): WireReply {
  countWebhook(status);
  return { status, headers, body: null };
}

function headerPairs({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) pairs.push([rawHeaders[at]!, rawHeaders[at + 1]!]);
  return pairs;
}

/** All values of a header as one, so that a repeated one is never half looked at. */
function joinHeader(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/**
 * `POST /webhooks/{integration}` (spec: Events). In the contract's order: integration 404, body over 4 MiB 413, signature
 * 401, delivery id 400, duplicate 200, else recorded and queued 202. No API key and no rate limit: "only /api/v1 counts".
 */
export function createInboundHandlers(app: App): PlainHandler[] {
  const receiver = createReceiver(app);
  return [
    {
      method: 'POST',
      path,
      async handle(ctx) {
        const receivedAt = new Date();
        try {
          const endpoint = await receiver.findEndpoint(ctx.params.integration ?? '');
          if (!endpoint) return answer(404);
          await checkSpace(app, ctx.method);
          const body = await readBytes(ctx, jsonMaxBytes, openRawBody);
          const status = await receiver.receive(endpoint, {
            signature: joinHeader(ctx.req, 'x-service-signature'),
            deliveryId: joinHeader(ctx.req, 'x-delivery-id'),
            headers: headerPairs(ctx.req),
            body,
            receivedAt,
          });
          return answer(status);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          return answer(error.status, problemHeaders(error));
        }
      },
    },
    ...otherMethods.map(
      (method): PlainHandler => ({
        method,
        path,
        handle: async () => ({ status: 405, headers: { Allow: 'POST' }, body: null }),
      }),
    ),
  ];
}
