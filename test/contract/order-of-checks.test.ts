import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { grants, type Scope, scopes } from '../../services/core/scopes.ts';
import type { AppRoute } from '../../services/features/route.ts';
import { routes } from '../../services/gateway/routes.ts';
import { closeStack, makeKey, makeSite, request, type TestSite } from '../harness/api.ts';

let site: TestSite;
let none: string;
const keysWithout = new Map<Scope, string>();

beforeAll(async () => {
  site = await makeSite();
  none = await makeKey(['admin'], ['some-other-site']);
  for (const needed of new Set(routes.map(({ scope }) => scope))) {
    const others = (Object.keys(scopes) as Scope[]).filter((scope) => scope !== 'admin' && !grants([scope], needed));
    keysWithout.set(needed, await makeKey(others));
  }
});
afterAll(closeStack);

const id = '00000000-0000-4000-8000-000000000000';
const pathOf = (path: string) => path.replace(':site', site.slug).replace(/:\w+/g, id).replace('*', 'css/none.css');
/** A valid body; most routes have no required members. */
const bodyOf = ({ method, operationId }: AppRoute) => {
  if (method === 'GET') return {};
  return { body: operationId === 'replaceMedia' ? { url: 'https://example.com/cairn.jpg' } : {} };
};

describe.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
  const send = (key: string | null, path = pathOf(route.path)) =>
    request(route.method, path, { key, ...bodyOf(route) });

  // rule: endpoint.1, auth.1
  test('401 without a key', async () => {
    expect((await send(null)).status).toBe(401);
  });

  // rule: endpoint.1, auth.3, threat.3
  test('403 for a key with every scope but the needed one, before the site is looked for', async () => {
    const reply = await send(keysWithout.get(route.scope)!, pathOf(route.path).replace(site.slug, 'no-such-site'));
    expect([reply.status, reply.error.code]).toEqual([403, 'scope_missing']);
  });

  if (route.path.includes(':site')) {
    // rule: service.8, endpoint.1, auth.4, status.403, break.1
    test('403 for a key of another site, 404 for a site that does not exist', async () => {
      const refused = await send(none);
      expect([refused.status, refused.error.code]).toEqual([403, 'site_not_allowed']);
      const missing = await send(site.key, pathOf(route.path).replace(site.slug, 'no-such-site'));
      expect(missing.status).toBe(404);
    });
  }

  // `putType` creates a type: its path has a name, not an id
  if (/:(?!site|locale|handle|source_ref)\w+/.test(route.path) && route.operationId !== 'putType') {
    test('404 for an id that is none', async () => {
      for (const hostile of ['x', '1', '%00', '%ff', '%F0%9F%92%A9', "'%20or%201=1", '{}', 'a'.repeat(500)]) {
        const path = route.path.replace(':site', site.slug).replace(/:\w+/g, hostile);
        const query = route.operationId === 'explainPage' ? '?path=/' : ''; // without one it is 422
        expect([hostile, (await send(site.key, path + query)).status]).toEqual([hostile, 404]);
      }
    });
  }

  if (route.body.kind === 'json') {
    test('422 for JSON that is no object, or holds what cannot be stored', async () => {
      for (const raw of ['[]', '"x"', 'null', '1', 'true', '{"a":"\\u0000"}', '{"a":"\\ud800"}']) {
        const options = { key: site.key, raw, headers: { 'Content-Type': 'application/json' } };
        const reply = await request(route.method, pathOf(route.path), options);
        expect([raw, reply.status, reply.error.code]).toEqual([raw, 422, 'validation_failed']);
      }
    });

    // rule: break.13
    test('the key, its scope and its site are judged before the body is read', async () => {
      const headers = { 'Content-Type': 'text/plain' };
      const sendDirt = async (key: string | null, slug = site.slug) => {
        const path = pathOf(route.path).replace(site.slug, slug);
        return (await request(route.method, path, { key, raw: '{', headers })).error.code;
      };
      expect([await sendDirt(null), await sendDirt(keysWithout.get(route.scope)!)]).toEqual([
        'unauthorized',
        'scope_missing',
      ]);
      if (route.path.includes(':site')) {
        const refused = [await sendDirt(none), await sendDirt(site.key, 'no-such-site')];
        expect(refused).toEqual(['site_not_allowed', 'not_found']);
      }
    });

    // rule: status.413
    test('413 before 415 before 422', async () => {
      const large = new Uint8Array(4 * 1024 * 1024 + 1);
      const headers = { 'Content-Type': 'text/plain' };
      expect((await request(route.method, pathOf(route.path), { key: site.key, raw: large, headers })).status).toBe(
        413,
      );
      expect((await request(route.method, pathOf(route.path), { key: site.key, raw: '{', headers })).status).toBe(415);
      const malformed = await request(route.method, pathOf(route.path), {
        key: site.key,
        raw: '{',
        headers: { 'Content-Type': 'application/json' },
      });
      expect([malformed.status, malformed.error.code]).toEqual([422, 'malformed_json']);
      const unknown = await request(route.method, pathOf(route.path), { key: site.key, body: { no_such_member: 1 } });
      expect(unknown.status).toBe(422);
      expect(unknown.error.details.map((detail: { path: string }) => detail.path)).toContain('no_such_member');
    });
  }
});

const methodsByPath = [...Map.groupBy(routes, ({ path }) => path)].map(([path, own]) => ({
  path,
  declared: own.map(({ method }) => method as string),
}));

// rule: status.404
test.each(methodsByPath)('405 with Allow for a method that $path does not have', async ({ path, declared }) => {
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    if (declared.includes(method)) continue;
    const reply = await request(method, pathOf(path), { key: site.key });
    const code = method === 'HEAD' ? 'method_not_allowed' : reply.error.code;
    const allow = reply.headers.get('allow')?.split(', ').sort();
    expect([method, reply.status, code, allow]).toEqual([method, 405, 'method_not_allowed', declared.toSorted()]);
  }
});

test.each(['/nothing/here', '/', '', '/jobs', '/SITES', '/sites/', '//nothing/here', '//api', '//api/v1//sites'])(
  '404 for the unknown path %p',
  async (path) => {
    expect((await request('GET', path, { key: site.key })).status).toBe(404);
  },
);

// rule: service.3, limit.10, break.28
test('the surface is there under its version alone, the webhook endpoint without one', async () => {
  const { key } = site;
  for (const base of ['', '/api', '/v1', '/api/v2', '/api/v10', '/API/v1'])
    for (const path of ['/sites', `/sites/${site.slug}/content`, '/authoring-guide'])
      expect([base, path, (await request('GET', `/${base}${path}`, { key })).status]).toEqual([base, path, 404]);
  const { data } = await site.request('POST', '/webhooks', { mapper: 'create_post' });
  expect((await request('POST', `//webhooks/${data.slug}`, { body: {} })).status).toBe(401);
  expect((await request('POST', `/webhooks/${data.slug}`, { key, body: {} })).status).toBe(404);
});

test('a malformed Idempotency-Key is 422 after malformed JSON and before validation', async () => {
  const headers = { 'Idempotency-Key': 'a b' };
  const malformed = await site.request('POST', '/content', undefined, {
    raw: '{',
    headers: { ...headers, 'Content-Type': 'application/json' },
  });
  expect(malformed.error.code).toBe('malformed_json');
  expect((await site.request('POST', '/content', {}, { headers })).error.code).toBe('idempotency_key_invalid');
  for (const [path, body] of [
    ['/content', { title: 'a\0' }],
    ['/content', []],
    ['/publish', { title: 'x' }],
    ['/media', { alt: '\0' }],
  ] as const) {
    const reply = await site.request('POST', path, body, { headers });
    expect([path, reply.error.code]).toEqual([path, 'idempotency_key_invalid']);
  }
  expect(
    (await site.request('POST', '/content', { title: 'x' }, { headers: { 'Idempotency-Key': 'k'.repeat(256) } }))
      .status,
  ).toBe(422);
  expect(
    (await site.request('POST', '/content', { title: 'x' }, { headers: { 'Idempotency-Key': 'k'.repeat(255) } }))
      .status,
  ).toBe(201);
});
