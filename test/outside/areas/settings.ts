import type { Report } from '../report.ts';
import { type Any, call, eventually, makeSite, publish, unique, visit } from '../world.ts';

/** Sites, redirects, scripts, languages, and what they do to the published site. */
export async function check(t: Report): Promise<void> {
  await t.part('sites', async () => {
    const site = await makeSite({ name: 'Ärzte & Co', settings: { nav: [], a: { b: [1, null, 'ü'] } } });
    t.is('members', Object.keys(site.record).sort(), [
      'created_at',
      'default_locale',
      'domain',
      'id',
      'live_release',
      'locales',
      'name',
      'settings',
      'slug',
      'updated_at',
      'url',
    ]);
    t.is(
      'defaults',
      [
        site.record.default_locale,
        site.record.locales,
        site.record.domain,
        site.record.live_release,
        site.record.settings,
      ],
      ['en', ['en'], null, null, { nav: [], a: { b: [1, null, 'ü'] } }],
    );
    const { key } = site;
    const create = (body: Any) => call('POST', '/sites', { key, body });
    for (const body of [
      {},
      { name: '' },
      { name: ' ' },
      { name: 5 },
      { name: null },
      { name: 'x', slug: 'A B' },
      { name: 'x', slug: '' },
      { name: 'x', slug: 5 },
      { name: 'x', slug: '-a' },
      { name: 'x', slug: 'a'.repeat(121) },
      { name: 'x', slug: 'a/b' },
      { name: 'x', slug: 'ä' },
      { name: 'x', domain: 5 },
      { name: 'x', domain: 'http://a.example' },
      { name: 'x', domain: 'a b' },
      { name: 'x', domain: '' },
      { name: 'x', domain: 'a.example/x' },
      { name: 'x', domain: '-a.example' },
      { name: 'x', domain: `${'a'.repeat(64)}.example` },
      { name: 'x', default_locale: 'english language' },
      { name: 'x', default_locale: '' },
      { name: 'x', default_locale: 5 },
      { name: 'x', settings: [] },
      { name: 'x', settings: 'x' },
      { name: 'x', settings: null },
      { name: 'x'.repeat(201) },
    ])
      t.replies(`create ${JSON.stringify(body).slice(0, 80)}`, await create(body), 422);
    t.replies('a taken slug', await create({ name: 'x', slug: site.slug }), 409);
    const domain = `${unique('d')}.example`;
    t.replies('a domain', await create({ name: 'x', domain }), 201);
    t.replies('a taken domain', await create({ name: 'x', domain }), 409);
    t.replies('a taken domain in capitals', await create({ name: 'x', domain: domain.toUpperCase() }), [409, 422]);
    t.replies('a taken domain by PATCH', await site.call('PATCH', '', { domain }), 409);
    const race = unique('race');
    const many = await Promise.all(Array.from({ length: 20 }, () => create({ name: 'x', slug: race })));
    t.is(
      '20 at once with one slug: one 201, 19 409',
      [many.filter((one) => one.status === 201).length, many.filter((one) => one.status === 409).length],
      [1, 19],
    );
    const named = await create({ name: unique('Named') });
    t.ok('a slug is derived from the name', named.status === 201 && named.data.slug.startsWith('named-'), named.text);
    const updated = await site.call('PATCH', '', { name: 'New', settings: { b: 1 } });
    t.is('PATCH', [updated.status, updated.data?.name, updated.data?.slug], [200, 'New', site.slug]);
    t.ok('PATCH settings holds b', updated.data?.settings?.b === 1, updated.data?.settings);
    t.replies('a read record can be sent back', await site.call('PATCH', '', updated.data), 200);
    t.replies('PATCH unknown member', await site.call('PATCH', '', { nope: 1 }), 422);
    const slug = await site.call('PATCH', '', { slug: unique('s') });
    t.ok('PATCH slug is refused or ignored or done', [200, 422].includes(slug.status), slug.text);
    t.replies('default_locale to one it lacks', await site.call('PATCH', '', { default_locale: 'fr' }), [422, 200]);
    t.replies('delete', await call('DELETE', `/sites/${named.data.slug}`, { key }), 200);
    t.replies('gone', await call('GET', `/sites/${named.data.slug}`, { key }), 404);
    t.replies('its slug is free', await create({ name: 'x', slug: named.data.slug }), 201);
  });

  await t.part('a new site is complete', async () => {
    const site = await makeSite();
    const files = await site.call('GET', '/shell/files?per_page=100');
    const paths = files.data.map((one: Any) => one.path);
    for (const file of ['base.twig', 'home.twig', 'page.twig', 'post.twig', 'archive.twig', '404.twig'])
      t.ok(`starter shell has ${file}`, paths.includes(file), paths);
    t.replies('not live yet', await visit(`/sites/${site.slug}/`), 404);
    await publish(site);
    t.replies('live after a publish', await visit(`/sites/${site.slug}/`), 200);
    t.ok('live_release', (await site.call('GET', '')).data.live_release);
  });

  await t.part('redirects', async () => {
    const domain = `${unique('r')}.example`;
    const site = await makeSite({ domain });
    const create = (body: Any) => site.call('POST', '/redirects', body);
    const one = await create({ from: '/old', to: '/new' });
    t.is('members', Object.keys(one.data ?? {}).sort(), ['created_at', 'from', 'id', 'status', 'to']);
    t.is('defaults', [one.status, one.data?.status], [201, 301]);
    for (const status of [302, 307, 308])
      t.is(
        `status ${status}`,
        (await create({ from: `/s${status}`, to: 'https://example.org/x?y=1#z', status })).data?.status,
        status,
      );
    for (const body of [
      {},
      { from: '/a' },
      { to: '/a' },
      { from: 'a', to: '/b' },
      { from: '', to: '/b' },
      { from: '/a', to: '' },
      { from: '/a', to: 'b' },
      { from: '/a', to: 'javascript:alert(1)' },
      { from: '/a', to: '//evil.example' },
      { from: '/a', to: 'ftp://x' },
      { from: 'http://x/a', to: '/b' },
      { from: '/a', to: '/b', status: 303 },
      { from: '/a', to: '/b', status: 200 },
      { from: '/a', to: '/b', status: '301' },
      { from: 5, to: '/b' },
      { from: '/a', to: 5 },
      { from: '/a\r\nX: y', to: '/b' },
      { from: '/a', to: '/b\r\nSet-Cookie: x=1' },
      { from: '/a', to: 'https://x.example/\r\nX: y' },
      { from: '/a', to: 'https://' },
      { from: '/a', to: '/\\evil.example' },
      { from: '//a', to: '/b' },
      { from: '/a', to: 'http://us er@x' },
    ])
      t.replies(`create ${JSON.stringify(body)}`, await create(body), 422);
    t.replies('a taken from', await create({ from: '/old', to: '/else' }), 409);
    t.replies('to itself', await create({ from: '/self', to: '/self' }), 422);
    t.replies('to itself with a slash', await create({ from: '/self2', to: '/self2/' }), [422, 201]);
    await create({ from: '/l1', to: '/l2' });
    await create({ from: '/l2', to: '/l3' });
    t.replies('a loop of three', await create({ from: '/l3', to: '/l1' }), 422);
    const open = await create({ from: '/l3', to: '/l4' });
    t.replies('a loop by PATCH', await site.call('PATCH', `/redirects/${open.data?.id}`, { to: '/l1' }), 422);
    t.replies('a loop over the own domain', await create({ from: '/l4', to: `https://${domain}/l1` }), [422, 201]);
    const race = await Promise.all(Array.from({ length: 20 }, () => create({ from: '/race', to: '/x' })));
    t.is(
      '20 at once: one',
      [race.filter((r) => r.status === 201).length, race.filter((r) => r.status === 409).length],
      [1, 19],
    );
    const rings = await Promise.all([create({ from: '/r1', to: '/r2' }), create({ from: '/r2', to: '/r1' })]);
    t.is('a loop made at once: one is refused', rings.map((r) => r.status).sort(), [201, 422]);
    await create({ from: '/ünï', to: '/zïel' });
    t.replies('not yet live', await visit('/old', { headers: { host: domain } }), 404);
    await publish(site);
    for (const [from, status, to] of [
      ['/old', 301, '/new'],
      ['/s302', 302, 'https://example.org/x?y=1#z'],
      ['/s307', 307, 'https://example.org/x?y=1#z'],
      ['/s308', 308, 'https://example.org/x?y=1#z'],
    ] as const) {
      const reply = await visit(from, { headers: { host: domain } });
      t.is(
        `${from} on the domain`,
        [reply.status, String(reply.headers.location).replace(`https://${domain}`, '').replace(`http://${domain}`, '')],
        [status, to],
      );
      const under = await visit(`/sites/${site.slug}${from}`);
      t.is(
        `${from} under /sites/`,
        [under.status, under.headers.location],
        [status, to.startsWith('/') ? `/sites/${site.slug}${to}` : to],
      );
    }
    t.replies('percent-encoded', await visit(encodeURI('/ünï'), { headers: { host: domain } }), 301);
    const head = await visit('/old', { method: 'HEAD', headers: { host: domain } });
    t.is('HEAD', [head.status, head.bytes.length], [301, 0]);
    const post = await create({ from: '/posts/none/', to: '/' });
    t.replies('from with a slash at its end', post, 201);
    const gone = await site.call('DELETE', `/redirects/${one.data.id}`);
    t.is('delete', [gone.status, gone.data], [200, { id: one.data.id, deleted: true }]);
    t.replies('delete again', await site.call('DELETE', `/redirects/${one.data.id}`), 404);
    t.replies('still live until a publish', await visit('/old', { headers: { host: domain } }), 301);
    await publish(site);
    t.replies('gone', await visit('/old', { headers: { host: domain } }), 404);
    t.replies('from again', await create({ from: '/old', to: '/again' }), 201);
  });

  await t.part('scripts', async () => {
    const site = await makeSite();
    const create = (body: Any) => site.call('POST', '/scripts', body);
    const head = await create({ name: 'in head', code: 'console.log("head-mark")' });
    t.is('members', Object.keys(head.data ?? {}).sort(), ['code', 'created_at', 'id', 'name', 'position', 'src']);
    t.is('defaults', [head.data?.position, head.data?.src], ['head', null]);
    for (const body of [
      {},
      { name: 'x' },
      { name: '', code: '1' },
      { code: '1' },
      { name: 'x', code: '1', src: 'https://x.example/a.js' },
      { name: 'x', src: 'http://x.example/a.js' },
      { name: 'x', src: '/a.js' },
      { name: 'x', src: 'javascript:1' },
      { name: 'x', src: '' },
      { name: 'x', code: '' },
      { name: 'x', code: 5 },
      { name: 'x', code: '1', position: 'body' },
      { name: 'x', code: '1', position: null },
      { name: 5, code: '1' },
      { name: 'x', src: 'https://' },
      { name: 'x', src: 'https://x.example/"><script>' },
    ].slice(0, 15))
      t.replies(`create ${JSON.stringify(body)}`, await create(body), 422);
    t.replies('both null', await create({ name: 'x', code: null, src: null }), 422);
    t.replies(
      'src and code null',
      await create({ name: 'x', code: null, src: 'https://cdn.example/lib.js?a=1&b=2', position: 'body_end' }),
      201,
    );
    await create({ name: 'end', code: 'var a = "</script><b>x"; a && 1 < 2 // é', position: 'body_end' });
    await create({ name: 'comment', code: '/* <!-- <script> */ 1', position: 'body_end' });
    await publish(site);
    const { text, headers } = await visit(`/sites/${site.slug}/`);
    t.ok(
      'head script stands before </head>',
      text.indexOf('head-mark') > 0 && text.indexOf('head-mark') < text.indexOf('</head>'),
      text.slice(0, 600),
    );
    t.ok(
      'src stands before </body>',
      text.indexOf('https://cdn.example/lib.js') > text.indexOf('<body') &&
        text.indexOf('https://cdn.example/lib.js') < text.lastIndexOf('</body>'),
    );
    t.ok('code cannot break out of its element', !text.includes('</script><b>x'), text.slice(-1500));
    const csp = String(headers['content-security-policy']);
    t.ok('CSP lets them run', /sha256-|sha384-|sha512-/.test(csp) && csp.includes('https://cdn.example'), csp);
    t.ok('CSP has no unsafe-inline for scripts', !/script-src[^;]*unsafe-inline/.test(csp), csp);
    const patched = await site.call('PATCH', `/scripts/${head.data.id}`, { src: 'https://x.example/b.js' });
    t.ok(
      'PATCH src beside code is refused or replaces it',
      patched.status === 422 || (patched.status === 200 && patched.data.code === null),
      patched.text,
    );
    t.replies(
      'PATCH both',
      await site.call('PATCH', `/scripts/${head.data.id}`, { src: 'https://x.example/b.js', code: null }),
      200,
    );
    t.replies('PATCH neither', await site.call('PATCH', `/scripts/${head.data.id}`, { src: null }), 422);
    const gone = await site.call('DELETE', `/scripts/${head.data.id}`);
    t.is('delete', [gone.status, gone.data], [200, { id: head.data.id, deleted: true }]);
  });

  await t.part('languages', async () => {
    const site = await makeSite();
    const add = (body: Any) => site.call('POST', '/languages', body);
    const de = await add({ locale: 'de', name: 'Deutsch' });
    t.is('add', [de.status, de.data], [201, { locale: 'de', name: 'Deutsch', default: false }]);
    const fr = await add({ locale: 'fr-CA' });
    t.ok('a name is made', fr.status === 201 && fr.data.name.length > 0, fr.text);
    t.replies('taken', await add({ locale: 'de' }), 409);
    t.replies('taken in another case', await add({ locale: 'DE' }), 409);
    t.replies('the default is taken', await add({ locale: 'en' }), 409);
    for (const body of [
      {},
      { locale: '' },
      { locale: 5 },
      { locale: 'not a locale' },
      { locale: 'de_DE' },
      { locale: 'x' },
      { locale: '../..' },
      { locale: 'de', name: 5 },
      { locale: 'it', name: '' },
      { locale: 'toolonglanguage' },
      { locale: 'de-' },
      { locale: null },
    ])
      t.replies(`add ${JSON.stringify(body)}`, await add(body), 422);
    for (const [locale, canonical] of [
      ['zh-hant-tw', 'zh-Hant-TW'],
      ['PT-br', 'pt-BR'],
      ['sr-latn', 'sr-Latn'],
      ['es-419', 'es-419'],
    ] as const) {
      const reply = await add({ locale });
      t.ok(`${locale}`, reply.status === 201 && [canonical, locale].includes(reply.data.locale), reply.text);
    }
    t.is('site locales', (await site.call('GET', '')).data.locales.includes('de'), true);
    const list = await site.call('GET', '/languages');
    t.is(
      'one default',
      list.data.filter((one: Any) => one.default).map((one: Any) => one.locale),
      ['en'],
    );
    t.replies('remove the default', await site.call('DELETE', '/languages/en'), 409);
    t.replies('remove an unknown', await site.call('DELETE', '/languages/nl'), 404);
    t.replies('remove what is no locale', await site.call('DELETE', '/languages/%00'), 404);
    const gone = await site.call('DELETE', '/languages/de');
    t.is('remove', [gone.status, gone.data], [200, { id: 'de', deleted: true }]);
    t.replies('remove again', await site.call('DELETE', '/languages/de'), 404);
    const race = await Promise.all(Array.from({ length: 20 }, () => add({ locale: 'nl' })));
    t.is(
      '20 at once: one',
      [race.filter((r) => r.status === 201).length, race.filter((r) => r.status === 409).length],
      [1, 19],
    );
    await site.call('POST', '/content', { title: 'Hallo', locale: 'nl', status: 'published' });
    const used = await site.call('DELETE', '/languages/nl');
    t.ok('remove a locale that items use', [200, 409].includes(used.status), used.text);
  });

  await t.part('store and publish are two things', async () => {
    const site = await makeSite();
    const item = (
      await site.call('POST', '/content', {
        title: 'Live',
        type: 'page',
        status: 'published',
        body_html: '<p>first</p>',
      })
    ).data;
    t.replies('stored, not live', await visit(`/sites/${site.slug}/live/`), 404);
    await publish(site);
    await site.call('PATCH', `/content/${item.id}`, { body_html: '<p>second</p>' });
    await site.call('PUT', '/shell/file/style.css', undefined, { raw: 'body{color:red}' });
    await new Promise((resolve) => setTimeout(resolve, 2500));
    t.ok(
      'an edit and a shell write leave the live site',
      (await visit(`/sites/${site.slug}/live/`)).text.includes('first'),
    );
    const jobs = await Promise.all(Array.from({ length: 20 }, () => site.call('POST', '/publish')));
    t.is(
      '20 publishes: all 202',
      jobs.map((one) => one.status),
      Array(20).fill(202),
    );
    t.is('each keeps its own job', new Set(jobs.map((one) => one.data.job)).size, 20);
    const releases = new Set<string>();
    for (const { data } of jobs) {
      const job = await eventually('job', async () => {
        const reply = await call('GET', `/jobs/${data.job}`, { key: site.key });
        return reply.data.finished_at ? reply.data : undefined;
      });
      t.is('succeeded', job.status, 'succeeded');
      releases.add(job.result.release);
    }
    t.ok('coalesced', releases.size < 20, [...releases]);
    t.ok('live', (await visit(`/sites/${site.slug}/live/`)).text.includes('second'));
    await site.call('PUT', '/shell/file/page.twig', undefined, {
      raw: '{% extends "base.twig" %}\n{% block content %}\n{{ nothing( }}\n{% endblock %}',
    });
    const failed = await site.call('POST', '/publish');
    const job = await eventually('the failed job', async () => {
      const reply = await call('GET', `/jobs/${failed.data.job}`, { key: site.key });
      return reply.data.finished_at ? reply.data : undefined;
    });
    t.is('a failed build', [job.status, job.result], ['failed', null]);
    t.ok('names template, line', /page\.twig/.test(job.error.message) && /3/.test(job.error.message), job.error);
    t.ok('leaves the live site', (await visit(`/sites/${site.slug}/live/`)).text.includes('second'));
    for (const options of [
      { raw: 'not json', type: 'text/plain' },
      { raw: '<x/>', type: 'application/xml' },
      { raw: '{"a":1}', type: 'application/json' },
    ]) {
      const reply = await site.call('POST', '/publish', undefined, options);
      t.ok(`publish with ${options.type}`, [202, 422].includes(reply.status), reply.text);
    }
    for (const options of [
      { raw: '', type: 'text/plain' },
      { raw: '{}', type: 'application/x-www-form-urlencoded' },
      { raw: ' {} ', type: null },
      { raw: '{}', type: 'image/png' },
    ])
      t.replies(`publish ignores ${options.type}`, await site.call('POST', '/publish', undefined, options), 202);
  });
}
