import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Report } from '../report.ts';
import { type Any, makeSite, publish, type Reply, type Site, unique, visit, wire, world } from '../world.ts';

const status = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);

/** What visitors get of a published site. */
export async function check(t: Report): Promise<void> {
  const domain = `${unique('w')}.example`;
  const site: Site = await makeSite({ domain, name: 'Édge & <Co>', settings: { tagline: 'T & <t>' } });
  await site.call('POST', '/languages', { locale: 'de' });
  await site.call('POST', '/languages', { locale: 'pt-BR' });
  const add = async (body: Any) => (await site.call('POST', '/content', { status: 'published', ...body })).data;
  for (let i = 0; i < 24; i++)
    await add({
      title: `Post ${i}`,
      body_html: `<p>body ${i}</p>`,
      tags: i % 2 ? ['odd'] : [],
      published_at: `2026-01-${String(i + 1).padStart(2, '0')}T00:00:00Z`,
      excerpt: `Excerpt & <${i}>`,
    });
  const page = await add({
    title: 'About & <us>',
    type: 'page',
    body_html:
      '<p>About <a href="/posts/post-1/">one</a> <a href="/contact/">c</a> <a href="https://example.org/">out</a></p>',
    seo_title: 'SEO "t"',
    seo_description: 'SEO <d>',
  });
  const recipe = await add({ title: 'Soup', type: 'recipe', body_html: '<p>hot</p>' });
  const de = await add({ title: 'Über uns', type: 'page', locale: 'de', translation_of: page.id });
  await add({ title: 'Beitrag', locale: 'de' });
  const hidden: Any[] = [];
  for (const state of ['draft', 'archived']) hidden.push(await add({ title: `Hidden ${state}`, status: state }));
  hidden.push(await add({ title: 'Hidden scheduled', status: 'scheduled', scheduled_at: '2099-01-01T00:00:00Z' }));
  const trashed = await add({ title: 'Hidden trashed' });
  await site.call('DELETE', `/content/${trashed.id}`);
  hidden.push(trashed);
  await publish(site);
  const at = (target: string, headers: Record<string, string> = {}, method = 'GET') =>
    visit(target, { method, headers: { host: domain, ...headers } });
  const base = `/sites/${site.slug}`;

  await t.part('paths', async () => {
    for (const target of [
      '/',
      '/posts/',
      '/posts/page/2/',
      '/about-us/',
      '/posts/post-3/',
      '/recipe/soup/',
      '/de/',
      '/de/posts/',
      '/de/uber-uns/',
      '/de/posts/beitrag/',
      '/pt-BR/',
      '/feed.xml',
      '/de/feed.xml',
      '/sitemap.xml',
      '/robots.txt',
    ]) {
      const own = await at(target);
      t.replies(`${target} on the domain`, own, 200);
      const under = await visit(base + target);
      t.replies(`${target} under /sites/`, under, 200);
      t.ok(
        `${target} on the domain never mentions /sites/`,
        !own.text.includes('/sites/'),
        own.text.match(/.{80}\/sites\/.{80}/)?.[0] ?? '',
      );
      const type = String(own.headers['content-type']);
      t.ok(
        `${target} content type`,
        target.endsWith('/')
          ? type.startsWith('text/html') && /utf-8/i.test(type)
          : target.endsWith('.xml')
            ? /xml/.test(type)
            : type.startsWith('text/plain'),
        type,
      );
      t.ok(`${target} nosniff`, own.headers['x-content-type-options'] === 'nosniff', own.headers);
      t.ok(`${target} ETag`, own.headers.etag, own.headers);
      if (type.startsWith('text/html')) {
        t.ok(`${target} CSP`, own.headers['content-security-policy'], own.headers);
        for (const link of own.text.matchAll(/(?:href|src)="([^"]*)"/g)) {
          const to = link[1]!.replaceAll('&amp;', '&');
          if (/^(https?:|mailto:|#|data:)/.test(to)) continue;
          t.ok(`${target}: link ${to} is relative`, !to.startsWith('/'), to);
          const resolved = new URL(to, `http://x${base}${target}`).pathname;
          if (to.includes('contact')) continue;
          const reply = await visit(resolved);
          t.replies(`${target}: link ${to} leads somewhere`, reply, [200, 301, 308]);
        }
        t.ok(
          `${target} canonical`,
          new RegExp(`rel="canonical" href="https?://${domain}`).test(own.text),
          own.text.slice(0, 800),
        );
      }
    }
    for (const item of [page, recipe, de]) t.replies(`url of ${item.title}`, await at(new URL(item.url).pathname), 200);
    t.is('url of a page', new URL(page.url).host, domain);
    for (const item of hidden) t.replies(`${item.title} is not there`, await at(`/posts/${item.slug}/`), 404);
    for (const target of [
      '/nope',
      '/nope/',
      '/posts/nope/',
      '/posts/page/1/',
      '/posts/page/99/',
      '/posts/page/0/',
      '/xx/',
      '/about-us/x',
      '/de/nope/',
      '/..',
      '/../../etc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/%00',
      '/%ff',
      '/%',
      '//',
      '//evil.example',
      '/\\evil.example',
      '/about-us%2f',
      '/base.twig',
      '/home.twig',
      '/style.css',
      '/.env',
      `/x?${'a'.repeat(5000)}`,
      '/ABOUT-US/',
    ]) {
      const reply = await at(target);
      t.replies(`${target.slice(0, 40)} is not there`, reply, [
        404,
        400,
        ...(target === '/posts/page/1/' ? [301, 308, 200] : []),
        ...(['//', '/..'].includes(target) ? [200, 301, 308] : []),
      ]);
      const to = String(reply.headers.location ?? '');
      t.ok(`${target.slice(0, 40)} leads to no other host`, !/^\/[/\\]|evil/.test(to), to);
    }
    const lost = await at('/nope/');
    t.ok(
      'the 404 page is the site’s',
      /<html/.test(lost.text) && /text\/html/.test(String(lost.headers['content-type'])),
      lost.text.slice(0, 200),
    );
    const lostDe = await at('/de/nope/');
    t.ok('in the language of its path', /<html[^>]*lang="de"/.test(lostDe.text), lostDe.text.slice(0, 200));
    for (const target of ['/about-us', '/posts', '/posts/post-3', '/de', '/posts/page/2']) {
      const reply = await at(`${target}?q=1`);
      t.ok(
        `${target} leads to its slash`,
        [301, 308].includes(reply.status) && /\/(\?q=1)?$/.test(String(reply.headers.location)),
        [reply.status, reply.headers.location],
      );
    }
    t.replies('a query changes nothing', await at('/?utm=1'), 200);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) t.replies(`${method}`, await at('/', {}, method), 405);
    const head = await at('/about-us/', {}, 'HEAD');
    const get = await at('/about-us/');
    t.is(
      'HEAD',
      [head.status, head.bytes.length, head.headers['content-length'], head.headers.etag],
      [200, 0, get.headers['content-length'], get.headers.etag],
    );
    t.replies('an unknown host', await visit('/', { headers: { host: 'unknown.example' } }), 404);
    t.replies('host with a port', await visit('/', { headers: { host: `${domain}:8081` } }), 200);
    t.replies('host in capitals', await visit('/', { headers: { host: domain.toUpperCase() } }), 200);
    t.replies('host with a dot', await visit('/', { headers: { host: `${domain}.` } }), [200, 404, 301, 308]);
    t.replies('an unknown site', await visit('/sites/no-such-site/'), 404);
    const bare = await visit(base);
    t.ok('without a slash', [301, 308].includes(bare.status), bare.status);
  });

  await t.part('what pages say', async () => {
    const about = await at('/about-us/');
    t.ok(
      'title is escaped',
      about.text.includes('About &amp; &lt;us&gt;') && !about.text.includes('<us>'),
      about.text.slice(0, 1500),
    );
    t.ok(
      'SEO title and description',
      about.text.includes('SEO &quot;t&quot;') && about.text.includes('SEO &lt;d&gt;'),
      about.text.slice(0, 1500),
    );
    t.ok(
      'hreflang',
      /hreflang="de"[^>]*|href="[^"]*\/de\/uber-uns\/"/.test(about.text) && about.text.includes(`/de/uber-uns/`),
      about.text.slice(0, 1800),
    );
    const home = await at('/');
    t.ok(
      'newest first',
      home.text.indexOf('Post 23') > 0 && home.text.indexOf('Post 22') > home.text.indexOf('Post 23'),
      '',
    );
    const archives = (await at('/posts/')).text + (await at('/posts/page/2/')).text;
    for (let i = 0; i < 24; i++) t.ok(`the archive has post ${i}`, archives.includes(`Post ${i}`));
    for (const target of ['/', '/posts/', '/feed.xml', '/sitemap.xml'])
      t.ok(
        `${target} hides what is not published`,
        !(await at(target)).text.includes('hidden-') && !(await at(target)).text.includes('Hidden '),
      );
    const feed = (await at('/feed.xml')).text;
    t.ok(
      'feed is well formed',
      /^<\?xml/.test(feed) && !/&(?!(amp|lt|gt|quot|apos|#\d+|#x[0-9a-f]+);)/i.test(feed) && feed.includes('post-23'),
      feed.slice(0, 700),
    );
    t.ok(
      'feed urls are absolute',
      !/<(link|id|guid)[^>]*>\s*\//.test(feed) && feed.includes(`://${domain}/posts/post-23/`),
      feed.slice(0, 700),
    );
    t.ok('feed has no other locale', !feed.includes('Beitrag') && (await at('/de/feed.xml')).text.includes('Beitrag'));
    const map = (await at('/sitemap.xml')).text;
    for (const target of ['/', '/about-us/', '/posts/post-3/', '/recipe/soup/', '/de/uber-uns/', '/de/posts/beitrag/'])
      t.ok(`sitemap has ${target}`, new RegExp(`<loc>https?://${domain}${target}</loc>`).test(map), map.slice(0, 500));
    t.ok('robots names the sitemap', (await at('/robots.txt')).text.includes(`://${domain}/sitemap.xml`));
    t.is(
      'every locale is a page of its own language',
      /<html[^>]*lang="([^"]*)"/.exec((await at('/pt-BR/')).text)?.[1],
      'pt-BR',
    );
  });

  await t.part('conditional, range, compression', async () => {
    const get = await at('/about-us/');
    const etag = String(get.headers.etag);
    const not = async (headers: Record<string, string>, rule: string, expected: number) => {
      const reply = await at('/about-us/', headers);
      t.replies(rule, reply, expected);
      if (expected === 304)
        t.ok(`${rule}: no body, an ETag`, reply.bytes.length === 0 && reply.headers.etag, reply.headers);
      return reply;
    };
    await not({ 'if-none-match': etag }, 'If-None-Match', 304);
    await not({ 'if-none-match': `W/${etag.replace(/^W\//, '')}` }, 'weak', 304);
    await not({ 'if-none-match': `"x", ${etag}` }, 'one of several', 304);
    await not({ 'if-none-match': '*' }, 'If-None-Match: *', 304);
    await not({ 'if-none-match': '"x"' }, 'another', 200);
    if (get.headers['last-modified']) {
      await not({ 'if-modified-since': String(get.headers['last-modified']) }, 'If-Modified-Since', 304);
      await not(
        { 'if-modified-since': String(get.headers['last-modified']), 'if-none-match': '"x"' },
        'If-None-Match outranks it',
        200,
      );
      await not({ 'if-modified-since': 'nonsense' }, 'If-Modified-Since of dirt', 200);
    }
    const asset = /href="([^"]*\.css)"/.exec(get.text)![1]!;
    const target = new URL(asset, 'http://x/about-us/').pathname;
    const css = await at(target);
    t.replies('a hashed asset', css, 200);
    t.ok(
      'immutable',
      /immutable/.test(String(css.headers['cache-control'])) &&
        /max-age=31536000/.test(String(css.headers['cache-control'])),
      css.headers,
    );
    t.ok('pages are not', !/immutable/.test(String(get.headers['cache-control'])), get.headers);
    const size = css.bytes.length;
    const range = async (value: string, expected: number, from?: number, to?: number) => {
      const reply = await at(target, { range: value });
      t.replies(`Range: ${value}`, reply, expected);
      if (expected === 206) {
        t.is(`Content-Range of ${value}`, reply.headers['content-range'], `bytes ${from}-${to}/${size}`);
        t.ok(`bytes of ${value}`, reply.bytes.equals(css.bytes.subarray(from, to! + 1)));
      }
      if (expected === 416) t.is(`Content-Range of ${value}`, reply.headers['content-range'], `bytes */${size}`);
    };
    await range('bytes=0-9', 206, 0, 9);
    await range('bytes=5-', 206, 5, size - 1);
    await range('bytes=-5', 206, size - 5, size - 1);
    await range(`bytes=0-${size + 100}`, 206, 0, size - 1);
    await range(`bytes=-${size + 100}`, 206, 0, size - 1);
    await range(`bytes=${size}-`, 416);
    await range('bytes=-0', 416);
    await range('bytes=9-5', 200);
    await range('lines=1-2', 200);
    await range('bytes=x', 200);
    const several = await at(target, { range: 'bytes=0-1,4-5' });
    t.replies('several ranges', several, [200, 206]);
    t.replies(
      'If-Range that holds',
      await at(target, { range: 'bytes=0-1', 'if-range': String(css.headers.etag) }),
      206,
    );
    t.replies('If-Range that does not', await at(target, { range: 'bytes=0-1', 'if-range': '"x"' }), 200);
    for (const [encoding, undo] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const reply: Reply = await at(target, { 'accept-encoding': encoding });
      t.ok(
        `${encoding}`,
        reply.headers['content-encoding'] === undefined || undo(reply.bytes).equals(css.bytes),
        reply.headers,
      );
      t.ok(`${encoding}: Vary`, /accept-encoding/i.test(String(reply.headers.vary)), reply.headers);
      const page2 = await at('/about-us/', { 'accept-encoding': encoding });
      t.ok(
        `${encoding} of a page`,
        page2.headers['content-encoding'] === encoding && undo(page2.bytes).equals(get.bytes),
        page2.headers,
      );
    }
    t.ok(
      'q=0 is a refusal',
      (await at(target, { 'accept-encoding': 'gzip;q=0, br;q=0' })).headers['content-encoding'] === undefined,
    );
  });

  await t.part('an asset stays fetchable after it was replaced', async () => {
    const before = (await at('/')).text;
    const asset = new URL(/href="([^"]*\.css)"/.exec(before)![1]!, 'http://x/').pathname;
    const bytes = (await at(asset)).bytes;
    await site.call('PUT', '/shell/file/style.css', undefined, { raw: 'body{color:#123}' });
    await publish(site);
    const now = new URL(/href="([^"]*\.css)"/.exec((await at('/')).text)![1]!, 'http://x/').pathname;
    t.ok('another name', now !== asset, now);
    t.ok('the old bytes', (await at(asset)).bytes.equals(bytes));
    t.replies('the new', await at(now), 200);
  });

  await t.part('never half a release', async () => {
    let stop = false;
    const wrong: string[] = [];
    const watch = async () => {
      while (!stop) {
        const { text, status: code } = await at('/about-us/');
        if (code !== 200) wrong.push(`page ${code}`);
        const href = /href="([^"]*\.css)"/.exec(text)?.[1];
        if (href) {
          const asset = await at(new URL(href, 'http://x/about-us/').pathname);
          if (asset.status !== 200) wrong.push(`asset ${asset.status}`);
        } else wrong.push('no stylesheet');
      }
    };
    const watchers = [watch(), watch()];
    for (let i = 0; i < 3; i++) {
      await site.call('PUT', '/shell/file/style.css', undefined, { raw: `body{color:#12${i}}` });
      await publish(site);
    }
    stop = true;
    await Promise.all(watchers);
    t.is('no visitor saw it', wrong, []);
  });

  await t.part('wire', async () => {
    const edge = world.edges[0]!;
    for (const [name, bytes] of Object.entries({
      'length and chunked': `POST / HTTP/1.1\r\nHost: ${domain}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'two hosts': `GET / HTTP/1.1\r\nHost: ${domain}\r\nHost: x\r\n\r\n`,
      'no host': 'GET / HTTP/1.1\r\n\r\n',
      NUL: `GET /\u0000 HTTP/1.1\r\nHost: ${domain}\r\n\r\n`,
      'huge header': `GET / HTTP/1.1\r\nHost: ${domain}\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
      TRACE: `TRACE / HTTP/1.1\r\nHost: ${domain}\r\nConnection: close\r\n\r\n`,
      CONNECT: `CONNECT ${domain}:443 HTTP/1.1\r\nHost: ${domain}\r\n\r\n`,
      'OPTIONS *': `OPTIONS * HTTP/1.1\r\nHost: ${domain}\r\nConnection: close\r\n\r\n`,
      'host of dirt': 'GET / HTTP/1.1\r\nHost: <script>\r\nConnection: close\r\n\r\n',
      'header injection': `GET /about-us%0d%0aX-Injected:%201 HTTP/1.1\r\nHost: ${domain}\r\nConnection: close\r\n\r\n`,
    })) {
      const answer = await wire(Buffer.from(bytes, 'latin1'), edge);
      t.ok(
        `${name}: never 5xx, nothing injected`,
        (status(answer) === 0 || status(answer) < 500 || status(answer) === 501) && !/^X-Injected/im.test(answer),
        answer.slice(0, 300),
      );
    }
    const absolute = await wire(
      `GET http://${domain}/about-us/ HTTP/1.1\r\nHost: other\r\nConnection: close\r\n\r\n`,
      edge,
    );
    t.is('an absolute target', status(absolute), 200);
  });

  await t.part('slug and locale collisions', async () => {
    const own = await makeSite();
    const one = (await own.call('POST', '/content', { title: 'fr', type: 'page', status: 'published' })).data;
    await own.call('POST', '/languages', { locale: 'fr' });
    await own.call('POST', '/content', { title: 'Salut', type: 'page', locale: 'fr', status: 'published' });
    const job = await publish(own);
    t.ok('a page whose slug became a locale does not break the publish', job.status === 'succeeded');
    t.replies('the locale’s home', await visit(`/sites/${own.slug}/fr/`), 200);
    t.replies('its page', await visit(`/sites/${own.slug}/fr/salut/`), 200);
    const now = (await own.call('GET', `/content/${one.id}`)).data;
    t.ok('the page has a path of its own', !now.url.endsWith('/fr/'), now.url);
    const typed = (await own.call('POST', '/content', { title: 'x', type: 'posts', status: 'published' })).data;
    t.ok('a type named posts', typed, typed);
    const typedLocale = (await own.call('POST', '/content', { title: 'salut', type: 'fr', status: 'published' })).data;
    t.is(
      'a type named like a locale is refused, or has a path of its own',
      typedLocale === undefined || !typedLocale.url.endsWith('/fr/salut/'),
      true,
    );
    await own.call('POST', '/content', { title: 'x', type: 'post', status: 'published' });
    await own.call('POST', '/content', { title: 'recipe', type: 'page', status: 'published' });
    await own.call('POST', '/content', { title: 'page', type: 'post', status: 'published' });
    await own.call('POST', '/content', { title: 'feed.xml', type: 'page', status: 'published' });
    const { status: built } = await publish(own);
    t.is('all of them publish', built, 'succeeded');
    const listed = (await own.call('GET', '/content?per_page=100')).data;
    const urls = listed.map((item: Any) => item.url);
    t.is('no two items share a url', urls.length, new Set(urls).size);
    for (const item of listed) {
      const reply = await visit(new URL(item.url).pathname);
      t.ok(`${item.type} ${item.slug} is at its url`, reply.status === 200 && reply.text.includes(item.title), [
        reply.status,
        item.url,
      ]);
    }
  });
}
