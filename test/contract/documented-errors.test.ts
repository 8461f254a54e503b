import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { type ErrorCode, errorCatalogue } from '../../services/core/errors.ts';
import { takesFields } from '../../services/core/fields.ts';
import { grants, type Scope, scopes } from '../../services/core/scopes.ts';
import { createKey } from '../../services/features/keys/service.ts';
import type { AppRoute } from '../../services/features/route.ts';
import { errorsOf } from '../../services/gateway/openapi/errors.ts';
import { routes } from '../../services/gateway/routes.ts';
import { claimKey } from '../../services/gateway/stages/idempotency-sql.ts';
import { jsonMaxBytes } from '../../services/gateway/stages/read-bytes.ts';
import { closeStack, makeKey, makeSite, nextGateway, stack, stackDatabase, type TestSite } from '../harness/api.ts';
import { makeMember } from '../harness/people.ts';
import { sendPieces } from '../harness/raw.ts';
import { startRole, type TestRole } from '../harness/role.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';

// Provokes every documented error of every operation that its stages cause. Errors of an operation's own are tested
// with its other rules; `npm test -- errors` lists the documented errors that no test has seen.

let site: TestSite;
let elsewhere: string;
let viewer: string;
let limited: TestRole;
let slow: TestRole;
let cutOff: TestRole;
let wayToDatabase: TcpProxy;
let holder: { id: string; key: string };
const keysWithout = new Map<Scope, string>();

beforeAll(async () => {
  site = await makeSite();
  elsewhere = await makeKey(['admin'], ['some-other-site']);
  viewer = await (await makeMember(site.slug, 'viewer')).makeKey();
  holder = await createKey(stackDatabase(), { name: 'holder', scopes: ['admin'], sites: ['*'] });
  for (const needed of new Set(routes.map(({ scope }) => scope))) {
    const others = (Object.keys(scopes) as Scope[]).filter((scope) => scope !== 'admin' && !grants([scope], needed));
    keysWithout.set(needed, await makeKey(others));
  }
  const database = new URL(stack.env.DATABASE_URL!);
  wayToDatabase = await startTcpProxy(database.hostname, Number(database.port));
  database.host = `127.0.0.1:${wayToDatabase.port}`;
  [limited, slow, cutOff] = await Promise.all([
    startRole('gateway', { FIELDSTONE_RATE_LIMIT_KEY: '1' }),
    startRole('gateway', { FIELDSTONE_BODY_TIMEOUT_MS: '300' }),
    startRole('gateway', { DATABASE_URL: database.href }),
  ]);
  wayToDatabase.cut();
});
afterAll(async () => {
  await Promise.all([limited, slow, cutOff].map((gateway) => gateway.kill()));
  await wayToDatabase[Symbol.asyncDispose]();
  await closeStack();
});

interface Asked {
  key?: string | null;
  path?: string;
  query?: string;
  body?: string | Uint8Array | ReadableStream;
  headers?: Record<string, string>;
  url?: string;
}

/** A body that starts and never continues. */
const firstByteOnly = () => new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(' ')) });

const fill = (path: string) =>
  path.replace(':site', site.slug).replace('*', 'css/none.css').replace(/:\w+/g, randomUUID());
const takesBody = ({ body }: AppRoute) => body.kind !== 'ignored';

async function ask(route: AppRoute, asked: Asked = {}): Promise<[number, string | undefined]> {
  const { key = site.key, path = fill(route.path), query = '', url = nextGateway() } = asked;
  const headers: Record<string, string> = { 'Content-Type': 'application/json', ...asked.headers };
  if (key !== null) headers['X-API-Key'] = key;
  const reply = await fetch(`${url}/api/v1${path}${query}`, {
    method: route.method,
    headers,
    body: asked.body ?? (takesBody(route) ? '{}' : null),
    duplex: 'half',
  } as RequestInit);
  const text = await reply.text();
  return [reply.status, text ? JSON.parse(text).error?.code : undefined];
}

/** Sends an invalid value, in the first place where the route reads one. */
function askWrongly(route: AppRoute) {
  const { body, path } = route;
  if (route.query) {
    const [name] = Object.keys((route.query as z.ZodObject).shape);
    return ask(route, { query: `?${name}=%00` });
  }
  if (takesFields(route)) return ask(route, { query: '?fields=no_such_member' });
  if (route.etag) return ask(route, { headers: { 'If-Match': 'no tag' } });
  if (path.includes('*')) return ask(route, { path: fill(path.replace('*', 'css/.hidden.css')) });
  if (body.kind === 'raw') return ask(route, { body: 'neither what is wanted nor anything like it' });
  return ask(route, { body: '{"no_such_member":1}' });
}

/** Sends a request while a first one with its Idempotency-Key is running, with the same body or another. */
async function askBesideHolder(route: AppRoute, body: string) {
  const path = fill(route.path);
  const key = randomUUID();
  const address = { apiKeyId: holder.id, method: route.method, path: `/api/v1${path}`, key };
  expect(
    await claimKey(
      stackDatabase(),
      address,
      randomUUID(),
      takesBody(route) ? createHash('sha256').update(body).digest('hex') : '',
      60,
    ),
  ).toBe(true);
  return ask(route, { key: holder.key, path, headers: { 'Idempotency-Key': key } });
}

/** How to provoke each error of the stages; null if this route cannot return it in this way. */
const provocations: Partial<Record<ErrorCode, (route: AppRoute) => Promise<[number, string | undefined]> | null>> = {
  unauthorized: (route) => ask(route, { key: null }),
  scope_missing: (route) => ask(route, { key: keysWithout.get(route.scope)! }),
  site_not_allowed: (route) => (route.path.includes(':site') ? ask(route, { key: elsewhere }) : null),
  role_insufficient: (route) => ask(route, { key: viewer }),
  not_found: (route) => ask(route, { path: fill(route.path.replace(':site', 'no-such-site')) }),
  rate_limited: async (route) => {
    const key = await makeKey();
    await ask(route, { key, url: limited.url, path: '/nothing' });
    return ask(route, { key, url: limited.url });
  },
  unavailable: (route) => ask(route, { url: cutOff.url }),
  too_large(route) {
    const { body } = route;
    const maxBytes = body.kind === 'raw' ? body.maxBytes : jsonMaxBytes;
    return ask(route, { body: new Uint8Array(maxBytes + 1).fill(0x20) });
  },
  unsupported_media_type: (route) => ask(route, { headers: { 'Content-Encoding': 'zstd' } }),
  malformed_json: (route) => ask(route, { body: '{' }),
  request_timeout: (route) => ask(route, { url: slow.url, body: firstByteOnly() }),
  async bad_request(route) {
    const lines = [`X-API-Key: ${site.key}`, 'Host: localhost', 'Content-Length: 2', 'Content-Length: 3'];
    const head = [`${route.method} /api/v1${fill(route.path)} HTTP/1.1`, ...lines, '', '{}'].join('\r\n');
    const reply = await sendPieces([head]);
    return [reply.status, reply.json?.error.code];
  },
  idempotency_key_invalid: (route) => ask(route, { headers: { 'Idempotency-Key': 'a b' } }),
  idempotency_in_flight: (route) => askBesideHolder(route, '{}'),
  idempotency_key_reused: (route) => (takesBody(route) ? askBesideHolder(route, '{"another":"body"}') : null),
  validation_failed: askWrongly,
};

describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
  for (const code of errorsOf(route)) {
    const reply = provocations[code];
    if (!reply) continue;
    test(`${errorCatalogue[code]} ${code}`, async () => {
      const seen = await reply(route);
      if (seen) expect(seen).toEqual([errorCatalogue[code], code]);
    });
  }
});
