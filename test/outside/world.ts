import { execFile } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

// What an outsider has: the addresses of a running service and its command line. Nothing here reads the product's code.

// biome-ignore lint/suspicious/noExplicitAny: replies of every shape are looked into
export type Any = any;

export interface World {
  dataDir: string;
  env: Record<string, string>;
  gateways: string[];
  edges: string[];
  allowedPorts: number[];
}

/** The checkout whose service runs; another than this one when OUTSIDE_PRODUCT says so. */
export const root = process.env.OUTSIDE_PRODUCT ?? path.join(import.meta.dirname, '..', '..');
const runFolder = path.join(root, 'test', '.run', process.env.FIELDSTONE_TEST_RUN ?? 'default');
export const world: World = JSON.parse(readFileSync(path.join(runFolder, 'stack.json'), 'utf8'));

export interface Reply {
  /** `METHOD path` for messages. */
  what: string;
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
  json: Any;
  data: Any;
  error: Any;
}

export interface Call {
  key?: string | null;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: string | Buffer;
  type?: string | null;
  headers?: Record<string, string | string[]>;
  /** Which gateway; they take turns otherwise. */
  gateway?: number;
  origin?: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 40 });
let turn = 0;

function send(url: URL, method: string, headers: Record<string, string | string[]>, body?: Buffer): Promise<Reply> {
  const attempt = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const options = { host: url.hostname, port: url.port, path: url.pathname + url.search, method, headers, agent };
      const sent = httpRequest(options, resolve);
      sent.on('error', reject);
      sent.end(body);
    });
  return attempt().then(async (message) => {
    const bytes = await buffer(message);
    const text = bytes.toString('utf8');
    let json: Any;
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
    const what = `${method} ${url.pathname.slice(0, 120)}${url.search.slice(0, 100)}`;
    return {
      what,
      status: message.statusCode!,
      headers: message.headers,
      bytes,
      text,
      json,
      data: json?.data,
      error: json?.error,
    };
  });
}

type Observer = (reply: Reply) => void;
const observers: Observer[] = [];
/** Sees every reply of the API. */
export const observe = (observer: Observer): void => void observers.push(observer);

/** One request below `/api/v1`, or outside it when the path begins with `//`. */
export async function call(method: string, target: string, options: Call = {}): Promise<Reply> {
  const base = options.origin ?? world.gateways[options.gateway ?? turn++ % world.gateways.length]!;
  const outside = target.startsWith('//');
  const url = new URL(outside ? base + target.slice(1) : `${base}/api/v1${target}`);
  const headers: Record<string, string | string[]> = { ...options.headers };
  if (options.key) headers['X-API-Key'] = options.key;
  let body: Buffer | undefined;
  if (options.raw !== undefined) body = Buffer.from(options.raw as string);
  if (options.body !== undefined) body = Buffer.from(JSON.stringify(options.body));
  const type = options.type === undefined && options.body !== undefined ? 'application/json' : options.type;
  if (type) headers['Content-Type'] = type;
  if (body) headers['Content-Length'] = String(body.length);
  else if (method === 'POST' || method === 'PUT' || method === 'PATCH') headers['Content-Length'] = '0';
  const reply = await send(url, method, headers, body);
  if (!outside) for (const observer of observers) observer(reply);
  return reply;
}

/** One request to an edge, nothing followed or decoded. */
export async function visit(
  target: string,
  { method = 'GET', headers = {}, edge }: { method?: string; headers?: Record<string, string>; edge?: number } = {},
): Promise<Reply> {
  const base = new URL(world.edges[edge ?? turn++ % world.edges.length]!);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { host: base.hostname, port: base.port, path: target, method, headers, agent: false },
      async (message) => {
        const bytes = await buffer(message);
        resolve({
          what: `${method} edge ${target}`,
          status: message.statusCode!,
          headers: message.headers,
          bytes,
          text: bytes.toString('utf8'),
          json: undefined,
          data: undefined,
          error: undefined,
        });
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

/** Sends bytes over a connection of their own; answers everything that came back until it was closed or fell silent. */
export function wire(bytes: Buffer | string, origin: string = world.gateways[0]!, quietMs = 3000): Promise<string> {
  const base = new URL(origin);
  return new Promise((resolve) => {
    const received: Buffer[] = [];
    const socket = connect(Number(base.port), base.hostname, () => socket.write(bytes));
    socket.setTimeout(quietMs, () => socket.destroy());
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(received).toString('latin1')));
  });
}

const run = promisify(execFile);

/** Runs the product's command line against the running service; answers what it printed, parsed. */
export async function cli(...args: string[]): Promise<Any> {
  const { stdout } = await run(process.execPath, [path.join(root, 'services/cli/fieldstone.js'), ...args, '--json'], {
    env: world.env,
    cwd: root,
    maxBuffer: 1 << 26,
  });
  return JSON.parse(stdout);
}

export async function makeKey(scopes: string[] = ['admin'], sites: string[] = ['*'], user?: string): Promise<string> {
  const more = user ? ['--user', user] : [];
  return (
    await cli('keys', 'create', '--name', 'outside', '--scopes', scopes.join(','), '--sites', sites.join(','), ...more)
  ).key;
}

let adminKey: Promise<string> | undefined;
export const admin = (): Promise<string> => (adminKey ??= makeKey());

export interface Site {
  slug: string;
  id: string;
  key: string;
  record: Any;
  call(method: string, target: string, body?: unknown, options?: Call): Promise<Reply>;
}

export const unique = (prefix: string): string => `${prefix}-${randomUUID().slice(0, 13)}`;

export async function makeSite(members: Record<string, unknown> = {}): Promise<Site> {
  const key = await admin();
  const slug = unique('o');
  const made = await call('POST', '/sites', { key, body: { name: 'Outside', slug, ...members } });
  if (made.status !== 201) throw new Error(`no site: ${made.status} ${made.text}`);
  return {
    slug,
    id: made.data.id,
    key,
    record: made.data,
    call: (method, target, body, options = {}) =>
      call(method, `/sites/${slug}${target}`, { key, ...options, ...(body === undefined ? {} : { body }) }),
  };
}

export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined | null | false>,
  ms = 90_000,
): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`did not happen: ${what}`);
    await sleep(100);
  }
}

export const jobEnd = (key: string, uuid: string): Promise<Any> =>
  eventually(`job ${uuid} ends`, async () => {
    const { data } = await call('GET', `/jobs/${uuid}`, { key });
    return data?.finished_at ? data : undefined;
  });

export async function publish(site: Site): Promise<Any> {
  const { data, status, text } = await site.call('POST', '/publish');
  if (status !== 202) throw new Error(`publish: ${status} ${text}`);
  const job = await jobEnd(site.key, data.job);
  if (job.status !== 'succeeded') throw new Error(`publish failed: ${JSON.stringify(job.error)}`);
  return job;
}

export interface Integration {
  id: string;
  slug: string;
  secret: string;
  site: Site;
}

export async function makeIntegration(site: Site, mapper: string): Promise<Integration> {
  const { data, status, text } = await site.call('POST', '/webhooks', { mapper });
  if (status !== 201) throw new Error(`integration: ${status} ${text}`);
  return { id: data.id, slug: data.slug, secret: data.secret, site };
}

export function sign(
  secret: string,
  body: Buffer | string,
  t: number | string = Math.floor(Date.now() / 1000),
): string {
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')}`;
}

export async function deliver(
  to: Pick<Integration, 'slug' | 'secret'>,
  payload: unknown,
  {
    id = randomUUID(),
    signature,
    headers = {},
  }: { id?: string | null; signature?: string | null; headers?: Call['headers'] } = {},
): Promise<Reply & { id: string }> {
  const body = Buffer.isBuffer(payload)
    ? payload
    : Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  const all: Record<string, string | string[]> = { ...headers };
  if (signature !== null) all['X-Service-Signature'] = signature ?? sign(to.secret, body);
  if (id !== null) all['X-Delivery-Id'] = id;
  const reply = await call('POST', `//webhooks/${to.slug}`, { raw: body, type: 'application/json', headers: all });
  return { ...reply, id: id ?? '' };
}

export function deliveryEnd(to: Integration, id: string): Promise<Any> {
  return eventually(`delivery ${id} ends`, async () => {
    for (let page = 1; ; page++) {
      const { data } = await to.site.call('GET', `/webhooks/${to.id}/deliveries?per_page=100&page=${page}`);
      const found = data.find((one: Any) => one.delivery_id === id);
      if (found) return found.finished_at ? found : undefined;
      if (data.length === 0) return undefined;
    }
  });
}

/** A multipart body. */
export function form(
  parts: { name: string; value: string | Buffer; filename?: string; type?: string }[],
  boundary = `b${randomUUID()}`,
): { raw: Buffer; type: string } {
  const chunks: Buffer[] = [];
  for (const { name, value, filename, type } of parts) {
    const file = filename === undefined ? '' : `; filename="${filename}"`;
    const mime = type ? `Content-Type: ${type}\r\n` : '';
    chunks.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${mime}\r\n`));
    chunks.push(Buffer.from(value as string), Buffer.from('\r\n'));
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return { raw: Buffer.concat(chunks), type: `multipart/form-data; boundary=${boundary}` };
}
