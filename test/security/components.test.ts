import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, publish, type TestSite, waitForJob } from '../harness/api.ts';
import { visit } from '../harness/edge.ts';

let other: TestSite;
beforeAll(async () => {
  other = await makeSite({ name: 'Other site' });
  await other.request('PUT', '/components/secret', { type: 'html', source_code: 'the secret of the other site' });
  await publish(other);
});
afterAll(closeStack);

/** Creates a site with one component and a page that shows it. */
async function siteWith(component: Record<string, unknown>, vars = '{}'): Promise<TestSite> {
  const site = await makeSite();
  const stored = await site.request('PUT', '/components/probe', component);
  if (stored.status !== 201) throw new Error(stored.text);
  const escaped = vars.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('<', '&lt;');
  const body_html = `<p>start</p><x-component handle="probe" vars='${escaped}'></x-component><p>end</p>`;
  const page = await site.request('POST', '/content', {
    type: 'page',
    title: 'a',
    slug: 'a',
    body_html,
    status: 'published',
  });
  if (page.status !== 201) throw new Error(page.text);
  return site;
}

async function publishJob(site: TestSite) {
  const { data } = await site.request('POST', '/publish');
  return waitForJob(site.key, data.job);
}

const read = async (site: TestSite, path: string) => (await visit(`/sites/${site.slug}${path}`)).text;
const react = (source_code: string, more = {}) => ({ type: 'react', source_code, ...more });
const html = (source_code: string, more = {}) => ({ type: 'html', source_code, ...more });

// rule: threat.20
describe('a component that takes too much fails the publish of its own site alone, in bounded time', () => {
  test.each([
    ['a loop without end', react('export default () => { for (;;); }'), /"probe" failed: it takes longer/],
    [
      'memory',
      react('export default () => { const all = []; for (;;) all.push(new Array(1e4).fill(1)); }'),
      /"probe" failed: it (uses too much memory|takes longer)/,
    ],
    [
      'a template that loops',
      html('{% for i in 1..9999999 %}{% for k in 1..9999999 %}{% endfor %}{% endfor %}'),
      /"probe" failed/,
    ],
    ['a template that shows itself', html("{{ component('probe') }}"), /"probe" failed/],
    [
      'too many characters',
      react("export default () => <p>{'x'.repeat(5e6)}</p>"),
      /"probe" failed: it returns more than/,
    ],
  ])('%s', async (_what, component, reason) => {
    const site = await siteWith(component);
    const [failed] = await Promise.all([publishJob(site), publish(other)]);
    expect(failed.status).toBe('failed');
    expect(failed.error.message).toMatch(reason);
    await site.request('DELETE', '/components/probe');
    await publish(site);
    expect(await read(site, '/a/')).toContain('<p>end</p>');
  });

  test('a loss of the whole process', async () => {
    const site = await siteWith(
      react("export default ({ ok }) => { if (ok) return null; return 'x'.repeat(2 ** 29 - 30).split('').length; }", {
        variables_schema: { ok: { default: true } },
      }),
      '{"ok": false}',
    );
    const [failed] = await Promise.all([publishJob(site), publish(other)]);
    expect(failed.status).toBe('failed');
    expect(failed.error.message).toMatch(/\/a\//);
    expect(failed.error.message).toContain('The component "probe" exceeds its limit of time or memory');
  });

  test.each([
    [
      'a pattern that backtracks',
      { text: { type: 'string', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' } },
      JSON.stringify({ text: 'a'.repeat(60) }),
    ],
    [
      'a schema one of whose members refers to itself',
      { text: { allOf: [{ $ref: '#/properties/text' }] } },
      '{"text": 1}',
    ],
  ])('%s', async (_what, variables_schema, vars) => {
    const site = await siteWith(html('x', { variables_schema }), vars);
    const failed = await publishJob(site);
    expect(failed.error?.message).toMatch(/"probe" failed/);
  });
});

describe('a component reaches nothing outside its site', () => {
  test.each([
    ["{{ component('secret') }}"],
    ["{{ include('@components/secret', ignore_missing = true) }}"],
    ["{{ source('../../../../etc/passwd', ignore_missing = true) }}"],
    ["{{ include('/etc/passwd', ignore_missing = true) }}"],
    ['{{ vars.constructor }}{{ vars.__proto__ }}{{ site.constructor.constructor }}'],
    ["{{ attribute(vars, 'constructor') }}{{ _self.env }}{{ _context.constructor }}"],
    ["{{ ['id']|map('system')|join }}"],
  ])('by %s in a template', async (template) => {
    const site = await siteWith(html(`[${template}]`));
    const job = await publishJob(site);
    if (job.status === 'failed') expect(job.error.message).toContain('"probe" failed');
    else expect(await read(site, '/a/')).toContain('<x-component data-component="probe">[]</x-component>');
  });

  test('by what it changes in built-in objects: the next pages and the next site are rendered as ever', async () => {
    const poison =
      "for (const proto of [Object.prototype, Array.prototype, String.prototype]) { proto.map = proto.join = proto.replace = () => 'poison'; proto.poison = 'poison'; }\nJSON.parse = () => ({ poison: 1 });\nexport default () => <p>done</p>;";
    const site = await siteWith(react(poison));
    await site.request('PUT', '/components/plain', html('{{ vars.list|join("-") }}{{ vars.poison }}'));
    await site.request('POST', '/content', {
      type: 'page',
      title: 'b',
      slug: 'b',
      body_html: `<x-component handle="plain" vars='{"list":[1,2]}'></x-component>`,
      status: 'published',
    });
    await publishJob(site);
    expect(await read(site, '/b/')).toContain('>1-2<');
    await publish(other);
  });
});

describe('variables are data, whatever they look like', () => {
  const echo = react(
    "import { useState } from 'react';\nexport default (props) => { useState(0); return <pre>{JSON.stringify(props)}</pre>; }",
  );
  test.each([
    ['markup', '{"a": "</x-component><script>alert(1)</script><!-- </body>"}'],
    ['an attribute', `{"a": "' onclick='alert(1)' href=/x src=/y"}`],
    ['a prototype', '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}'],
  ])('%s', async (_what, vars) => {
    const site = await siteWith(echo, vars);
    await publish(site);
    const page = await read(site, '/a/');
    expect(page).not.toContain('<script>alert');
    const attribute = /data-props='([^']*)'/.exec(page)?.[1] ?? '';
    const text = attribute
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&#39;', "'")
      .replaceAll('&#61;', '=')
      .replaceAll('&amp;', '&');
    expect(JSON.parse(text)).toEqual(JSON.parse(vars));
    expect(page).toContain('<p>end</p>');
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  test('nested very deeply', async () => {
    const site = await siteWith(echo, `{"a": ${'['.repeat(5000)}${']'.repeat(5000)}}`);
    const job = await publishJob(site);
    if (job.status === 'failed') expect(job.error.message).toContain('"probe" failed');
  });
});

describe('a source that is made to break the compiler is refused, and the next upload works', () => {
  test.each([
    ['brackets', '('.repeat(262_000)],
    ['elements', `export default () => ${'<a>'.repeat(50_000)}`],
    ['arrows', `export default ${'a=>'.repeat(80_000)}1`],
    ['signs', `export default ${'!'.repeat(250_000)}1`],
    ['templates', `export default ${'`${'.repeat(80_000)}`],
    ['one character too many', 'x'.repeat(262_145)],
    ['NUL', 'export default () => "\0"'],
    ['a lone surrogate', 'export default () => "\ud800"'],
  ])('%s', async (_what, source) => {
    const { status } = await other.request('PUT', '/components/hostile', react(source));
    expect(status).toBe(422);
    const next = await other.request('PUT', '/components/next', react('export default () => <p>next</p>'));
    expect([next.status < 300, next.data.warnings]).toEqual([true, []]);
  });
});
