import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeKey, makeSite, request, type TestSite } from '../harness/api.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite({ settings: { accent: 'rust' } });
  await site.request('POST', '/languages', { locale: 'pt-BR', name: 'Português' });
});
afterAll(closeStack);

// rule: endpoint.41
test('the global guide needs sites:read and no site', async () => {
  const key = await makeKey(['sites:read'], [site.slug]);
  const reply = await request('GET', '/authoring-guide', { key });
  expect(reply.status).toBe(200);
  expect(reply.data).toMatchObject({
    guide_version: 1,
    embeds: {
      image: { syntax: '<img src="media:{id}" alt="…">' },
      component: { syntax: expect.stringContaining('<x-component') },
    },
    limits: { json_body_bytes: 4_194_304, shell_file_bytes: 5_000_000, per_page_max: 100 },
  });
  expect(reply.data.site).toBeUndefined();
  expect((await request('GET', '/authoring-guide', { key: await makeKey(['content:read']) })).status).toBe(403);
});

// rule: endpoint.42, break.28
test("a site's guide has the same rules, its locales, components and templates", async () => {
  const component = {
    type: 'html',
    source_code: '<b>{{ label }}</b>',
    variables_schema: { type: 'object', properties: { label: { type: 'string' } } },
  };
  expect((await site.request('PUT', '/components/card', component)).status).toBe(201);
  const { data: global } = await request('GET', '/authoring-guide', { key: site.key });
  const { status, data } = await site.request('GET', '/authoring-guide');
  expect(status).toBe(200);
  expect(data).toMatchObject(global);
  expect(data.site).toMatchObject({
    slug: site.slug,
    default_locale: 'en',
    locales: [
      { locale: 'en', name: 'English', default: true, path_prefix: '/' },
      { locale: 'pt-BR', name: 'Português', default: false, path_prefix: '/pt-BR/' },
    ],
    missing_templates: [],
    settings: { accent: 'rust' },
  });
  expect(data.site.components).toEqual([
    {
      handle: 'card',
      type: 'html',
      variables: ['label'],
      variables_schema: component.variables_schema,
      embed: expect.stringContaining('handle="card"'),
      in_templates: "{{ component('card', {}) }}",
    },
  ]);
  const namesOf = async (variables_schema: object | null) => {
    await site.request('PUT', '/components/card', { ...component, variables_schema });
    return (await site.request('GET', '/authoring-guide')).data.site.components[0].variables;
  };
  expect((await namesOf({ size: {}, label: { type: 'string' } })).sort()).toEqual(['label', 'size']);
  expect(await namesOf({ type: 'object', additionalProperties: true })).toEqual([]);
  expect(await namesOf(null)).toEqual([]);
  await site.request('DELETE', '/shell/file/404.twig');
  expect((await site.request('GET', '/authoring-guide')).data.site.missing_templates).toEqual(['404.twig']);
});

test('what the guide allows is stored without a warning, as it was sent', async () => {
  const { data: guide } = await request('GET', '/authoring-guide', { key: site.key });
  const inline = ['em', 'strong', 'code', 'mark', 'a', 'abbr', 'time', 'kbd'];
  const names = guide.body_html.allowed_elements.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(inline));
  const body_html = `<p>${inline.map((name) => `<${name}>x</${name}>`).join(' ')}</p>`;
  const { data } = await site.request('POST', '/content', { title: 'By the guide', body_html });
  expect([data.body_html, data.warnings]).toEqual([body_html, []]);
});
