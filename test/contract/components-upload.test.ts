import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeKey, makeSite, request, type TestSite } from '../harness/api.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const card = 'export default function Card({ title }: { title: string }) {\n  return <h2>{title}</h2>;\n}\n';
const put = (handle: string, body: unknown) => site.request('PUT', `/components/${handle}`, body);

describe('a trial', () => {
  const attempt = (handle: string, body: unknown) => site.request('POST', `/components/${handle}/try`, body);

  // rule: endpoint.23
  test('renders an HTML component with its defaults, the site and a confined style sheet, and stores nothing', async () => {
    const reply = await attempt('tried', {
      type: 'html',
      source_code: '<p>{{ title }} {{ vars.size }} {{ site.locale }} {{ posts()|length }} {{ component("x") }}</p>',
      css: 'p { color: teal }',
      variables_schema: { title: { type: 'string' }, size: { type: 'integer', default: 3 } },
      vars: { title: '<b>' },
    });
    expect([reply.status, reply.data.error, reply.data.warnings]).toEqual([200, null, []]);
    expect(reply.data.html).toBe('<x-component data-component="tried"><p>&lt;b&gt; 3 en 0 </p></x-component>');
    expect(reply.data.css).toContain('@scope');
    expect((await site.request('GET', '/components/tried')).status).toBe(404);
  });

  // rule: endpoint.23
  test('renders a React component, and another source of the same name renders that one', async () => {
    const react = { type: 'react', source_code: card, vars: { title: 'Hi' } };
    expect((await attempt('card', react)).data.html).toContain('<h2>Hi</h2>');
    for (const text of ['one', 'two'])
      expect((await attempt('same', { type: 'html', source_code: `<i>${text}</i>` })).data.html).toContain(text);
  });

  // rule: endpoint.23
  test('reports variables that the schema rejects and an error of the component, and rejects what does not compile', async () => {
    const schema = { title: { type: 'string' } };
    const wrong = await attempt('a', { type: 'html', source_code: 'x', variables_schema: schema, vars: { title: 1 } });
    expect(wrong.data).toMatchObject({ html: null, error: expect.stringContaining('title') });
    const throws = 'export default function A() { throw new Error("broken"); }';
    const failed = await attempt('a', { type: 'react', source_code: throws });
    expect(failed.data).toMatchObject({ html: null, error: expect.stringContaining('broken') });
    const endless = await attempt('a', { type: 'html', source_code: '{{ include("other.twig") }}' });
    expect(endless.data).toMatchObject({ html: null, error: expect.stringContaining('line 1') });
    const broken = await attempt('a', { type: 'html', source_code: '{% if %}' });
    expect([broken.status, broken.json.error.code]).toEqual([422, 'compile_failed']);
    expect((await attempt('Wrong Name', { type: 'html', source_code: 'x' })).status).toBe(422);
    expect((await attempt('a', { type: 'html', source_code: 'x', vars: [] })).status).toBe(422);
  });
});

describe('PUT of a component', () => {
  // rule: resource.6, endpoint.23
  test('answers 201 with the record when it is new, 200 when it replaces one', async () => {
    const body = {
      type: 'react',
      source_code: card,
      css: 'h2 { color: teal }',
      variables_schema: { title: { type: 'string' } },
    };
    const first = await put('card', body);
    expect(first.status).toBe(201);
    expect(first.data).toEqual({
      handle: 'card',
      type: 'react',
      css: 'h2 { color: teal }',
      variables_schema: { title: { type: 'string' } },
      sha256: createHash('sha256').update(card).digest('hex'),
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      warnings: [],
    });
    const second = await put('card', { type: 'html', source_code: '<p>{{ vars.title }}</p>' });
    expect(second.status).toBe(200);
    expect(second.data).toMatchObject({ type: 'html', css: null, variables_schema: null, warnings: [] });
  });

  // rule: endpoint.23
  test('takes back a record that was read, with its source', async () => {
    await put('again', { type: 'html', source_code: 'a' });
    const { data: record } = await site.request('GET', '/components/again');
    expect(record.source_code).toBe('a');
    expect((await put('again', record)).status).toBe(200);
  });

  test('stores only: nothing is queued', async () => {
    const before = await site.request('GET', '/jobs');
    await put('quiet', { type: 'html', source_code: 'a' });
    expect((await site.request('GET', '/jobs')).json.pagination.total).toBe(before.json.pagination.total);
  });

  // rule: resource.6
  test.each(['Upper', '-first', 'a.b', 'a%20b', 'x'.repeat(121), '..%2fx', 'ä'])(
    'refuses the handle %s with 422',
    async (handle) => {
      const { status, error } = await put(handle, { type: 'html', source_code: 'a' });
      expect([status, error?.code]).toEqual([422, 'validation_failed']);
    },
  );

  // rule: resource.7
  test.each([
    ['no type', { source_code: 'a' }, 'type'],
    ['another type', { type: 'vue', source_code: 'a' }, 'type'],
    ['no source', { type: 'html' }, 'source_code'],
    ['an empty source', { type: 'html', source_code: '' }, 'source_code'],
    ['a source that is no text', { type: 'html', source_code: 5 }, 'source_code'],
    ['a css that is no text', { type: 'html', source_code: 'a', css: [] }, 'css'],
    ['an unknown member', { type: 'html', source_code: 'a', extra: 1 }, 'extra'],
    ['a schema that is no object', { type: 'html', source_code: 'a', variables_schema: 'x' }, 'variables_schema'],
    ['a schema that is a list', { type: 'html', source_code: 'a', variables_schema: [] }, 'variables_schema'],
  ])('refuses %s with 422', async (_what, body, path) => {
    const { status, error } = await put('bad', body);
    expect([status, error?.code]).toEqual([422, 'validation_failed']);
    expect(error.details.map((detail: { path: string }) => detail.path)).toContain(path);
    expect((await site.request('GET', '/components/bad')).status).toBe(404);
  });

  // rule: resource.8, error.2, break.25
  test.each([
    ['tags that do not match', 'react', 'export default () => (\n  <div><p></div>\n);', /line 2, column 1[0-9]/],
    [
      'a package',
      'react',
      "import x from 'lodash';\nexport default () => <p>{x}</p>;",
      /line 1, column 15: "lodash" cannot be imported/,
    ],
    [
      'an unused package',
      'react',
      "import x from 'lodash';\nexport default () => <p />;",
      /"lodash" cannot be imported/,
    ],
    ['a module of Node', 'react', "import { readFileSync } from 'node:fs';\nexport default () => <p />;", /"node:fs"/],
    ['a file', 'react', "import './style.css';\nexport default () => <p />;", /"\.\/style\.css"/],
    ['require', 'react', "const fs = require('fs');\nexport default () => <p />;", /"fs" cannot be required/],
    [
      'an import while it runs',
      'react',
      "export default () => { import('react'); return <p />; }",
      /"react" cannot be imported while it runs/,
    ],
    [
      'a computed import',
      'react',
      'export default ({ x }) => { import(x); return <p />; }',
      /cannot import while it runs/,
    ],
    ['import.meta', 'react', 'export default () => <p>{import.meta.url}</p>', /import\.meta/],
    ['await at the top', 'react', 'await 1;\nexport default () => <p />;', /line 1, column 1: "await"/],
    ['a template that does not parse', 'html', '<p>\n{% if x %}\n</p>', /line [23]/],
    ['a filter that does not exist', 'html', '{{ vars.a|nope }}', /line 1.*nope/s],
    ['a style sheet that does not end', 'css', '.a { color: red', /line 1/],
    ['a style sheet that closes its scope', 'css', '.a {} } body { display: none }', /line 1, column 7/],
  ])('refuses %s with 422, the place and the line', async (_what, type, source, message) => {
    const body = type === 'css' ? { type: 'html', source_code: 'a', css: source } : { type, source_code: source };
    const { status, error } = await put('broken', body);
    expect([status, error?.code]).toEqual([422, 'compile_failed']);
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/\n\d+ \| .*\n +\| +\^/);
    expect(error.details[0].path).toBe(type === 'css' ? 'css' : 'source_code');
  });

  // rule: endpoint.23
  test('that is broken leaves the component as it was', async () => {
    await put('kept', { type: 'react', source_code: card });
    expect((await put('kept', { type: 'react', source_code: 'export default (' })).status).toBe(422);
    expect((await site.request('GET', '/components/kept')).data.source_code).toBe(card);
  });

  test.each([
    ['two components, none of them exported', 'const A = () => <p />;\nconst B = () => <A />;'],
    ['no component', 'export const answer = 42;'],
    ['a default export that is none', 'export default { title: "x" };'],
    ['an element instead of a component', 'export default <p>x</p>;'],
    ['nothing', '// later'],
  ])('refuses %s with 422: it could never be shown', async (_what, source) => {
    const { status, error } = await put('none', { type: 'react', source_code: source });
    expect([status, error?.code, error?.details[0].path]).toEqual([422, 'compile_failed', 'source_code']);
    expect(error.message).toMatch(/No component was found: export one as the default/);
  });

  test.each([
    ['a first render that throws', 'export default ({ user }) => <p>{user.name}</p>', 'trial_render_failed'],
    ['an endless loop', 'export default () => { for (;;); }', 'trial_render_failed'],
  ])('stores %s with a warning', async (_what, source, code) => {
    const { status, data } = await put(`w${code}${Math.random().toString(36).slice(2)}`, {
      type: 'react',
      source_code: source,
    });
    expect([status, data.warnings.map((warning: { code: string }) => warning.code)]).toEqual([201, [code]]);
  });

  test.each([
    ['the default export', 'const A = () => <p />;\nexport const B = () => <A />;\nexport default B;'],
    [
      'the only component exported',
      'const A = () => <p />;\nexport const size = 3;\nexport function B() { return <A />; }',
    ],
    [
      'the only component defined',
      "import { memo } from 'react';\nconst label = () => 'x';\nconst B = memo(() => <p>{label()}</p>);",
    ],
    [
      'a class',
      "import { Component } from 'react';\nexport default class extends Component { render() { return <p />; } }",
    ],
    [
      'a forwarded reference',
      "import { forwardRef } from 'react';\nexport const Box = forwardRef((props, ref) => <p ref={ref} />);",
    ],
  ])('takes as the component %s', async (_what, source) => {
    const { status, data } = await put(`c-${Math.random().toString(36).slice(2)}`, {
      type: 'react',
      source_code: source,
    });
    expect([status, data.warnings]).toEqual([201, []]);
  });

  test('tries a component with the defaults of its schema', async () => {
    const body = {
      type: 'react',
      source_code: 'export default ({ names }) => <ul>{names.map((name) => <li key={name}>{name}</li>)}</ul>',
      variables_schema: { names: { type: 'array', default: ['a'] } },
    };
    expect((await put('defaults', body)).data.warnings).toEqual([]);
  });
});

describe('variables_schema', () => {
  const schema = (variables_schema: unknown) => put('schema', { type: 'html', source_code: 'a', variables_schema });

  // rule: resource.7
  test.each([
    ['a schema', { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }],
    ['its properties alone', { a: { type: 'string' }, b: { type: 'integer', minimum: 0 } }],
    [
      'properties that are named like keywords',
      { type: { type: 'string' }, items: { type: 'array' }, title: { type: 'string' } },
    ],
    ['references inside itself', { $defs: { t: { type: 'string' } }, properties: { a: { $ref: '#/$defs/t' } } }],
    ['the dialect of 2020-12', { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' }],
    ['draft 7', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }],
    ['an empty schema', {}],
    ['null', null],
  ])('may be %s, and is answered as it was sent', async (_what, given) => {
    const { status, data } = await schema(given);
    expect([status < 300, data?.variables_schema]).toEqual([true, given]);
  });

  test.each([
    ['neither', { a: 'string' }],
    ['a type that does not exist', { type: 'thing' }],
    ['a property of a type that does not exist', { a: { type: 'thing' } }],
    ['a mixture of both', { type: 'object', a: 'string', properties: 3 }],
    ['a reference to another address', { properties: { a: { $ref: 'https://schemas.example/a.json' } } }],
    ['a reference to a file', { a: { $ref: 'other.json#/a' } }],
    ['a reference to itself without end', { allOf: [{ $ref: '#' }] }],
    ['a reference to nothing', { a: { $ref: '#/$defs/none' } }],
    ['a pattern that is none', { a: { type: 'string', pattern: '(' } }],
  ])('that is %s is 422', async (_what, given) => {
    const { status, error } = await schema(given);
    expect([status, error?.code, error?.details?.[0]?.path]).toEqual([422, 'validation_failed', 'variables_schema']);
  });
});

describe('the list, reading and deleting', () => {
  test('the list shows records, last changed first, in pages', async () => {
    const own = await makeSite();
    for (const handle of ['a', 'b', 'c'])
      await own.request('PUT', `/components/${handle}`, { type: 'html', source_code: handle });
    await own.request('PUT', '/components/a', { type: 'html', source_code: 'aa' });
    const { json } = await own.request('GET', '/components?per_page=2');
    expect(json.data.map((record: { handle: string }) => record.handle)).toEqual(['a', 'c']);
    expect(json.pagination).toEqual({ total: 3, page: 1, per_page: 2, total_pages: 2 });
    expect(Object.keys(json.data[0]).sort()).toEqual([
      'css',
      'handle',
      'sha256',
      'type',
      'updated_at',
      'variables_schema',
    ]);
  });

  test('deleting answers the handle, and what is not there is 404', async () => {
    await put('gone', { type: 'html', source_code: 'a' });
    const { status, data } = await site.request('DELETE', '/components/gone');
    expect([status, data]).toEqual([200, { id: 'gone', deleted: true }]);
    expect((await site.request('DELETE', '/components/gone')).status).toBe(404);
    expect((await site.request('GET', '/components/gone')).status).toBe(404);
    for (const method of ['GET', 'DELETE'])
      for (const handle of ['Not%20A%20Handle', '%00', '%ff', '%ed%a0%80', 'a'.repeat(3000)])
        expect((await site.request(method, `/components/${handle}`)).status).toBe(404);
  });

  test('every operation needs components:write, and no other scope gives it', async () => {
    const key = await makeKey(['sites:read', 'sites:write', 'content:write', 'shell:write', 'publish']);
    const path = `/sites/${site.slug}/components`;
    const statuses = await Promise.all([
      request('GET', path, { key }),
      request('GET', `${path}/card`, { key }),
      request('PUT', `${path}/card`, { key, body: { type: 'html', source_code: 'a' } }),
      request('DELETE', `${path}/card`, { key }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    const own = await makeKey(['components:write'], [site.slug]);
    expect((await request('PUT', `${path}/own`, { key: own, body: { type: 'html', source_code: 'a' } })).status).toBe(
      201,
    );
  });

  // rule: threat.37
  test('two sites keep components of one handle apart', async () => {
    const other = await makeSite();
    await put('same', { type: 'html', source_code: 'one' });
    await other.request('PUT', '/components/same', { type: 'html', source_code: 'two' });
    expect((await site.request('GET', '/components/same')).data.source_code).toBe('one');
  });
});
