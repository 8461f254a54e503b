import { randomBytes, randomUUID } from 'node:crypto';
import type { Report } from '../report.ts';
import { concrete, routes } from '../routes.ts';
import { call, cli, makeKey, makeSite, unique } from '../world.ts';

const sent = (body: unknown) => (typeof body === 'object' ? { body } : body === 'raw' ? { raw: 'x' } : {});

const scopes = [
  'sites:read',
  'sites:write',
  'content:read',
  'content:write',
  'media:read',
  'media:write',
  'components:write',
  'shell:read',
  'shell:write',
  'translations:manage',
  'publish',
  'jobs:read',
  'backup:read',
  'backup:run',
  'backup:restore',
];

/** Every endpoint of the tables against every way of being refused before its handler. */
export async function check(t: Report): Promise<void> {
  const site = await makeSite();
  const other = await makeSite();
  const key = site.key;
  await t.part('401 is one answer', async () => {
    const email = `${unique('u')}@example.com`;
    await cli('users', 'create', email);
    const inactive = await makeKey(['admin'], ['*'], email);
    await cli('users', 'deactivate', email);
    const revoked = await makeKey();
    await cli('keys', 'revoke', revoked.split('_')[1]!);
    const rotatedOld = await makeKey();
    const rotated = await cli('keys', 'rotate', rotatedOld.split('_')[1]!);
    t.replies('a rotated key works', await call('GET', '/sites', { key: rotated.key }), 200);
    t.is('44 characters', [key.length, /^fs_[A-Za-z0-9]{8}_[A-Za-z0-9]{32}$/.test(key)], [44, true]);
    const publicId = key.slice(3, 11);
    const bad: [string, string | null][] = [
      ['none', null],
      ['empty', ''],
      ['garbage', 'x'],
      ['prefix', `xx${key.slice(2)}`],
      ['short', key.slice(0, -1)],
      ['long', `${key}a`],
      ['wrong secret', `fs_${publicId}_${'a'.repeat(32)}`],
      ['unknown id', `fs_zzzzzzzz_${'a'.repeat(32)}`],
      ['upper', key.toUpperCase()],
      ['revoked', revoked],
      ['deactivated', inactive],
      ['rotated away', rotatedOld],
      ['bearer', `Bearer ${key}`],
      ['quotes', `"${key}"`],
      ['high bytes', `fs_${publicId}_${'\u00e9'.repeat(32)}`],
      ['sql', `fs_' or 1=_${'a'.repeat(32)}`],
      ['huge', `fs_${'a'.repeat(9000)}`],
    ];
    const first = await call('GET', '/sites');
    for (const [name, value] of bad) {
      for (const target of ['/sites', `/sites/${site.slug}/content`, '/no/such/route']) {
        const headers: Record<string, string> = value === null ? {} : { 'X-API-Key': value };
        const reply = await call('GET', target, { headers });
        t.replies(`${name} key is 401`, reply, 401);
        t.is(`${name} key: the same body`, reply.text, first.text);
      }
    }
    t.replies(
      'Authorization: Bearer is no way in',
      await call('GET', '/sites', { headers: { Authorization: `Bearer ${key}` } }),
      401,
    );
    t.replies(
      'two keys in one header',
      await call('GET', '/sites', { headers: { 'X-API-Key': `${key}, ${key}` } }),
      401,
    );
    t.replies('key as a query', await call('GET', `/sites?api_key=${key}`), 401);
    await cli('users', 'activate', email);
    t.replies('a reactivated user', await call('GET', '/sites', { key: inactive }), 200);
  });

  await t.part('each endpoint', async () => {
    const keys = new Map<string, string>();
    for (const scope of [...scopes, 'admin']) {
      const rest = scopes.filter((one) => one !== scope);
      keys.set(`not ${scope}`, await makeKey(rest));
    }
    const pinned = await makeKey(['admin'], [other.slug]);
    for (const route of routes) {
      const { method, path } = route;
      const target = concrete(path, site.slug);
      const name = `${method} ${path}`;
      const isJson = route.body !== undefined && typeof route.body === 'object';
      t.replies(`${name} without a key`, await call(method, target, { ...sent(route.body) }), 401);
      t.replies(
        `${name} without ${route.scope}`,
        await call(method, target, { key: keys.get(`not ${route.scope}`)!, ...sent(route.body) }),
        403,
      );
      // the order: scope, site, existence before anything about the body
      if (path.includes('{site}')) {
        const broken = { key, raw: '{"broken', type: 'text/plain' };
        t.replies(`${name} site outside the list`, await call(method, target, { ...broken, key: pinned }), 403);
        t.replies(
          `${name} unknown site outside the list`,
          await call(method, concrete(path, 'no-such-site'), { ...broken, key: pinned }),
          403,
        );
        t.replies(`${name} unknown site`, await call(method, concrete(path, 'no-such-site'), broken), 404);
        t.replies(`${name} hostile site`, await call(method, concrete(path, '%00%2e%2e'), broken), 404);
      }
      if (isJson) {
        const withKey = { key, headers: { 'Idempotency-Key': 'bad key \u00e9' } };
        t.replies(
          `${name} text/plain`,
          await call(method, target, { ...withKey, raw: '{"broken', type: 'text/plain' }),
          415,
        );
        t.replies(
          `${name} no content type`,
          await call(method, target, { ...withKey, raw: '{', type: null }),
          [415, 422],
        );
        t.replies(
          `${name} form`,
          await call(method, target, { ...withKey, raw: 'a=b', type: 'application/x-www-form-urlencoded' }),
          415,
        );
        for (const type of [
          'application/json',
          'application/json; charset=utf-8',
          'Application/JSON;charset="UTF-8"',
        ]) {
          t.replies(
            `${name} malformed ${type}`,
            await call(method, target, { ...withKey, raw: '{"broken', type }),
            422,
            'malformed_json',
          );
        }
        t.replies(`${name} empty body`, await call(method, target, { key, raw: '', type: 'application/json' }), 422);
        for (const raw of ['[]', '"x"', 'null', '1', 'true']) {
          const reply = await call(method, target, { key, raw, type: 'application/json' });
          t.replies(`${name} body ${raw}`, reply, 422);
        }
        if (method === 'POST') {
          t.replies(
            `${name} malformed Idempotency-Key`,
            await call(method, target, { key, ...sent(route.body), headers: { 'Idempotency-Key': 'a b' } }),
            422,
          );
        }
        t.replies(
          `${name} 4 MiB and one`,
          await call(method, target, { ...withKey, raw: Buffer.alloc(4 * 1024 * 1024 + 1, 32), type: 'text/plain' }),
          name.startsWith('POST /sites/{site}/media') ? [413, 415] : 413,
        );
        if (!path.includes('{id}')) {
          const reply = await call(method, target, { key, body: { ...(route.body as object), no_such_member: 1 } });
          if (t.replies(`${name} unknown member`, reply, 422)) {
            const named =
              path.endsWith('/batch') ||
              reply.error.details.some((one: { path: string; message: string }) =>
                `${one.path} ${one.message}`.includes('no_such_member'),
              );
            t.ok(`${name} unknown member is named`, named, reply.text);
          }
        }
      }
      for (const wrong of ['PUT', 'POST', 'PATCH', 'DELETE', 'GET']) {
        const known = routes.filter(
          (one) =>
            one.path === path ||
            new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(one.path) ||
            new RegExp(`^${one.path.replace(/\{path\}/g, '.+').replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
        );
        if (known.some((one) => one.method === wrong)) continue;
        const reply = await call(wrong, target, { key, raw: wrong === 'GET' ? undefined : '{' } as never);
        t.replies(`${path} with ${wrong}`, reply, 405);
        const allow = String(reply.headers.allow).split(/, */);
        const own = routes.filter((one) => one.path === path).map((one) => one.method);
        t.ok(
          `${path} Allow names its methods`,
          own.every((one) => allow.includes(one)) && !allow.includes(wrong),
          allow,
        );
      }
      if (method === 'GET') {
        const head = await call('HEAD', target, { key });
        t.ok(
          `HEAD ${path} answers without a body`,
          head.bytes.length === 0 &&
            (head.status === 405 ? head.headers.allow !== undefined : [200, 404].includes(head.status)),
          head.status,
        );
      }
      const options = await call('OPTIONS', target, { key });
      t.ok(`OPTIONS ${path} does not fail`, options.status < 500 && options.status !== 401, options.status);
      if (route.list && !path.includes('{id}')) {
        for (const query of [
          'page=0',
          'page=-1',
          'page=x',
          'page=1.5',
          'page=',
          'page=1e3x',
          'per_page=0',
          'per_page=-3',
          'per_page=many',
          'per_page=2.5',
          'per_page=',
          'page=NaN',
          'page=%00',
          'page=0x10',
        ]) {
          t.replies(`${path}?${query}`, await call('GET', `${target}?${query}`, { key }), 422);
        }
        const wide = await call('GET', `${target}?per_page=101`, { key });
        t.is(`${path} per_page above 100`, [wide.status, wide.json?.pagination?.per_page], [200, 100]);
        const defaults = await call('GET', target, { key });
        t.is(`${path} defaults`, [defaults.json?.pagination?.per_page, defaults.json?.pagination?.page], [20, 1]);
        const past = await call('GET', `${target}?page=9999`, { key });
        t.is(
          `${path} past the end`,
          [past.status, past.data, past.json?.pagination?.page, past.json?.pagination?.total],
          [200, [], 9999, defaults.json?.pagination?.total],
        );
        const far = await call('GET', `${target}?page=99999999999999999999`, { key });
        t.ok(`${path} a page far away`, [200, 422].includes(far.status), far.status);
      }
      if (/\{(id|uuid|delivery|release|rev)\}/.test(path)) {
        for (const hostile of [
          'x',
          '1',
          '%00',
          '..%2f..',
          "'%20or%201=1",
          randomBytes(40).toString('hex'),
          randomUUID().slice(1),
          '%ff',
          '%F0%9F%92%A9',
          '{}',
          randomUUID(),
        ]) {
          const reply = await call(
            method,
            concrete(path, site.slug, {
              id: hostile,
              uuid: hostile,
              delivery: hostile,
              release: hostile,
              rev: hostile,
            }),
            { key, ...sent(route.body) },
          );
          t.replies(`${name} with id ${hostile}`, reply, [
            404,
            ...(hostile === '..%2f..' || hostile === '%ff' ? [400] : []),
          ]);
        }
      }
    }
  });

  await t.part('scopes are not a hierarchy', async () => {
    const write = await makeKey(['content:write'], [site.slug]);
    t.replies(
      'content:write does not read',
      await call('GET', `/sites/${site.slug}/content`, { key: write }),
      403,
      'scope_missing',
    );
    t.replies(
      'content:write writes',
      await call('POST', `/sites/${site.slug}/content`, { key: write, body: { title: 'By scope' } }),
      201,
    );
    const list = await makeKey(['sites:read'], [site.slug]);
    const sites = await call('GET', '/sites', { key: list });
    t.is(
      'GET /sites lists only the key’s sites',
      sites.data.map((one: { slug: string }) => one.slug),
      [site.slug],
    );
    t.is('and counts only them', sites.json.pagination.total, 1);
    const pinnedAdmin = await makeKey(['admin'], [site.slug, 'yet-to-come']);
    t.replies('admin never widens the list', await call('GET', `/sites/${other.slug}`, { key: pinnedAdmin }), 403);
    t.replies(
      'a pinned admin makes no other site',
      await call('POST', '/sites', { key: pinnedAdmin, body: { name: 'X', slug: unique('p') } }),
      403,
    );
    t.replies(
      'a pinned admin and a derived slug outside',
      await call('POST', '/sites', { key: pinnedAdmin, body: { name: unique('X') } }),
      403,
    );
    const coming = unique('coming');
    const pinnedComing = await makeKey(['admin'], [coming]);
    t.replies(
      'a site to come in the list',
      await call('POST', '/sites', { key: pinnedComing, body: { name: 'X', slug: coming } }),
      201,
    );
    const job = (await site.call('POST', '/publish')).data.job;
    t.replies(
      'a job of another site is 403',
      await call('GET', `/jobs/${job}`, { key: await makeKey(['jobs:read'], [other.slug]) }),
      403,
    );
    t.replies(
      'a job of the key’s site',
      await call('GET', `/jobs/${job}`, { key: await makeKey(['jobs:read'], [site.slug]) }),
      200,
    );
  });

  await t.part('routes', async () => {
    for (const target of [
      '/',
      '',
      '/nope',
      `/sites/${site.slug}/nope`,
      `/sites/${site.slug}/content/trash/x`,
      `/sites/${site.slug}/shell`,
      '//api/v2/sites',
      '//api',
      '/jobs',
      `/sites/${site.slug}/content/`,
      `/sites/`,
      `/SITES`,
      '//api/v1//sites'.slice(1),
    ]) {
      const reply = await call('GET', target, { key });
      t.replies(`no such route ${target}`, reply, 404);
    }
  });
}
