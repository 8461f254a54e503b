import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EngineConfig, loadConfig, requireEngines } from '../../services/core/config.ts';
import { type Database, openDatabase } from '../../services/engines/sql/database.ts';
import { createKey } from '../../services/features/keys/service.ts';
import { type StackInfo, stackFile } from './stack.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
type Any = any;

export interface ApiReply {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body, or undefined if it is not JSON. */
  json: Any;
  data: Any;
  error: Any;
}

export interface RequestOptions {
  key?: string | null;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged. */
  raw?: string | Uint8Array | FormData | ReadableStream;
  headers?: Record<string, string>;
  /** 0 or 1: one gateway; by default they alternate, so that no test passes thanks to the memory of one process. */
  gateway?: number;
}

export const stack: StackInfo = JSON.parse(readFileSync(stackFile, 'utf8'));

let turn = 0;
export const nextGateway = (): string => stack.gateways[turn++ % stack.gateways.length]!;

export function stackConfig(): EngineConfig {
  return requireEngines(loadConfig(stack.env));
}

let database: Database | undefined;
/** Returns the stack's database, for keys and for reading what a request stored. Close it with `closeStack`. */
export function stackDatabase(): Database {
  database ??= openDatabase({ ...stackConfig(), databasePoolSize: 2, sqlLogFile: undefined });
  return database;
}

/** Closes the stack's database; call it in `afterAll` of files that created keys or sites. */
export async function closeStack(): Promise<void> {
  await database?.close();
  database = undefined;
}

/** Creates a key; `sites` defaults to every site. */
export async function makeKey(
  scopes: string[] = ['admin'],
  sites: string[] = ['*'],
  userEmail?: string,
): Promise<string> {
  const { key } = await createKey(stackDatabase(), { name: 'test', scopes, sites, userEmail });
  return key;
}

/** Sends one request below `/api/v1` (or outside it if the path starts with `//`). */
export async function request(method: string, path: string, options: RequestOptions = {}): Promise<ApiReply> {
  const base = options.gateway === undefined ? nextGateway() : stack.gateways[options.gateway]!;
  const url = path.startsWith('//') ? base + path.slice(1) : `${base}/api/v1${path}`;
  const headers: Record<string, string> = { ...options.headers };
  if (options.key) headers['X-API-Key'] = options.key;
  let body = options.raw;
  if (options.body !== undefined) {
    headers['Content-Type'] ??= 'application/json';
    body = JSON.stringify(options.body);
  }
  const response = await fetch(url, { method, headers, body: body ?? null, redirect: 'manual' });
  const text = await response.text();
  let json: Any;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: response.status, headers: response.headers, text, json, data: json?.data, error: json?.error };
}

export interface TestSite {
  slug: string;
  id: string;
  /** An admin key for every site. */
  key: string;
  request(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<ApiReply>;
}

/**
 * Creates a site and an admin key, by default a new one of the first administrator; paths of its `request` are relative
 * to `/sites/{slug}`. Its name is unique, so that no two sites have pages with the same bytes: some tests delete the
 * stored objects of a site.
 */
export async function makeSite(members: Record<string, unknown> = {}, ownKey?: string): Promise<TestSite> {
  const key = ownKey ?? (await makeKey());
  const slug = `t-${randomUUID().slice(0, 13)}`;
  const made = await request('POST', '/sites', { key, body: { name: `Site ${slug}`, slug, ...members } });
  if (made.status !== 201) throw new Error(`The site was not made: ${made.status} ${made.text}`);
  return {
    slug,
    id: made.data.id,
    key,
    request: (method, path, body, options = {}) =>
      request(method, `/sites/${slug}${path}`, { key, ...options, ...(body === undefined ? {} : { body }) }),
  };
}

/**
 * Returns the metrics of a role as text; `ops` is the URL of its port for operations. Each read has a connection of its
 * own: on a busy machine the role closes an idle one just as the next request is sent.
 */
export async function readMetrics(ops: string): Promise<string> {
  return (await fetch(`${ops}/metrics`, { headers: { connection: 'close' } })).text();
}

/** The timeout for events that never happen, on a machine of any speed. */
const defaultTimeoutMs = 240_000;

/** Repeats `probe` until it returns a value; throws with `what` after the timeout. */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined | null | false>,
  timeoutMs = defaultTimeoutMs,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const result = await probe();
    if (result) return result;
    if (Date.now() > end) throw new Error(`It did not happen in time: ${what}`);
    await sleep(100);
  }
}

/** Waits until a job has ended, and returns it. */
export function waitForJob(key: string, uuid: string): Promise<Any> {
  return eventually(`job ${uuid} ends`, async () => {
    const { data } = await request('GET', `/jobs/${uuid}`, { key });
    return data?.finished_at ? data : undefined;
  });
}

/** Publishes and waits; throws if the job failed. */
export async function publish(site: TestSite): Promise<Any> {
  const { status, data, text } = await site.request('POST', '/publish');
  if (status !== 202) throw new Error(`Publish was refused: ${status} ${text}`);
  const job = await waitForJob(site.key, data.job);
  if (job.status !== 'succeeded') throw new Error(`The publish failed: ${job.error?.message}`);
  return job;
}
