import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { eventually, stack, type TestSite } from './api.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
type Any = any;

export interface Received {
  headers: Record<string, string>;
  /** The body as received. */
  text: string;
  /** The parsed payload. */
  payload: Any;
}

export interface ReceiverResponse {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Never responds. */
  silent?: boolean;
  /** Responds only after this. */
  after?: Promise<unknown>;
}

export interface TestReceiver {
  url: string;
  received: Received[];
  close(): Promise<void>;
}

/**
 * Starts a receiver of events on a port that the guarded downloader may reach, with a path of its own, so that late
 * events for another test's receiver do not count.
 */
export async function startReceiver(
  respond: (event: Received, n: number) => ReceiverResponse = () => ({}),
): Promise<TestReceiver> {
  const received: Received[] = [];
  const path = `/${randomUUID()}`;
  for (const port of stack.allowedPorts) {
    const server = createServer(async (req, res) => {
      const text = (await buffer(req)).toString('utf8');
      if (req.url !== path) return res.writeHead(404).end();
      const event = {
        headers: req.headers as Record<string, string>,
        text,
        payload: text === '' ? null : JSON.parse(text),
      };
      received.push(event);
      const { status = 204, headers = {}, body = '', silent, after } = respond(event, received.length);
      await after;
      if (!silent) res.writeHead(status, headers).end(body);
    });
    const listening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!listening) continue;
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
      received,
      async close() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }
  throw new Error('Every port for test servers is taken.');
}

/** Every type that an endpoint may subscribe to, in the order of the catalogue. */
export const allEvents = [
  'content.published',
  'content.updated',
  'content.unpublished',
  'site.published',
  'delivery.failed',
  'job.failed',
  'media.ready',
];

/** Creates an endpoint and returns the reply. */
export async function makeEndpoint(site: TestSite, url: string, members: object = {}): Promise<Any> {
  const { status, data, text } = await site.request('POST', '/event-endpoints', { url, events: allEvents, ...members });
  if (status !== 201) throw new Error(`The endpoint was not made: ${status} ${text}`);
  return data;
}

/** Throws unless an independent library accepts the signature by this secret. */
export function verify(secret: string, { text, headers }: Received): void {
  new Webhook(secret).verify(text, headers);
}

export async function readEvent(site: TestSite, id: string): Promise<Any> {
  return (await site.request('GET', `/events/${id}`)).data;
}

/** Waits until an event has ended, sent or failed. */
export function waitForEvent(site: TestSite, id: string): Promise<Any> {
  return eventually(`event ${id} ends`, async () => {
    const event = await readEvent(site, id);
    return event.finished_at ? event : undefined;
  });
}

/** Sends a test event and returns its record. */
export async function sendTest(site: TestSite, endpointId: string): Promise<Any> {
  const { status, data, text } = await site.request('POST', `/event-endpoints/${endpointId}/test`);
  if (status !== 202) throw new Error(`The test event was refused: ${status} ${text}`);
  return data;
}
