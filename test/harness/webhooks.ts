import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signBody } from '../../services/features/inbound/signature.ts';
import { eventually, nextGateway, stack, type TestSite } from './api.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
type Any = any;

export interface TestIntegration {
  id: string;
  slug: string;
  secret: string;
  site: TestSite;
}

export async function makeIntegration(site: TestSite, mapper: string, members: object = {}): Promise<TestIntegration> {
  const { status, data, text } = await site.request('POST', '/webhooks', { mapper, ...members });
  if (status !== 201) throw new Error(`The integration was not made: ${status} ${text}`);
  return { id: data.id, slug: data.slug, secret: data.secret, site };
}

export interface SendOptions {
  deliveryId?: string | null;
  /** Replaces the signature header; null omits it. */
  signature?: string | null;
  secret?: string;
  nowMs?: number;
  headers?: Record<string, string>;
  method?: string;
  gateway?: number;
  /** Another gateway than the stack's two. */
  origin?: string;
}

export interface Sent {
  status: number;
  text: string;
  headers: Headers;
  deliveryId: string;
}

/** Signs and sends a payload: an object as JSON, bytes unchanged. */
export async function send(
  integration: Pick<TestIntegration, 'slug' | 'secret'>,
  payload: unknown,
  options: SendOptions = {},
): Promise<Sent> {
  const body =
    payload instanceof Uint8Array
      ? Buffer.from(payload)
      : Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  const { deliveryId = randomUUID(), signature = signBody(options.secret ?? integration.secret, body, options.nowMs) } =
    options;
  const headers: Record<string, string> = { 'Content-Type': 'application/json', ...options.headers };
  if (signature !== null) headers['X-Service-Signature'] = signature;
  if (deliveryId !== null) headers['X-Delivery-Id'] = deliveryId;
  const base = options.origin ?? (options.gateway === undefined ? nextGateway() : stack.gateways[options.gateway]!);
  const method = options.method ?? 'POST';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const response = await fetch(`${base}/webhooks/${integration.slug}`, {
    method,
    headers,
    ...(hasBody ? { body } : {}),
  });
  return {
    status: response.status,
    text: await response.text(),
    headers: response.headers,
    deliveryId: deliveryId ?? '',
  };
}

/** Returns the record of a delivery by the sender's id. */
export async function findDelivery({ site, id }: TestIntegration, deliveryId: string): Promise<Any> {
  for (let page = 1; ; page++) {
    const { data, status, text } = await site.request('GET', `/webhooks/${id}/deliveries?per_page=100&page=${page}`);
    if (status !== 200) throw new Error(`The deliveries were not listed: ${status} ${text}`);
    const found = data.find((one: Any) => one.delivery_id === deliveryId);
    if (found || data.length === 0) return found;
  }
}

/** Waits until a delivery has ended (no further attempt). */
export function waitForDelivery(integration: TestIntegration, deliveryId: string): Promise<Any> {
  return eventually(`delivery ${deliveryId} ends`, async () => {
    const delivery = await findDelivery(integration, deliveryId);
    return delivery?.finished_at ? delivery : undefined;
  });
}

/** Waits until an attempt has failed and returns the record at that time; throws if no further attempt is planned. */
export async function waitForRetry(integration: TestIntegration, deliveryId: string): Promise<Any> {
  const failed = await eventually(`an attempt of delivery ${deliveryId} fails`, async () => {
    const delivery = await findDelivery(integration, deliveryId);
    return delivery?.status === 'failed' && delivery;
  });
  if (failed.attempts === 1 && failed.next_attempt_at === null) throw new Error('It is not tried again.');
  return failed;
}

/** Sends a payload that must be accepted, and waits for its end. */
export async function deliver(integration: TestIntegration, payload: unknown, options: SendOptions = {}): Promise<Any> {
  const { status, deliveryId } = await send(integration, payload, options);
  if (status !== 202) throw new Error(`The delivery was refused: ${status}`);
  return waitForDelivery(integration, deliveryId);
}

export interface TestImageServer {
  origin: string;
  /** Number of requests by path. */
  hits: Map<string, number>;
  close(): Promise<void>;
}

/** Starts a server on one of the ports that the guarded downloader may reach. */
export async function startSource(
  handle: (req: IncomingMessage, res: ServerResponse) => void,
): Promise<TestImageServer> {
  const hits = new Map<string, number>();
  for (const port of stack.allowedPorts) {
    const server: Server = createServer((req, res) => {
      hits.set(req.url!, (hits.get(req.url!) ?? 0) + 1);
      handle(req, res);
    });
    const listening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!listening) continue;
    return {
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      hits,
      async close() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }
  throw new Error('Every port for test servers is taken.');
}
