import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { signBody } from '../../services/features/inbound/signature.ts';
import { stack, type TestSite } from '../harness/api.ts';
import type { TestIntegration } from '../harness/webhooks.ts';

/** URLs of a server that responds at once. */
export interface QuickSources {
  picture: string;
  page: string;
}

const second = 1000;

// biome-ignore lint/suspicious/noExplicitAny: replies of every shape
type Any = any;

let turn = 0;
const next = (origins: readonly string[]) => origins[turn++ % origins.length]!;

/**
 * Creates the work of tenants. Every function resolves when its work has succeeded, and otherwise throws the failure,
 * also when something takes longer than `lostMs`. A request that gets 503 with `Retry-After`, as an overloaded machine
 * may respond, is retried.
 */
export function createTenantWork(site: TestSite, sources: QuickSources, lostMs: number) {
  const here = `/sites/${site.slug}`;
  const counts = { requests: 0, repeated: 0 };

  /** Sends a request to the gateways in turn until it does not get 503. */
  async function send(path: string, init: RequestInit): Promise<Response> {
    const signal = AbortSignal.timeout(lostMs);
    for (;;) {
      counts.requests++;
      const reply = await fetch(next(stack.gateways) + path, { ...init, signal });
      const retryAfter = Number(reply.headers.get('retry-after'));
      if (reply.status !== 503 || !retryAfter) return reply;
      counts.repeated++;
      await reply.arrayBuffer();
      await sleep(retryAfter * second, undefined, { signal });
    }
  }

  async function ask(method: string, path: string, body?: unknown, expected = 200): Promise<Any> {
    const reply = await send(`/api/v1${path}`, {
      method,
      headers: { 'X-API-Key': site.key, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await reply.text();
    if (reply.status !== expected) throw new Error(`${method} ${path}: ${reply.status} ${text.slice(0, 300)}`);
    return JSON.parse(text).data;
  }

  /** Repeats `probe` until it is true. */
  async function until(what: string, probe: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + lostMs;
    while (!(await probe())) {
      if (performance.now() > end) throw new Error(`${what} was not seen within ${lostMs} ms.`);
      await sleep(100);
    }
  }

  async function visit(edge: string, path: string): Promise<number> {
    const reply = await fetch(`${edge}${here}${path}`, { signal: AbortSignal.timeout(lostMs) });
    await reply.arrayBuffer();
    return reply.status;
  }

  return {
    /** Requests so far, and the number that got 503. */
    counts: counts as Readonly<typeof counts>,
    readItem: (id: string) => ask('GET', `${here}/content/${id}`),
    readList: () => ask('GET', `${here}/content?per_page=20`),
    async readPage(slug: string): Promise<void> {
      const status = await visit(next(stack.edges), `/posts/${slug}/`);
      if (status !== 200) throw new Error(`The page is ${status}.`);
    },
    create: () => ask('POST', `${here}/content`, { title: 'Draft', body_html: '<p>Words</p>' }, 201),

    /** Resolves to the milliseconds from an item's scheduled time until every edge serves it. */
    async schedule(): Promise<number> {
      const dueMs = Math.ceil(Date.now() / second + 3) * second;
      const scheduled_at = `${new Date(dueMs).toISOString().slice(0, 19)}Z`;
      const item = { title: randomUUID(), status: 'scheduled', scheduled_at };
      const { slug } = await ask('POST', `${here}/content`, item, 201);
      await sleep(Math.max(0, dueMs - Date.now()));
      const isLive = async (edge: string) => (await visit(edge, `/posts/${slug}/`)) === 200;
      await Promise.all(stack.edges.map((edge) => until('The scheduled item', () => isLive(edge))));
      return Date.now() - dueMs;
    },

    async publish(): Promise<void> {
      const { job } = await ask('POST', `${here}/publish`, undefined, 202);
      await until('The end of the publish', async () => {
        const { status, error } = await ask('GET', `/jobs/${job}`);
        if (status === 'failed') throw new Error(`The publish failed: ${error.message}`);
        return status === 'succeeded';
      });
    },

    async receive(integration: TestIntegration): Promise<void> {
      const deliveryId = randomUUID();
      const body = Buffer.from(JSON.stringify({ title: deliveryId, body_html: '<p>News</p>', status: 'published' }));
      const { status } = await send(`/webhooks/${integration.slug}`, {
        method: 'POST',
        headers: { 'X-Delivery-Id': deliveryId, 'X-Service-Signature': signBody(integration.secret, body) },
        body,
      });
      if (status !== 202) throw new Error(`The delivery was refused: ${status}`);
      await until('The end of the delivery', async () => {
        const deliveries: Any[] = await ask('GET', `${here}/webhooks/${integration.id}/deliveries?per_page=100`);
        const delivery = deliveries.find((one) => one.delivery_id === deliveryId);
        if (delivery?.error) throw new Error(`The delivery failed: ${delivery.error}`);
        return delivery?.status === 'succeeded';
      });
    },

    async importPicture(): Promise<void> {
      await ask('POST', `${here}/media`, { url: `${sources.picture}?${randomUUID()}`, alt: 'A circle' }, 201);
    },

    async checkFacts(): Promise<void> {
      const body_html = `<p>The survey counted 1,200 walkers (<a href="${sources.page}">survey</a>).</p>`;
      const { id } = await ask('POST', `${here}/content`, { title: 'Walkers', body_html }, 201);
      const { links } = await ask('POST', `${here}/content/${id}/fact-check`);
      if (!links[0]?.ok) throw new Error(`The check did not reach its source: ${JSON.stringify(links)}`);
    },
  };
}

export type TenantWork = ReturnType<typeof createTenantWork>;
