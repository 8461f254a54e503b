import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, publish, type TestSite, waitForJob } from '../harness/api.ts';
import { visit } from '../harness/edge.ts';

afterAll(closeStack);

async function putComponent(site: TestSite, handle: string, body: Record<string, unknown>) {
  const reply = await site.request('PUT', `/components/${handle}`, body);
  if (reply.status >= 300) throw new Error(`The component was refused: ${reply.text}`);
}

async function writePage(site: TestSite, slug: string, body_html: string) {
  const reply = await site.request('POST', '/content', {
    type: 'page',
    title: slug,
    slug,
    body_html,
    status: 'published',
  });
  if (reply.status !== 201) throw new Error(`The page was refused: ${reply.text}`);
  return reply.data.id as string;
}

async function putShell(site: TestSite, path: string, text: string) {
  const reply = await site.request('PUT', `/shell/file/${path}`, undefined, { raw: text });
  if (reply.status >= 300) throw new Error(`The shell file was refused: ${reply.text}`);
  return reply.data;
}

async function publishFails(site: TestSite): Promise<string> {
  const { data } = await site.request('POST', '/publish');
  const job = await waitForJob(site.key, data.job);
  expect(job.status).toBe('failed');
  return job.error.message;
}

const read = async (site: TestSite, path: string) => (await visit(`/sites/${site.slug}${path}`)).text;
function use(handle: string, vars?: unknown): string {
  const json = JSON.stringify(vars)?.replaceAll('&', '&amp;').replaceAll("'", '&#39;');
  return `<x-component handle="${handle}"${json === undefined ? '' : ` vars='${json}'`}></x-component>`;
}

const hello = { type: 'react', source_code: 'export default ({ name }) => <b className="hello">Hello {name}</b>;' };

describe('a component in a page', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await makeSite();
    await putComponent(site, 'hello', hello);
    await putComponent(site, 'note', {
      type: 'html',
      source_code: '<aside class="note">{{ vars.text }}|{{ text|upper }}|{{ site.name }}|{{ url("/") }}</aside>',
      css: '.note { color: rgb(1, 2, 3) }',
    });
    await putShell(
      site,
      'page.twig',
      "<html><head><title>x</title></head><body>{{ component('hello', {name: '<Twig>'}) }}{{ page.body }}</body></html>",
    );
    await writePage(site, 'with', `<p>a</p>${use('hello', { name: '<Body>' })}${use('note', { text: '<i>' })}<p>z</p>`);
    await writePage(site, 'without', '<p>none</p>');
    await publish(site);
  });

  test('is rendered from a body and from a template, escaped', async () => {
    const html = await read(site, '/with/');
    expect(html).toContain('<b class="hello">Hello &lt;Twig&gt;</b>');
    expect(html).toContain('<b class="hello">Hello &lt;Body&gt;</b>');
    expect(html).toContain(`<aside class="note">&lt;i&gt;|&lt;I&gt;|Site ${site.slug}|../</aside>`);
    expect(html).not.toContain('handle=');
  });

  test('brings its style sheet, confined to itself, to the pages that show it and to no other', async () => {
    expect(await read(site, '/with/')).toContain('<style>@scope ([data-component="note"]) to ([data-component]) {');
    expect(await read(site, '/without/')).not.toContain('@scope');
  });

  test('ships no script when it has neither state nor effects', async () => {
    const html = await read(site, '/with/');
    expect(html).not.toContain('<script');
    expect(html).not.toContain('data-props');
  });

  test('shows its new form with the next publish, on the pages that show it alone', async () => {
    await putComponent(site, 'note', { type: 'html', source_code: '<aside>second</aside>' });
    expect(await read(site, '/with/')).not.toContain('second');
    const job = await publish(site);
    expect(job.result.changed).toBe(1);
    expect(await read(site, '/with/')).toContain('<aside>second</aside>');
  });

  test('leaves nothing once it is deleted', async () => {
    await site.request('DELETE', '/components/note');
    await publish(site);
    const html = await read(site, '/with/');
    expect(html).not.toContain('second');
    expect(html).toContain('<p>z</p>');
  });
});

test("a style sheet refers to the shell's files, whose change reaches the pages that show the component", async () => {
  const site = await makeSite();
  await putShell(site, 'img/dot.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await putComponent(site, 'dot', { type: 'html', source_code: '<i></i>', css: 'i { background: url(img/dot.svg) }' });
  await writePage(site, 'a', use('dot'));
  await publish(site);
  const address = async () => /url\("?(\.\.\/_assets\/img\/dot\.[0-9a-f]{8}\.svg)/.exec(await read(site, '/a/'))?.[1];
  const before = await address();
  expect((await visit(`/sites/${site.slug}/${before?.slice(3)}`)).status).toBe(200);
  await putShell(site, 'img/dot.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="1"/>');
  await publish(site);
  const after = await address();
  expect(after).toBeDefined();
  expect(after).not.toBe(before);
});

test('a template of the shell may include the template of a component, and follows its changes', async () => {
  const site = await makeSite();
  await putComponent(site, 'part', { type: 'html', source_code: 'first' });
  await putShell(site, 'page.twig', "<p>{{ include('@components/part') }}</p>");
  await writePage(site, 'a', '');
  await publish(site);
  expect(await read(site, '/a/')).toBe('<p>first</p>');
  await putComponent(site, 'part', { type: 'html', source_code: 'second' });
  await publish(site);
  expect(await read(site, '/a/')).toBe('<p>second</p>');
});

describe('a component with state', () => {
  const counter = {
    type: 'react',
    source_code:
      "import { useState } from 'react';\nexport default ({ start }: { start: number }) => {\n  const [n, set] = useState(start);\n  return <button onClick={() => set(n + 1)}>n={n}</button>;\n};",
  };

  test('ships its script and the shared runtime as hashed files that the policy of the page lets run', async () => {
    const site = await makeSite();
    await putComponent(site, 'counter', counter);
    await writePage(site, 'one', use('counter', { start: 3, html: `</script><b a='1'>` }));
    await writePage(site, 'two', use('counter', { start: 4 }));
    await publish(site);
    const pages = [await visit(`/sites/${site.slug}/one/`), await visit(`/sites/${site.slug}/two/`)];
    const scripts = pages.map(({ text }) => /<script type="module" src="([^"]+)">/.exec(text)?.[1]);
    expect(scripts[0]).toMatch(/^\.\.\/_assets\/components\/counter\.[0-9a-f]{8}\.js$/);
    expect(scripts[1]).toBe(scripts[0]);
    expect(pages[0]!.headers['content-security-policy']).toContain("script-src 'self'");
    expect(pages[0]!.text).toContain('<button>n=<!-- -->3</button>');
    expect(pages[0]!.text).not.toContain('</script><b');
    const script = await visit(`/sites/${site.slug}/one/${scripts[0]}`.replace('/one/..', ''));
    expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(script.headers['cache-control']).toContain('immutable');
    const runtime = /from"\.\.\/(react\.[0-9a-f]{8}\.js)"/.exec(script.text)?.[1];
    expect((await visit(`/sites/${site.slug}/_assets/${runtime}`)).status).toBe(200);
    expect(pages[0]!.text).toContain(`<link rel="modulepreload" href="../_assets/${runtime}">`);
  });
});

describe('variables', () => {
  const strict = {
    ...hello,
    variables_schema: {
      type: 'object',
      properties: { name: { type: 'string', default: 'you' }, size: { type: 'integer', maximum: 3 } },
      additionalProperties: false,
    },
  };

  test('get the defaults of the schema', async () => {
    const site = await makeSite();
    await putComponent(site, 'hello', strict);
    await putComponent(site, 'note', {
      type: 'html',
      source_code: '{{ vars.name }} {{ name }}',
      variables_schema: { name: { type: 'string', default: 'ann' } },
    });
    await writePage(site, 'a', use('hello') + use('note'));
    await publish(site);
    expect(await read(site, '/a/')).toContain('Hello you');
    expect(await read(site, '/a/')).toContain('ann ann');
  });

  test.each([
    ['of the wrong type', use('hello', { name: 5 }), /name must be string/],
    ['that are too large', use('hello', { size: 4 }), /size must be <= 3/],
    ['that it does not have', use('hello', { other: 1 }), /additional.*"other"/],
    ['that are no object', use('hello', [1]), /not a JSON object/],
  ])(
    '%s fail the publish, which names the component and the page; the live site stays',
    async (_what, body, reason) => {
      const site = await makeSite();
      await putComponent(site, 'hello', strict);
      const id = await writePage(site, 'a', use('hello', { name: 'first' }));
      await publish(site);
      await site.request('PATCH', `/content/${id}`, { body_html: body });
      const message = await publishFails(site);
      expect(message).toMatch(/\/a\/.*"hello"/s);
      expect(message).toMatch(reason);
      expect(await read(site, '/a/')).toContain('Hello first');
    },
  );

  test('of a post fail it in the name of the post, whose feed repeats them', async () => {
    const site = await makeSite();
    await putComponent(site, 'hello', strict);
    const post = { title: 'Wrong', status: 'published', body_html: use('hello', { name: 5 }) };
    expect((await site.request('POST', '/content', post)).status).toBe(201);
    expect(await publishFails(site)).toContain('The page /posts/wrong/ could not be rendered.');
  });
});

describe('a component that throws', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await makeSite();
    await putComponent(site, 'bad', {
      type: 'react',
      source_code: "export default () => { throw new TypeError('no <luck>'); };",
    });
    await putComponent(site, 'hello', hello);
    await putComponent(site, 'broken', { type: 'html', source_code: 'a\n{{ 1 // 0 }}' });
    await writePage(site, 'a', `<p>before</p>${use('bad')}${use('broken')}${use('hello', { name: 'after' })}`);
  });

  test('names itself, the page and the fault in the job of a publish', async () => {
    const message = await publishFails(site);
    expect(message).toMatch(/\/a\//);
    expect(message).toContain('The component "bad" failed: TypeError: no <luck>');
  });

  test('fails only its own place in a preview, and never gets from there into a live release', async () => {
    const { job: uuid } = await putShell(site, 'style.css', '/* new */');
    const job = await waitForJob(site.key, uuid);
    expect(job.error).toBeNull();
    const preview = await visit(new URL('a/', job.result.url).pathname + new URL(job.result.url).search);
    expect(preview.status).toBe(200);
    expect(preview.text).toContain('<p>before</p>');
    expect(preview.text).toContain('The component &quot;bad&quot; failed: TypeError: no &lt;luck&gt;');
    expect(preview.text).toContain('The component &quot;broken&quot; failed: line 2: ');
    expect(preview.text).toContain('Hello after');
    expect(await publishFails(site)).toContain('"bad"');
  });
});
