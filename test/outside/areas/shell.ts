import { createHash } from 'node:crypto';
import type { Report } from '../report.ts';
import { type Any, call, eventually, jobEnd, makeSite, publish, visit } from '../world.ts';

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

/** Shell files, snapshots, previews; components. */
export async function check(t: Report): Promise<void> {
  await t.part('files', async () => {
    const site = await makeSite();
    const put = (path: string, raw: Buffer | string, type: string | null = null) =>
      site.call('PUT', `/shell/file/${path}`, undefined, { raw, type });
    const binary = Buffer.from(Array.from({ length: 512 }, (_, i) => i % 256));
    const made = await put('img/a.png', binary);
    t.is('members of a written file', Object.keys(made.data ?? {}).sort(), [
      'bytes',
      'content_type',
      'job',
      'path',
      'sha256',
      'updated_at',
      'warnings',
    ]);
    t.is(
      '201, its bytes',
      [made.status, made.data?.bytes, made.data?.sha256, made.data?.path, made.data?.content_type, made.data?.warnings],
      [201, 512, sha256(binary), 'img/a.png', 'image/png', []],
    );
    t.ok('a rebuild', /^[0-9a-f-]{36}$/.test(String(made.data?.job)));
    const read = await site.call('GET', '/shell/file/img/a.png');
    t.ok(
      'read back byte for byte as text/plain',
      read.bytes.equals(binary) && String(read.headers['content-type']).startsWith('text/plain'),
      read.headers,
    );
    t.ok('nosniff', read.headers['x-content-type-options'] === 'nosniff', read.headers);
    t.is(
      'the same bytes queue nothing',
      [(await put('img/a.png', binary)).status, (await put('img/a.png', binary)).data?.job],
      [200, null],
    );
    t.is('replaced is 200', (await put('img/a.png', 'other')).status, 200);
    t.is(
      'an empty file',
      [(await put('empty.css', '')).status, (await site.call('GET', '/shell/file/empty.css')).bytes.length],
      [201, 0],
    );
    for (const type of [
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'image/png',
      'nonsense',
      'application/json; charset=utf-16',
    ]) {
      const name = `types/${sha256(type).slice(0, 8)}.json`;
      t.replies(`PUT ignores ${type}`, await put(name, '{"broken', type), 201);
      t.is(`raw bytes by ${type}`, (await site.call('GET', `/shell/file/${name}`)).text, '{"broken');
    }
    for (const extension of [
      'twig',
      'css',
      'js',
      'json',
      'woff2',
      'svg',
      'png',
      'jpg',
      'jpeg',
      'gif',
      'webp',
      'avif',
      'ico',
    ])
      t.replies(`.${extension}`, await put(`ext/a.${extension}`, 'x'), 201);
    for (const path of [
      'a.html',
      'a.php',
      'a.txt',
      'a',
      'a.',
      'a.twig.bak',
      'a.htm',
      'a.mjs',
      'a.woff',
      'a.exe',
      'twig',
      'css/x',
      'a.css%00.html',
      'a.twig/',
      'a%00.css',
      '%00',
      '.css',
      '.htaccess',
      'x/.hidden/a.css',
      '.git/config.json',
      '..%2fa.css',
      'a/%2e%2e/b.css',
      'a/%2e/b.css',
      '%2e%2e%2f%2e%2e%2fetc.css',
      'a%5cb.css',
      'a%0ab.css',
      'a%7fb.css',
      'a//b.css',
      '%2fa.css',
      'a/%2fb.css',
      'a%2f%2fb.css',
      'a%ff.css',
      'a%ed%a0%80.css',
      `${'a'.repeat(252)}.css`,
      `${'%C3%BC'.repeat(126)}.css`,
      'a.css%20',
      'a.css/..',
      '%',
      'a%zz.css',
      'a%01.css',
      'a%C2%85.css',
    ]) {
      const reply = await call('PUT', `/sites/${site.slug}/shell/file/${path}`, { key: site.key, raw: 'x' });
      t.replies(`PUT ${path.slice(0, 60)}`, reply, [
        422,
        ...(path === 'a/%2e%2e/b.css' || path === 'a/%2e/b.css' || path === 'a.css/..' ? [201, 200, 404, 405] : []),
      ]);
    }
    for (const path of [
      `${'a'.repeat(251)}.css`,
      'a%20b.css',
      '%C3%BC.css',
      '%E6%97%A5/x.css',
      'a+b.css',
      'a%25b.css',
      "a'b.css",
      'a;b.css',
      'a%3Fb.css',
      'a%23b.css',
      'a..b.css',
      'a...css',
      'UPPER.CSS',
      'x/y/z/w.css',
      '%F0%9F%8E%89.css',
      '-a.css',
      '~a.css',
      '__proto__.json',
      'constructor/prototype.js',
    ]) {
      const reply = await put(path, `/* ${path} */`);
      t.replies(`PUT ${path.slice(0, 40)}`, reply, [201, ...(path === 'UPPER.CSS' ? [422] : [])]);
      if (reply.status === 201) {
        t.is('its path is decoded', reply.data.path, decodeURIComponent(path));
        t.is('read back', (await site.call('GET', `/shell/file/${path}`)).text, `/* ${path} */`);
        const gone = await site.call('DELETE', `/shell/file/${path}`);
        t.is('deleted', [gone.status, gone.bytes.length], [204, 0]);
        t.replies('and gone', await site.call('GET', `/shell/file/${path}`), 404);
      }
    }
    t.replies('DELETE of nothing', await site.call('DELETE', '/shell/file/none.css'), 404);
    t.replies('GET of nothing', await site.call('GET', '/shell/file/none.css'), 404);
    t.replies('GET of a refused path', await site.call('GET', '/shell/file/..%2f..%2fetc%2fpasswd'), 422);
    t.replies('DELETE of a refused path', await site.call('DELETE', '/shell/file/.env'), 422);
    t.replies('no path', await site.call('GET', '/shell/file/'), [404, 422]);
    const broken = await put('broken.twig', '<p>\n{% if %}\n');
    t.ok(
      'a broken template is stored with a warning that names the line',
      broken.status === 201 && /2/.test(JSON.stringify(broken.data.warnings)) && broken.data.warnings.length > 0,
      broken.text,
    );
    const edge = await put('edge.js', Buffer.alloc(5_000_000, 97));
    t.is('5,000,000 bytes', [edge.status, edge.data?.bytes], [201, 5_000_000]);
    t.replies('one byte more', await put('edge2.js', Buffer.alloc(5_000_001, 97)), 413);
    t.replies('one byte more as JSON', await put('edge2.json', Buffer.alloc(5_000_001, 97), 'application/json'), 413);
    t.replies('4 MiB and more as JSON', await put('edge3.json', Buffer.alloc(4_500_000, 97), 'application/json'), 201);
    const big = await put('big.exe', Buffer.alloc(5_000_001, 97));
    t.ok('too large and not allowed', [413, 422].includes(big.status));
    const list = await site.call('GET', '/shell/files?per_page=100');
    t.is('members of a listed file', Object.keys(list.data[0]).sort(), [
      'bytes',
      'content_type',
      'path',
      'sha256',
      'updated_at',
    ]);
    const race = await Promise.all(Array.from({ length: 20 }, (_, i) => put('race.css', `/* ${i} */`)));
    t.is(
      '20 writes of one file: one is new',
      [race.filter((one) => one.status === 201).length, race.filter((one) => one.status === 200).length],
      [1, 19],
    );
    const burst = await Promise.all(Array.from({ length: 20 }, (_, i) => put(`burst/${i}.css`, `/* ${i} */`)));
    const jobs = new Set(burst.map((one) => one.data.job));
    t.ok('a burst is one build, or few', jobs.size <= 3, [...jobs]);
    for (const uuid of jobs) {
      const job = await jobEnd(site.key, uuid);
      t.ok('a rebuild ends', job.kind === 'rebuild' && job.finished_at, job);
    }
  });

  await t.part('snapshots', async () => {
    const site = await makeSite();
    const put = (path: string, raw: string) => site.call('PUT', `/shell/file/${path}`, undefined, { raw });
    await put('mark.css', 'one');
    await put('doomed.css', 'x');
    const first = await site.call('POST', '/shell/snapshot');
    t.is(
      'snapshot',
      [first.status, Object.keys(first.data ?? {}).sort(), typeof first.data?.rev],
      [201, ['created_at', 'files', 'rev'], 'string'],
    );
    t.is('files', first.data?.files, (await site.call('GET', '/shell/files')).json.pagination.total);
    await put('mark.css', 'two');
    await put('added.css', 'x');
    await site.call('DELETE', '/shell/file/doomed.css');
    const restored = await site.call('POST', `/shell/restore/${first.data.rev}`);
    t.is(
      'restore',
      [restored.status, restored.data?.restored, typeof restored.data?.snapshot, typeof restored.data?.job],
      [200, first.data.rev, 'string', 'string'],
    );
    t.is(
      'as it was',
      [
        (await site.call('GET', '/shell/file/mark.css')).text,
        (await site.call('GET', '/shell/file/added.css')).status,
        (await site.call('GET', '/shell/file/doomed.css')).status,
      ],
      ['one', 404, 200],
    );
    const undone = await site.call('POST', `/shell/restore/${restored.data.snapshot}`);
    t.replies('a restore is undoable', undone, 200);
    t.is(
      'undone',
      [
        (await site.call('GET', '/shell/file/mark.css')).text,
        (await site.call('GET', '/shell/file/added.css')).status,
        (await site.call('GET', '/shell/file/doomed.css')).status,
      ],
      ['two', 200, 404],
    );
    t.replies('unknown rev', await site.call('POST', '/shell/restore/nope'), 404);
    const other = await makeSite();
    t.replies('rev of another site', await other.call('POST', `/shell/restore/${first.data.rev}`), 404);
    const list = await site.call('GET', '/shell/snapshots');
    t.is(
      'listed newest first',
      list.data.map((one: Any) => one.rev),
      [undone.data.snapshot, restored.data.snapshot, first.data.rev],
    );
    const many = await Promise.all(Array.from({ length: 10 }, () => site.call('POST', '/shell/snapshot')));
    t.is(
      '10 at once',
      [many.map((one) => one.status), new Set(many.map((one) => one.data?.rev)).size],
      [Array(10).fill(201), 10],
    );
    await eventually('a preview', async () => (await site.call('GET', '/shell/preview')).data.url);
    const preview = await site.call('GET', '/shell/preview');
    t.is('members of a preview', Object.keys(preview.data).sort(), ['expires_at', 'job', 'url']);
    const job = await jobEnd(site.key, undone.data.job);
    t.ok('the rebuild’s url shows the preview', job.status === 'succeeded' && job.result.url, job);
    const url = new URL(job.result.url);
    t.replies('it is served', await visit(url.pathname + url.search), 200);
    t.replies('nothing is live', await visit(`/sites/${site.slug}/`), 404);
  });

  await t.part('autopublish', async () => {
    const site = await makeSite();
    const item = (
      await site.call('POST', '/content', {
        title: 'Auto',
        type: 'page',
        status: 'published',
        body_html: '<p>as published</p>',
      })
    ).data;
    await publish(site);
    await site.call('PATCH', '', { settings: { shell_autopublish: true } });
    await site.call('PATCH', `/content/${item.id}`, { body_html: '<p>draft edit</p>' });
    await site.call('POST', '/content', { title: 'New one', type: 'page', status: 'published' });
    const page = (await site.call('GET', '/shell/file/page.twig')).text;
    await site.call('PUT', '/shell/file/page.twig', undefined, {
      raw: page.replace('{% block content %}', '{% block content %}<p>autopublished</p>'),
    });
    const live = await eventually('the new shell is live', async () => {
      const reply = await visit(`/sites/${site.slug}/auto/`);
      return reply.text.includes('autopublished') ? reply : undefined;
    });
    t.ok(
      'over the content as last published',
      live.text.includes('as published') && !live.text.includes('draft edit'),
      live.text.slice(0, 1500),
    );
    t.replies('and no new item', await visit(`/sites/${site.slug}/new-one/`), 404);
  });

  await t.part('components', async () => {
    const site = await makeSite();
    const put = (handle: string, body: Any) => site.call('PUT', `/components/${handle}`, body);
    const made = await put('card', {
      type: 'html',
      source_code: '<b>{{ title }}</b>',
      css: '.x{color:red}',
      variables_schema: { title: { type: 'string' } },
    });
    t.is(
      'record',
      [made.status, made.data?.handle, made.data?.type, made.data?.css, made.data?.variables_schema, made.data?.sha256],
      [201, 'card', 'html', '.x{color:red}', { title: { type: 'string' } }, sha256('<b>{{ title }}</b>')],
    );
    t.is('again is 200', (await put('card', { type: 'html', source_code: '<b>{{ title }}</b>' })).status, 200);
    for (const body of [
      {},
      { type: 'html' },
      { source_code: 'x' },
      { type: 'vue', source_code: 'x' },
      { type: 'html', source_code: '' },
      { type: 'html', source_code: 5 },
      { type: 'html', source_code: 'x', css: 5 },
      { type: 'html', source_code: 'x', variables_schema: [] },
      { type: 'html', source_code: 'x', variables_schema: 'x' },
      { type: 'html', source_code: 'x', variables_schema: { type: 'nonsense' } },
      { type: 'html', source_code: 'x', variables_schema: { $ref: 'https://example.com/schema.json' } },
      {
        type: 'html',
        source_code: 'x',
        variables_schema: { type: 'object', properties: { a: { $ref: 'https://example.com/x' } } },
      },
      { type: 'html', source_code: '{% if %}' },
      { type: 'react', source_code: 'export default () => <div>' },
      { type: 'react', source_code: 'import x from "fs"; export default () => <p>{x}</p>' },
      { type: 'react', source_code: 'export default () => { return <a></b> }' },
      { type: null, source_code: 'x' },
      { type: 'html', source_code: 'x', handle: 5, nope: 1 },
    ])
      t.replies(`PUT ${JSON.stringify(body).slice(0, 90)}`, await put('bad', body), 422);
    t.replies('what was refused is not stored', await site.call('GET', '/components/bad'), 404);
    t.replies(
      'read-only members are ignored',
      await put('card2', { type: 'html', source_code: 'x', handle: 'other', sha256: 'y', updated_at: 'z' }),
      201,
    );
    const one = await site.call('GET', '/components/card');
    t.replies('a read record can be sent back', await put('card', one.data), 200);
    const react = await put('hello', {
      type: 'react',
      source_code:
        'export default function Hello({name}: {name: string}) { return <p className="hi">Hello {name}</p> }',
      variables_schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    });
    t.replies('react', react, 201);
    await put('card', {
      type: 'html',
      source_code: '<b>{{ title }}</b>',
      css: '.x{color:red}',
      variables_schema: { title: { type: 'string' } },
    });
    const page = (
      await site.call('POST', '/content', {
        title: 'C',
        type: 'page',
        status: 'published',
        body_html:
          '<p>a</p><x-component handle="card" vars=\'{"title":"&lt;i&gt;T"}\'></x-component><x-component handle="hello" vars=\'{"name":"World"}\'></x-component><x-component handle="none"></x-component>',
      })
    ).data;
    t.is('embeds are clean', page.warnings, []);
    await publish(site);
    const { text } = await visit(`/sites/${site.slug}/c/`);
    t.ok('html component', text.includes('<b>&lt;i&gt;T</b>'), text.slice(0, 3000));
    t.ok('react component', /<p class="hi">Hello (<!-- -->)?World<\/p>/.test(text), text.slice(0, 3000));
    const wrong = (
      await site.call('POST', '/content', {
        title: 'W',
        type: 'page',
        status: 'published',
        body_html: '<x-component handle="hello" vars=\'{"name":5}\'></x-component>',
      })
    ).data;
    const job = await jobEnd(site.key, (await site.call('POST', '/publish')).data.job);
    t.ok(
      'vars that the schema refuses fail the publish, naming the component',
      job.status === 'failed' && /hello/.test(job.error.message),
      job,
    );
    await site.call('PATCH', `/content/${wrong.id}`, { status: 'draft' });
    await publish(site);
    const gone = await site.call('DELETE', '/components/card');
    t.is('delete', [gone.status, gone.data], [200, { id: 'card', deleted: true }]);
    t.replies('delete again', await site.call('DELETE', '/components/card'), 404);
    const race = await Promise.all(
      Array.from({ length: 20 }, (_, i) => put('race', { type: 'html', source_code: `x${i}` })),
    );
    t.is('20 at once: one is new', race.map((r) => r.status).sort(), [...Array(19).fill(200), 201]);
  });
}
