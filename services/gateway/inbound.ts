import type { IncomingMessage } from 'node:http';
import { Problem } from '../core/errors.ts';
import { empty, type Reply } from '../core/reply.ts';
import type { App } from '../features/app.ts';
import { createReceiver, type InboundDelivery } from '../features/inbound/index.ts';
import type { Context } from './context.ts';
import { problemHeaders } from './envelope.ts';
import { countWebhook } from './metrics.ts';
import { createSenderBudget, type SenderBudget } from './sender-budget.ts';
import type { PlainHandler } from './server.ts';
import { createCollector, discardingSink } from './stages/collect.ts';
import { announcedBytes, checkAnnouncedSize, jsonMaxBytes, openRawBody, passBytes } from './stages/read-bytes.ts';
import { checkSpace } from './stages/space.ts';

const path = '/webhooks/:integration';
const otherMethods = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Returns a reply that consists of its status (contract: Webhook replies). */
function statusReply(status: number, headers: Record<string, string> = {}): Reply {
  countWebhook(status);
  return empty(status, headers);
}

function headerPairs({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) pairs.push([rawHeaders[at]!, rawHeaders[at + 1]!]);
  return pairs;
}

/** Joins all values of a header, so that repeated values are all checked. */
function joinHeader(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/**
 * Reads, verifies and records a delivery's body. Until the signature is verified the bytes are untrusted and count
 * against the budget; they are not kept at all if they are not needed.
 */
async function receiveBody(ctx: Context, endpointId: string, delivery: InboundDelivery, budget: SenderBudget) {
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  const lease = budget.open(endpointId, reject);
  const collector = delivery.keepsBody
    ? createCollector(announcedBytes(ctx.req) ?? jsonMaxBytes, lease.hold)
    : discardingSink;
  const write = (chunk: Buffer) => {
    delivery.update(chunk);
    collector.write(chunk);
  };
  try {
    await passBytes(ctx, jsonMaxBytes, { write }, { open: openRawBody, interrupted });
    const refused = delivery.refuse();
    if (refused !== undefined) return refused;
    lease.keep();
    return await delivery.record(collector.bytes());
  } finally {
    lease.release();
  }
}

/**
 * Returns the handlers of `POST /webhooks/{integration}` (spec: Events). In the contract's order: integration 404, body
 * over 4 MiB 413, signature 401, delivery id 400, duplicate 200, else recorded and queued 202; 503 when the byte budget
 * is exhausted. No API key and no rate limit: "only /api/v1 counts". Errors that the headers reveal are sent without
 * reading the body, with one exception: if the signature is missing and the body announces no length, the body is
 * counted without being kept, since it may still be a 413.
 */
export function createInboundHandlers(app: App): PlainHandler[] {
  const receiver = createReceiver(app);
  const totalBytes = app.config.bodyMemoryBytes;
  const budget = createSenderBudget({ totalBytes, ownerBytes: totalBytes / 4 });

  async function receive(ctx: Context): Promise<number> {
    const receivedAt = new Date();
    const endpoint = await receiver.findEndpoint(ctx.params.integration ?? '');
    if (!endpoint) return 404;
    await checkSpace(app, ctx.method);
    checkAnnouncedSize(ctx.req, jsonMaxBytes);
    const delivery = receiver.begin(endpoint, {
      signature: joinHeader(ctx.req, 'x-service-signature'),
      deliveryId: joinHeader(ctx.req, 'x-delivery-id'),
      headers: headerPairs(ctx.req),
      receivedAt,
    });
    if (delivery) return receiveBody(ctx, endpoint.id, delivery, budget);
    if (announcedBytes(ctx.req) === undefined)
      await passBytes(ctx, jsonMaxBytes, discardingSink, { open: openRawBody });
    return 401;
  }

  return [
    {
      method: 'POST',
      path,
      async handle(ctx) {
        try {
          return statusReply(await receive(ctx));
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          return statusReply(error.status, problemHeaders(error));
        }
      },
    },
    ...otherMethods.map(
      (method): PlainHandler => ({
        method,
        path,
        handle: async () => empty(405, { Allow: 'POST' }),
      }),
    ),
  ];
}
