import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { signBody } from '../../services/features/inbound/signature.ts';
import { makeKey, type TestSite } from './api.ts';
import type { TestIntegration } from './webhooks.ts';

/** The writes that the service has confirmed to clients, and the failures of requests. */
export interface Ledger {
  /** By title: the id in the reply. Sent once, never retried by the client. */
  plain: Map<string, string>;
  /** The same for requests with an `Idempotency-Key`, retried until they succeeded. */
  careful: Map<string, string>;
  /** Ids of deliveries that got 202. */
  deliveries: Set<string>;
  visits: number;
  /** Every failure, as `what: status` or `what: error`. */
  failures: string[];
}

export interface LoadOptions {
  /** Origins of the balancer. */
  api: string;
  edge: string;
  site: TestSite;
  integration: TestIntegration;
  /** Live paths that must be served; tests add what they publish. */
  livePaths: string[];
  /** Number of clients of each kind. */
  clients: number;
}

/** Slow enough for the specification's 120 requests a minute with one key. */
const apiPauseMs = 600;
const visitPauseMs = 50;
const deliveryPauseMs = 900;

/** Returns an unused IP address, so that its rate limit counts only this request. */
export const freshAddress = () => `198.18.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;

async function attempt(send: () => Promise<Response>): Promise<{ status: number; text: string; note: string }> {
  try {
    const reply = await send();
    const text = await reply.text();
    return { status: reply.status, text, note: String(reply.status) };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    return { status: 0, text: '', note: cause?.code ?? message };
  }
}

/**
 * Keeps clients busy against a balancer until `stop`: writers that never retry, writers that retry with an idempotency
 * key, senders of deliveries and visitors. `stop` lets each finish its current request.
 */
export async function startLoad({ api, edge, site, integration, livePaths, clients }: LoadOptions) {
  const ledger: Ledger = { plain: new Map(), careful: new Map(), deliveries: new Set(), visits: 0, failures: [] };
  let running = true;
  const note = (what: string, outcome: string) => ledger.failures.push(`${what}: ${outcome}`);

  function create(title: string, key: string, headers: Record<string, string> = {}) {
    return attempt(() =>
      fetch(`${api}/api/v1/sites/${site.slug}/content`, {
        method: 'POST',
        headers: {
          'X-API-Key': key,
          'Content-Type': 'application/json',
          'X-Forwarded-For': freshAddress(),
          ...headers,
        },
        body: JSON.stringify({ title }),
      }),
    );
  }

  async function writePlainly(key: string): Promise<void> {
    const title = `plain ${randomUUID()}`;
    const { status, text, note: outcome } = await create(title, key);
    if (status === 201) ledger.plain.set(title, JSON.parse(text).data.id);
    else note('a write', outcome);
    await sleep(apiPauseMs);
  }

  async function writeCarefully(key: string): Promise<void> {
    const title = `careful ${randomUUID()}`;
    const headers = { 'Idempotency-Key': title.replace(' ', '-') };
    for (;;) {
      const { status, text, note: outcome } = await create(title, key, headers);
      await sleep(apiPauseMs);
      if (status === 201) return void ledger.careful.set(title, JSON.parse(text).data.id);
      if (status !== 409) note('a write with a key', outcome);
      if (status >= 400 && status < 500 && status !== 409) return;
    }
  }

  async function deliver(): Promise<void> {
    const deliveryId = randomUUID();
    const body = Buffer.from(JSON.stringify({ title: `Delivered ${deliveryId}`, body_html: '<p>Yes.</p>' }));
    const headers = { 'X-Delivery-Id': deliveryId, 'X-Service-Signature': signBody(integration.secret, body) };
    const sent = await attempt(() => fetch(`${api}/webhooks/${integration.slug}`, { method: 'POST', headers, body }));
    if (sent.status === 202) ledger.deliveries.add(deliveryId);
    else note('a delivery', sent.note);
    await sleep(deliveryPauseMs);
  }

  async function visit(): Promise<void> {
    const path = livePaths[Math.floor(Math.random() * livePaths.length)]!;
    const { status, note: outcome } = await attempt(() => fetch(`${edge}/sites/${site.slug}${path}`));
    if (status === 200) ledger.visits++;
    else note(`a visit of ${path}`, outcome);
    await sleep(visitPauseMs);
  }

  async function repeat(act: () => Promise<void>): Promise<void> {
    while (running) await act();
  }

  const keys = await Promise.all(Array.from({ length: clients * 2 }, () => makeKey()));
  const busy = [
    ...keys.map((key, index) => repeat(() => (index % 2 ? writeCarefully(key) : writePlainly(key)))),
    repeat(deliver),
    ...Array.from({ length: clients }, () => repeat(visit)),
  ];
  return {
    ledger,
    /** Returns the failures since the last call. */
    takeFailures: () => ledger.failures.splice(0),
    async stop() {
      running = false;
      await Promise.all(busy);
    },
  };
}
