import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, type Flood, keepBusy } from './client.ts';
import { makeText } from './text.ts';

const bodyBytes = 2 * 1024 * 1024;
const json = { 'Content-Type': 'application/json' };

/** Creates drafts with large bodies, several concurrently. */
export function createLargeItems(flood: Flood): Promise<void> {
  const { slug, amounts } = flood.input;
  const body = JSON.stringify({ title: 'Large', body_html: makeText(bodyBytes) });
  return keepBusy(amounts.largeCreates, flood.signal, (n) =>
    ask(flood, 'creates', `/api/v1/sites/${slug}/content`, { method: 'POST', headers: json, body, n }),
  );
}

/** Requests lists of them and reads the replies slowly. */
export function readListsSlowly(flood: Flood): Promise<void> {
  const { input, ledger, signal } = flood;

  async function read(n: number): Promise<void> {
    const url = `${input.gateways[n % input.gateways.length]}/api/v1/sites/${input.slug}/content?per_page=100`;
    const { promise, resolve } = Promise.withResolvers<string>();
    const request = get(url, { headers: { 'X-API-Key': input.key }, agent: false, signal }, async (reply) => {
      try {
        for await (const _ of reply) await sleep(5, undefined, { signal });
        resolve(String(reply.statusCode));
      } catch {
        resolve('cut off');
      }
    });
    request.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
    const outcome = await promise;
    if (!signal.aborted) ledger.note('lists', outcome);
  }

  return keepBusy(input.amounts.slowLists, signal, async (n) => {
    ledger.begin('lists');
    await read(n).finally(() => ledger.end('lists'));
    return { retryAfterMs: 0 };
  });
}
