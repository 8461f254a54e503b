import { randomBytes, randomUUID } from 'node:crypto';
import { ask, type Flood, keepBusy } from './client.ts';

const json = { 'Content-Type': 'application/json' };

/** Imports by URL from the slow source. */
export function importSlowly(flood: Flood): Promise<void> {
  const { slug, sourcePort, amounts } = flood.input;
  return keepBusy(amounts.imports, flood.signal, (n) =>
    ask(flood, 'imports', `/api/v1/sites/${slug}/media`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ url: `http://127.0.0.1:${sourcePort}/${randomUUID()}.jpg`, alt: 'Slow' }),
      n,
    }),
  );
}

/** Checks items whose links lead to the slow source. */
export function checkSlowly(flood: Flood): Promise<void> {
  const { slug, factChecks } = flood.input;
  return keepBusy(factChecks.length, flood.signal, (n) =>
    ask(flood, 'factChecks', `/api/v1/sites/${slug}/content/${factChecks[n]}/fact-check`, { method: 'POST', n }),
  );
}

/**
 * After an upload a client waits this long before its next one: the test measures concurrent uploads, not the disk's
 * throughput.
 */
const uploadPauseMs = 120_000;

/** Uploads files concurrently, each as a form with unique bytes. */
export function uploadLargeFiles(flood: Flood): Promise<void> {
  const { slug, amounts } = flood.input;
  const bytes = randomBytes(amounts.uploadBytes);
  return keepBusy(amounts.uploads, flood.signal, async (n) => {
    const form = new FormData();
    form.append('alt', 'Large');
    form.append('file', new Blob([randomBytes(16), bytes]), `large-${n}.bin`);
    await ask(flood, 'uploads', `/api/v1/sites/${slug}/media`, { method: 'POST', body: form, n });
    return { retryAfterMs: uploadPauseMs };
  });
}
