import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';

// biome-ignore lint/suspicious/noExplicitAny: replies of every shape
type Any = any;

/** Creates an external client of the API, which throws for everything but 2xx. */
export function createCaller(gateway: string, key: string) {
  return async function call(method: string, target: string, body?: object | FormData): Promise<Any> {
    const form = body instanceof FormData;
    const response = await fetch(`${gateway}/api/v1${target}`, {
      method,
      headers: { 'X-API-Key': key, ...(body && !form ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { body: form ? body : JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${target}: ${response.status} ${text}`);
    return JSON.parse(text).data;
  };
}

/** Repeats `ask` until its result is not null; throws after two minutes. */
export async function eventually<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
  const deadline = performance.now() + 120_000;
  while (performance.now() < deadline) {
    const answer = await ask();
    if (answer !== null) return answer;
    await sleep(300);
  }
  throw new Error(`In two minutes it did not come about that ${what}.`);
}

/** Waits until the page at a URL contains a text, and returns it. */
export function waitForPage(address: string, text: string): Promise<string> {
  return eventually(`${address} shows "${text}"`, async () => {
    // a kept-alive connection may lead to a pod that has ended
    const response = await fetch(address).catch(() => null);
    if (!response) return null;
    const page = await response.text();
    return response.ok && page.includes(text) ? page : null;
  });
}

/** Creates a picture of one colour. */
export function makePicture(): Promise<Buffer> {
  return sharp({ create: { width: 900, height: 600, channels: 3, background: '#d50' } })
    .jpeg()
    .toBuffer();
}

/** Uploads a file and waits until the media worker has processed it. Returns the number of renditions. */
export async function uploadMedia(
  call: ReturnType<typeof createCaller>,
  site: string,
  name: string,
  bytes: Buffer,
): Promise<number> {
  const form = new FormData();
  form.append('alt', name);
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  const { id } = await call('POST', `/sites/${site}/media`, form);
  return eventually(`${name} is processed`, async () => {
    const { status, variants } = await call('GET', `/sites/${site}/media/${id}`);
    if (status === 'failed') throw new Error(`${name} could not be processed.`);
    return status === 'ready' ? (variants as object[]).length : null;
  });
}
