import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiReply, closeStack, makeKey, makeSite, publish, request, type TestSite } from '../harness/api.ts';
import { visit } from '../harness/edge.ts';
import { deliver, makeIntegration } from '../harness/webhooks.ts';

const fields_schema = {
  type: 'object',
  required: ['minutes'],
  properties: {
    minutes: { type: 'integer', minimum: 1, 'x-filter': true },
    kind: { type: 'string', 'x-filter': true },
    story: { type: 'string', format: 'html' },
    steps: { type: 'array', items: { type: 'string' } },
  },
  additionalProperties: false,
};

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
  await putType(site, 'recipe');
});
afterAll(closeStack);

const putType = (on: TestSite, type: string, schema: object = fields_schema) =>
  on.request('PUT', `/types/${type}`, { name: 'Recipe', fields_schema: schema });
const create = (fields?: object, members: object = {}, on = site) =>
  on.request('POST', '/content', { title: 'T', type: 'recipe', ...members, ...(fields ? { fields } : {}) });

describe('types', () => {
  // rule: beyond.24
  test('are created, read, listed by name, replaced and deleted', async () => {
    const fresh = await makeSite();
    const made = await putType(fresh, 'b');
    expect(made.status).toBe(201);
    expect(made.data).toEqual({
      type: 'b',
      name: 'Recipe',
      fields_schema,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await fresh.request('GET', '/types/b')).data).toEqual(made.data);
    expect((await fresh.request('PUT', '/types/b', { ...made.data, name: 'B' })).status).toBe(200);
    await putType(fresh, 'a');
    const { data, json } = await fresh.request('GET', '/types');
    expect([data.map(({ type }: { type: string }) => type), json.pagination.total]).toEqual([['a', 'b'], 2]);
    const deleted = await fresh.request('DELETE', '/types/a');
    expect([deleted.status, deleted.data]).toEqual([200, { id: 'a', deleted: true }]);
    for (const method of ['GET', 'DELETE']) expect((await fresh.request(method, '/types/a')).status).toBe(404);
  });

  test.each(['Recipe', '1a', 'a b', `a${'b'.repeat(64)}`])('%p is no type: 422, and 404 to read', async (type) => {
    const path = `/types/${encodeURIComponent(type)}`;
    const reply = await site.request('PUT', path, { name: 'N', fields_schema: {} });
    expect([reply.status, reply.error?.details[0].path]).toEqual([422, 'type']);
    expect((await site.request('GET', path)).status).toBe(404);
  });

  test.each([
    [{ type: 'object', properties: { a: { type: 'text' } } }],
    [{ $ref: 'https://example.com/schema.json' }],
    [{ type: 'object', properties: { a: { type: 'array', 'x-filter': true } } }],
    ['text'],
    [{ title: 'x'.repeat(66_000) }],
  ])('the schema %j is 422', async (schema) => {
    const reply = await site.request('PUT', '/types/other', { name: 'N', fields_schema: schema });
    expect([reply.status, reply.error?.details[0].path]).toEqual([422, 'fields_schema']);
    expect((await site.request('GET', '/types/other')).status).toBe(404);
  });

  test('need content:read to read and sites:write to change', async () => {
    const reader = await makeKey(['content:read', 'content:write']);
    const body = { name: 'N', fields_schema: {} };
    expect((await request('GET', `/sites/${site.slug}/types/recipe`, { key: reader })).status).toBe(200);
    expect((await request('PUT', `/sites/${site.slug}/types/other`, { key: reader, body })).status).toBe(403);
  });

  // rule: beyond.24
  test('that items have cannot be deleted, nor when these are in the trash', async () => {
    const fresh = await makeSite();
    await putType(fresh, 'recipe');
    const { data } = await create({ minutes: 1 }, {}, fresh);
    const remove = async () => {
      const { status, error } = await fresh.request('DELETE', '/types/recipe');
      return [status, error?.code];
    };
    expect(await remove()).toEqual([409, 'in_use']);
    await fresh.request('DELETE', `/content/${data.id}`);
    expect(await remove()).toEqual([409, 'in_use']);
    await fresh.request('DELETE', `/content/${data.id}/purge`);
    expect(await remove()).toEqual([200, undefined]);
  });

  // rule: beyond.24
  test('a schema that stored items violate is 409 with these items, and changes nothing', async () => {
    const fresh = await makeSite();
    await putType(fresh, 'recipe');
    const ids: string[] = [];
    for (const minutes of [5, 10, 20]) ids.push((await create({ minutes }, {}, fresh)).data.id);
    await fresh.request('DELETE', `/content/${ids[2]}`);
    const reply = await putType(fresh, 'recipe', { type: 'object', properties: { minutes: { maximum: 9 } } });
    expect([reply.status, reply.error?.code]).toEqual([409, 'conflict']);
    expect(reply.error?.details).toHaveLength(2);
    for (const id of ids.slice(1))
      expect(reply.error?.details).toContainEqual({ path: `${id}.fields.minutes`, message: 'must be <= 9' });
    expect((await fresh.request('GET', '/types/recipe')).data.fields_schema).toEqual(fields_schema);
  });
});

/** Each way in which an item is written. */
const ways: Record<string, (fields: object) => Promise<Pick<ApiReply, 'status' | 'data' | 'error'>>> = {
  POST: (fields) => create(fields),
  PATCH: async (fields) =>
    site.request('PATCH', `/content/${(await create({ minutes: 1, kind: 'x' })).data.id}`, { fields }),
  'PATCH of the type': async (fields) => {
    const { data } = await site.request('POST', '/content', { title: 'T' });
    return site.request('PATCH', `/content/${data.id}`, { type: 'recipe', fields });
  },
  'PUT by reference': (fields) =>
    site.request('PUT', `/content/by-ref/${randomUUID()}`, { title: 'T', type: 'recipe', fields }),
  'PUT by reference, again': async (fields) => {
    const path = `/content/by-ref/${randomUUID()}`;
    await site.request('PUT', path, { title: 'T', type: 'recipe', fields: { minutes: 1 } });
    return site.request('PUT', path, { title: 'T', fields });
  },
  'a draft that is applied': async (fields) => {
    const { id } = (await create({ minutes: 1, kind: 'x' })).data;
    const draft = await site.request('PUT', `/content/${id}/draft`, { fields });
    return draft.status === 201 ? site.request('POST', `/content/${id}/draft/apply`) : draft;
  },
  batch: async (fields) => {
    const { data } = await site.request('POST', '/content/batch', { items: [{ title: 'T', type: 'recipe', fields }] });
    return data.results[0];
  },
};

describe('fields', () => {
  // rule: beyond.25
  test.each(Object.keys(ways))('are stored as a whole by %s, with HTML sanitized', async (way) => {
    const { status, data } = await ways[way]!({ minutes: 5, story: '<p onclick="x()">a</p>', steps: ['<b>'] });
    expect([200, 201]).toContain(status);
    expect(data.fields).toEqual({ minutes: 5, story: '<p>a</p>', steps: ['<b>'] });
    expect(data.warnings).toEqual([
      { code: 'event_handler_removed', message: expect.stringMatching(/^fields\.story: /) },
    ]);
    expect((await site.request('GET', `/content/${data.id}`)).data.fields).toEqual(data.fields);
  });

  // rule: beyond.25
  test.each(Object.keys(ways))('that the schema refuses are 422 with the path by %s', async (way) => {
    for (const [fields, path] of [
      [{}, 'fields.minutes'],
      [{ minutes: 0 }, 'fields.minutes'],
      [{ minutes: 1, steps: ['a', 2] }, 'fields.steps.1'],
      [{ minutes: 1, more: true }, 'fields.more'],
      [[], 'fields'],
    ] as const) {
      const { status, error } = await ways[way]!(fields);
      expect([status, error?.details?.map((one: { path: string }) => one.path)]).toEqual([422, [path]]);
    }
  });

  test('that are too long once they are sanitized are 422', async () => {
    const { status, error } = await create({ minutes: 1, story: '&'.repeat(20_000) });
    expect([status, error?.details[0].path]).toEqual([422, 'fields']);
  });

  // rule: beyond.25
  test('of a type without a schema are {}, and anything else is 422', async () => {
    const plain = await site.request('POST', '/content', { title: 'T' });
    expect([plain.status, plain.data.fields]).toEqual([201, {}]);
    const refused = await site.request('POST', '/content', { title: 'T', fields: { a: 1 } });
    expect([refused.status, refused.error?.details[0].path]).toEqual([422, 'fields']);
  });

  test('that are required must be there when an item gets the type', async () => {
    const { data } = await site.request('POST', '/content', { title: 'T' });
    const reply = await site.request('PATCH', `/content/${data.id}`, { type: 'recipe' });
    expect([reply.status, reply.error?.details[0].path]).toEqual([422, 'fields.minutes']);
  });

  test('stay as they are in a request that does not name them, and a record read can be sent back', async () => {
    const { data } = await create({ minutes: 5, story: '<p onclick="x()">a</p>' });
    const changed = await site.request('PATCH', `/content/${data.id}`, { body_html: '<p>b</p>' });
    expect([changed.data.fields, changed.data.warnings]).toEqual([data.fields, data.warnings]);
    const again = await site.request('PATCH', `/content/${data.id}`, changed.data);
    expect([again.status, again.data]).toEqual([200, { ...changed.data }]);
  });

  // rule: beyond.25
  test.each(['create_post', 'create_page'])('come with deliveries of %s', async (mapper) => {
    const type = mapper === 'create_post' ? 'post' : 'page';
    const fresh = await makeSite();
    await putType(fresh, type);
    const integration = await makeIntegration(fresh, mapper);
    const payload = { title: 'T', body_html: '', status: 'draft', source_ref: 'r' };
    const delivery = await deliver(integration, { ...payload, fields: { minutes: 3 } });
    expect(delivery.status).toBe('succeeded');
    const { data } = await fresh.request('GET', `/content/${delivery.result.item.id}`);
    expect(data.fields).toEqual({ minutes: 3 });
    // a repeat that does not name them leaves them
    await deliver(integration, { ...payload, title: 'U' });
    const later = await fresh.request('GET', `/content/${delivery.result.item.id}`);
    expect([later.data.title, later.data.fields]).toEqual(['U', { minutes: 3 }]);
  });
});

describe('fields of drafts and revisions', () => {
  const given = { minutes: 20, kind: 'soup', story: '<p onclick="x()">a</p>' };
  const stored = { ...given, story: '<p>a</p>' };
  const strict = { ...fields_schema, properties: { ...fields_schema.properties, minutes: { maximum: 9 } } };
  const refusal = ({ status, error }: ApiReply) => [status, error?.details?.[0].path];

  // rule: beyond.25
  test('are in drafts and previews, and checked once more when the schema has changed', async () => {
    const fresh = await makeSite();
    await putType(fresh, 'recipe');
    const raw = '{{ page.fields.minutes }}|{{ page.fields.kind }}|{{ page.fields.story }}';
    await fresh.request('PUT', '/shell/file/recipe.twig', undefined, { raw });
    const { data: item } = await create({ minutes: 5 }, {}, fresh);
    const path = `/content/${item.id}`;
    const draft = await fresh.request('PUT', `${path}/draft`, { fields: given });
    expect([draft.data.fields, draft.data.warnings.length]).toEqual([stored, 1]);
    expect((await fresh.request('GET', `${path}/draft`)).data).toEqual(draft.data);
    const { data: shown } = await fresh.request('POST', `${path}/preview`);
    expect((await visit(new URL(shown.url).pathname)).text).toContain('20|soup|<p>a</p>');
    expect((await fresh.request('GET', path)).data).toEqual(item);

    expect((await putType(fresh, 'recipe', strict)).status).toBe(200);
    for (const action of ['draft/apply', 'preview'])
      expect(refusal(await fresh.request('POST', `${path}/${action}`))).toEqual([422, 'fields.minutes']);
    expect((await fresh.request('GET', path)).data).toEqual(item);
    expect((await fresh.request('GET', `${path}/draft`)).data).toEqual(draft.data);
    await putType(fresh, 'recipe');
    const applied = await fresh.request('POST', `${path}/draft/apply`);
    expect([applied.data.fields, applied.data.warnings]).toEqual([stored, draft.data.warnings]);
  });

  // rule: beyond.25
  test('must fit the type that a draft gives the item', async () => {
    const { data } = await site.request('POST', '/content', { title: 'T' });
    const path = `/content/${data.id}/draft`;
    expect(refusal(await site.request('PUT', path, { type: 'recipe' }))).toEqual([422, 'fields.minutes']);
    await site.request('PUT', path, { type: 'recipe', fields: { minutes: 3 } });
    const applied = await site.request('POST', `${path}/apply`);
    expect([applied.data.type, applied.data.fields]).toEqual(['recipe', { minutes: 3 }]);
  });

  // rule: beyond.25
  test('come back with their revision unless the schema refuses them by now', async () => {
    const fresh = await makeSite();
    await putType(fresh, 'recipe');
    const { data: item } = await create(given, {}, fresh);
    const path = `/content/${item.id}`;
    const restore = () => fresh.request('POST', `${path}/revisions/1/restore`);
    await fresh.request('PATCH', path, { fields: { minutes: 5 } });
    const restored = await restore();
    expect({ ...restored.data, updated_at: item.updated_at }).toEqual(item);
    const found = await fresh.request('GET', '/content?filter[fields.kind]=soup');
    expect(found.data.map(({ id }: { id: string }) => id)).toEqual([item.id]);

    const { data: changed } = await fresh.request('PATCH', path, { fields: { minutes: 5 } });
    await putType(fresh, 'recipe', strict);
    expect(refusal(await restore())).toEqual([422, 'fields.minutes']);
    expect((await fresh.request('GET', path)).data).toEqual(changed);
    const compared = (await fresh.request('GET', `${path}/revisions/1?compare=2`)).data;
    expect(compared.item.fields).toEqual(stored);
    expect(compared.compared.changes.fields).toEqual({ from: { minutes: 5 }, to: stored });
  });
});

describe('filters', () => {
  // rule: beyond.26
  test('find items by members that the schema marks', async () => {
    const fresh = await makeSite();
    await putType(fresh, 'recipe');
    const find = async (query: string) =>
      (await fresh.request('GET', `/content?${query}`)).data.map(({ title }: { title: string }) => title);
    for (const [title, fields] of Object.entries({
      A: { minutes: 5, kind: 'soup' },
      B: { minutes: 5, kind: 'x'.repeat(500) },
      C: { minutes: 50 },
    }))
      await create(fields, { title }, fresh);
    expect(await find('filter[fields.minutes]=5')).toEqual(['B', 'A']);
    expect(await find('filter[fields.minutes]=5&filter[fields.kind]=soup')).toEqual(['A']);
    expect(await find(`filter%5Bfields.kind%5D=${'x'.repeat(500)}&type=recipe`)).toEqual(['B']);
    expect(await find('filter[fields.minutes]=6')).toEqual([]);
    const { data } = await fresh.request('GET', '/content?filter[fields.minutes]=50');
    await fresh.request('PATCH', `/content/${data[0].id}`, { fields: { minutes: 6 } });
    expect(await find('filter[fields.minutes]=6')).toEqual(['C']);
    expect(await find('filter[fields.minutes]=50')).toEqual([]);
  });

  // rule: beyond.26
  test.each([
    'filter[fields.story]',
    'filter[fields.none]',
    'filter[title]',
    'filter',
    'filter[fields.minutes]&type=post',
  ])('%p is 422', async (name) => {
    const [path, rest = ''] = name.split('&');
    const reply = await site.request('GET', `/content?${path}=5&${rest}`);
    expect([reply.status, reply.error?.details[0].path]).toEqual([422, path]);
  });
});

// rule: beyond.27
test('templates show fields escaped, and HTML as it is', async () => {
  const fresh = await makeSite();
  await putType(fresh, 'recipe');
  const raw = "{{ page.fields.kind }}|{{ page.fields.story }}|{{ page.fields.steps|join(',') }}";
  await fresh.request('PUT', '/shell/file/recipe.twig', undefined, { raw });
  const fields = { minutes: 1, kind: '<i>k</i>', story: '<p>s</p>', steps: ['<b>'] };
  const { data } = await create(fields, { status: 'published' }, fresh);
  await publish(fresh);
  const page = await (await fetch(data.url)).text();
  expect(page).toContain('&lt;i&gt;k&lt;/i&gt;|<p>s</p>|&lt;b&gt;');
});

// rule: beyond.24
test('writes that race with a change of the schema leave no item that violates it', async () => {
  const fresh = await makeSite();
  await putType(fresh, 'recipe', { minutes: { type: 'integer' } });
  const strict = { minutes: { type: 'integer', maximum: 10 } };
  const writes = Array.from({ length: 20 }, (_, n) => create({ minutes: n }, {}, fresh));
  const changes = [putType(fresh, 'recipe', strict), putType(fresh, 'recipe', strict)];
  for (const { status } of await Promise.all(writes)) expect([201, 422, 503]).toContain(status);
  for (const { status } of await Promise.all(changes)) expect([200, 409, 503]).toContain(status);
  const { data: type } = await fresh.request('GET', '/types/recipe');
  const { data } = await fresh.request('GET', '/content?per_page=100');
  const most = Math.max(...data.map(({ fields }: { fields: { minutes: number } }) => fields.minutes));
  if (type.fields_schema.minutes.maximum === 10) expect(most).toBeLessThanOrEqual(10);
  // a last change meets all of them
  const last = await putType(fresh, 'recipe', { minutes: { type: 'integer', maximum: most - 1 } });
  expect(last.status).toBe(409);
});
