import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import type { Report } from '../report.ts';
import {
  type Any,
  call,
  cli,
  deliver,
  deliveryEnd,
  eventually,
  type Integration,
  makeIntegration,
  makeSite,
  publish,
  type Reply,
  sign,
  unique,
  visit,
  wire,
  world,
} from '../world.ts';

const seconds = () => Math.floor(Date.now() / 1000);

async function startSource(
  handle: (url: string) => { status?: number; type?: string; body?: Buffer | string; location?: string },
) {
  const hits = new Map<string, number>();
  for (const port of world.allowedPorts) {
    const server = createServer((req, res) => {
      hits.set(req.url!, (hits.get(req.url!) ?? 0) + 1);
      const { status = 200, type = 'image/png', body = '', location } = handle(req.url!);
      res.writeHead(status, { 'Content-Type': type, ...(location ? { Location: location } : {}) }).end(body);
    }).listen(port, '127.0.0.1');
    const listening = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]);
    if (listening)
      return {
        origin: `http://127.0.0.1:${port}`,
        hits,
        close: () => server.close(() => undefined).closeAllConnections(),
      };
  }
  throw new Error('no port for a source');
}

export async function check(t: Report): Promise<void> {
  const png = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#369' } })
    .png()
    .toBuffer();
  const run = async (to: Integration, payload: unknown): Promise<Any> => {
    const reply = await deliver(to, payload);
    t.replies('accepted', reply, 202);
    return deliveryEnd(to, reply.id);
  };

  await t.part('integrations', async () => {
    const site = await makeSite();
    const create = (body: Any) => site.call('POST', '/webhooks', body);
    for (const mapper of ['autoseo', 'create_post', 'create_page', 'import_media', 'upsert_component']) {
      const made = await create({ mapper });
      t.is(
        `${mapper}: members`,
        [made.status, Object.keys(made.data ?? {}).sort()],
        [201, ['created_at', 'enabled', 'id', 'mapper', 'name', 'secret', 'slug', 'url']],
      );
      t.ok('slug', /^[a-z0-9-]+$/.test(made.data?.slug), made.data?.slug);
      t.ok('url', made.data?.url.endsWith(`/webhooks/${made.data?.slug}`), made.data?.url);
      t.is('enabled', made.data?.enabled, true);
    }
    const list = await site.call('GET', '/webhooks');
    t.ok('a list shows no secret', list.data.length === 5 && !list.text.includes('secret'), list.text.slice(0, 500));
    for (const body of [
      {},
      { mapper: 'none' },
      { mapper: null },
      { mapper: 5 },
      { mapper: 'autoseo', slug: 'A' },
      { mapper: 'autoseo', slug: '' },
      { mapper: 'autoseo', slug: 'a_b' },
      { mapper: 'autoseo', slug: 'a b' },
      { mapper: 'autoseo', slug: 'ä' },
      { mapper: 'autoseo', slug: 'a/b' },
      { mapper: 'autoseo', slug: 'x'.repeat(121) },
      { mapper: 'autoseo', name: 5 },
      { mapper: 'autoseo', name: '' },
      { mapper: 'autoseo', secret: 'mine', enabled: 'no' },
    ])
      t.replies(`create ${JSON.stringify(body).slice(0, 70)}`, await create(body), 422);
    const slug = unique('hook');
    t.replies('a slug', await create({ mapper: 'autoseo', slug }), 201);
    const other = await makeSite();
    t.replies('taken in the whole service', await other.call('POST', '/webhooks', { mapper: 'autoseo', slug }), 409);
    const race = unique('race');
    const many = await Promise.all(Array.from({ length: 20 }, () => create({ mapper: 'autoseo', slug: race })));
    t.is(
      '20 at once: one',
      [many.filter((one) => one.status === 201).length, many.filter((one) => one.status === 409).length],
      [1, 19],
    );
    const { id } = list.data[0];
    t.replies('of another site', await other.call('PATCH', `/webhooks/${id}`, { name: 'x' }), 404);
    t.is('PATCH name', (await site.call('PATCH', `/webhooks/${id}`, { name: 'New' })).data?.name, 'New');
    t.replies(
      'PATCH mapper is refused or ignored',
      await site.call('PATCH', `/webhooks/${id}`, { mapper: 'create_post' }),
      [200, 422],
    );
    t.replies('PATCH enabled to text', await site.call('PATCH', `/webhooks/${id}`, { enabled: 'false' }), 422);
    const gone = await site.call('DELETE', `/webhooks/${id}`);
    t.is('delete', [gone.status, gone.data], [200, { id, deleted: true }]);
    t.replies('its deliveries', await site.call('GET', `/webhooks/${id}/deliveries`), 404);
  });

  await t.part('endpoint', async () => {
    const site = await makeSite();
    const to = await makeIntegration(site, 'create_post');
    const body = JSON.stringify({ title: 'Signed', body_html: '<p>x</p>' });
    const plain = (reply: Reply, rule: string, status: number) => {
      t.replies(rule, reply, status);
      t.is(`${rule}: an empty body`, reply.bytes.length, 0);
      t.ok(`${rule}: X-Request-Id`, reply.headers['x-request-id']);
    };
    plain(await deliver({ slug: 'no-such-hook', secret: 'x' }, body), 'unknown integration', 404);
    for (const slug of ['%00', '%ff', 'A', '..', 'a'.repeat(500), `${to.slug}/`, to.slug.toUpperCase()])
      t.replies(`integration ${slug.slice(0, 20)}`, await deliver({ slug, secret: to.secret }, body), [
        404,
        ...(slug === `${to.slug}/` ? [202] : []),
      ]);
    plain(
      await deliver({ slug: 'none', secret: 'x' }, Buffer.alloc(5 << 20, 97), { signature: null, id: null }),
      '404 comes before 413',
      404,
    );
    plain(
      await deliver(to, Buffer.alloc(4 * 1024 * 1024 + 1, 97), { signature: null, id: null }),
      '413 comes before 401',
      413,
    );
    plain(await deliver(to, body, { signature: null, id: null }), '401 comes before 400', 401);
    plain(await deliver(to, body, { id: null }), 'no delivery id', 400);
    plain(await deliver(to, body, { id: '' }), 'an empty delivery id', 400);
    const now = seconds();
    const hex = (t1: number | string, text = body, secret = to.secret) =>
      createHmac('sha256', secret).update(`${t1}.${text}`).digest('hex');
    const good = hex(now);
    const bad: Record<string, string> = {
      empty: '',
      garbage: 'x',
      'no t': `v1=${good}`,
      'no v1': `t=${now}`,
      v0: `t=${now},v0=${good}`,
      'cut hex': `t=${now},v1=${good.slice(0, -1)}`,
      'longer hex': `t=${now},v1=${good}0`,
      'not hex': `t=${now},v1=${'z'.repeat(64)}`,
      base64: `t=${now},v1=${Buffer.from(good, 'hex').toString('base64')}`,
      'other t': `t=${now + 1},v1=${good}`,
      'other secret': `t=${now},v1=${hex(now, body, 'whsec_x')}`,
      'other body': `t=${now},v1=${hex(now, `${body} `)}`,
      'body alone': `t=${now},v1=${createHmac('sha256', to.secret).update(body).digest('hex')}`,
      'too old': sign(to.secret, body, now - 310),
      'too new': sign(to.secret, body, now + 310),
      milliseconds: sign(to.secret, body, Date.now()),
      't is text': sign(to.secret, body, 'abc'),
      't is empty': sign(to.secret, body, ''),
      't is 1e9': sign(to.secret, body, `${now / 10}e1`),
      't negative': sign(to.secret, body, -now),
      't hex': sign(to.secret, body, `0x${now.toString(16)}`),
      't fraction': sign(to.secret, body, `${now}.0`),
      't huge': sign(to.secret, body, '9'.repeat(400)),
      NaN: sign(to.secret, body, 'NaN'),
      'sha256=': `sha256=${good}`,
      'two t': `t=1,t=${now},v1=${good}x`,
      'many v1': `t=${now}${`,v1=${'0'.repeat(64)}`.repeat(20)}`,
    };
    for (const [name, signature] of Object.entries(bad))
      plain(await deliver(to, body, { signature }), `signature: ${name}`, 401);
    for (const [name, signature] of Object.entries({
      'five minutes old': sign(to.secret, body, now - 290),
      'five minutes ahead': sign(to.secret, body, now + 290),
      'a wrong v1 and the right': `t=${now},v1=${'0'.repeat(64)},v1=${good}`,
      'the right and a wrong': `t=${now},v1=${good},v1=${'0'.repeat(64)}`,
      'other schemes beside': `t=${now},v0=abc,v1=${good},v2=x`,
    }))
      plain(await deliver(to, body, { signature }), `signature: ${name}`, 202);
    const spaced = await deliver(to, body, { signature: `t=${now}, v1=${good}` });
    t.ok('white space in the header', [202, 401].includes(spaced.status), spaced.status);
    const upper = await deliver(to, body, { signature: `t=${now},v1=${good.toUpperCase()}` });
    t.ok('hex in capitals', [202, 401].includes(upper.status), upper.status);
    const twoHeaders = await deliver(to, body, {
      signature: null,
      headers: { 'X-Service-Signature': [sign('wrong', body), sign(to.secret, body)] },
    });
    t.ok('two signature headers never fail', [202, 401].includes(twoHeaders.status), twoHeaders.status);
    plain(await deliver(to, Buffer.alloc(4 * 1024 * 1024, 32)), 'exactly 4 MiB', 202);
    for (const [name, type] of [
      ['no', null],
      ['text', 'text/plain'],
      ['xml', 'application/xml'],
      ['form', 'application/x-www-form-urlencoded'],
      ['multipart', 'multipart/form-data'],
    ] as const) {
      const reply = await call('POST', `//webhooks/${to.slug}`, {
        raw: body,
        type,
        headers: { 'X-Service-Signature': sign(to.secret, body), 'X-Delivery-Id': randomUUID() },
      });
      plain(reply, `${name} content type`, 202);
    }
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const reply = await call(method, `//webhooks/${to.slug}`, {
        headers: { 'X-Service-Signature': sign(to.secret, body) },
      });
      t.replies(`${method} is no delivery`, reply, [404, 405]);
    }
    const id = randomUUID();
    plain(await deliver(to, body, { id }), 'new', 202);
    plain(await deliver(to, body, { id }), 'known', 200);
    plain(await deliver(to, JSON.stringify({ title: 'Other', body_html: '' }), { id }), 'known with another body', 200);
    plain(await deliver(to, body, { id, signature: 'x' }), 'known with a wrong signature', 401);
    const second = await makeIntegration(site, 'create_post');
    plain(await deliver(second, body, { id }), 'ids are per integration', 202);
    const race = randomUUID();
    const many = await Promise.all(
      Array.from({ length: 20 }, () =>
        deliver(to, JSON.stringify({ title: `Race ${race}`, body_html: '' }), { id: race }),
      ),
    );
    t.is(
      '20 at once: one 202, 19 200',
      [many.filter((one) => one.status === 202).length, many.filter((one) => one.status === 200).length],
      [1, 19],
    );
    await deliveryEnd(to, race);
    t.is('and one post', (await site.call('GET', `/content?q=${race}`)).data.length, 1);
    for (const odd of ['a', 'x'.repeat(255), '"q"', '../../x', "';--", '%00'])
      plain(await deliver(to, body, { id: odd }), `delivery id ${odd.slice(0, 10)}`, 202);
    for (const odd of ['x'.repeat(5000), 'a b', 'é']) {
      const reply = await deliver(to, body, { id: odd });
      t.ok(`delivery id ${odd.slice(0, 10)}`, [202, 400].includes(reply.status), reply.status);
    }
    const chunked = body.length.toString(16);
    const answer = await wire(
      `POST /webhooks/${to.slug} HTTP/1.1\r\nHost: x\r\nX-Delivery-Id: ${randomUUID()}\r\nX-Service-Signature: ${sign(to.secret, body)}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunked}\r\n${body}\r\n0\r\n\r\n`,
    );
    t.ok('chunked', answer.startsWith('HTTP/1.1 202'), answer.slice(0, 200));
    await site.call('PATCH', `/webhooks/${to.id}`, { enabled: false });
    plain(await deliver(to, body), 'disabled is not found', 404);
    plain(await deliver(to, body, { signature: null, id: null }), 'disabled, unsigned: not found', 404);
    await site.call('PATCH', `/webhooks/${to.id}`, { enabled: true });
    const rotated = (await site.call('POST', `/webhooks/${to.id}/rotate`)).data;
    plain(await deliver(to, body), 'the old secret while rotating', 202);
    plain(await deliver({ slug: to.slug, secret: rotated.secret }, body), 'the new secret', 202);
    t.is('secret over the command line', await cli('webhooks', 'secret', to.slug), {
      slug: to.slug,
      secret: rotated.secret,
    });
  });

  await t.part('content mappers', async () => {
    const site = await makeSite();
    const post = await makeIntegration(site, 'create_post');
    const page = await makeIntegration(site, 'create_page');
    const seo = await makeIntegration(site, 'autoseo');
    const skipped: [Integration, unknown][] = [
      [post, '{'],
      [post, ''],
      [post, '[]'],
      [post, '"x"'],
      [post, 'null'],
      [post, '5'],
      [post, {}],
      [post, { title: 'x' }],
      [post, { body_html: 'x' }],
      [post, { title: '', body_html: 'x' }],
      [post, { title: 5, body_html: 'x' }],
      [post, { title: 'x', body_html: 5 }],
      [post, { title: 'x', body_html: null }],
      [post, { title: null, body_html: 'x' }],
      [post, { title: '  ', body_html: 'x' }],
      [page, { title: ['x'], body_html: 'x' }],
      [seo, { title: 'x', body_html: 'x' }],
      [seo, { id: '', title: 'x', body_html: 'x' }],
      [seo, { id: null, title: 'x', body_html: 'x' }],
      [seo, { id: {}, title: 'x', body_html: 'x' }],
      [seo, { id: 'a', body_html: 'x' }],
      [seo, { id: 'a', title: 'x' }],
      [post, Buffer.from([0x7b, 0xff, 0x7d])],
    ];
    const ends = await Promise.all(skipped.map(async ([to, payload]) => ({ payload, end: await run(to, payload) })));
    for (const { payload, end } of ends)
      t.is(
        `${JSON.stringify(payload)} is skipped, once`,
        [end.status, end.attempts <= 1, end.next_attempt_at],
        ['skipped', true, null],
      );
    const made = await run(post, {
      title: 'By hook',
      body_html: '<p>Hook</p><script>x</script>',
      slug: 'Given Slug',
      excerpt: 'E',
      author: 'A',
      unknown: { a: 1 },
    });
    t.is('succeeded', made.status, 'succeeded');
    const items = async (q: string) => (await site.call('GET', `/content?q=${encodeURIComponent(q)}`)).data as Any[];
    const [item] = await items('By hook');
    t.is(
      'the post',
      [item?.type, item?.status, item?.slug, item?.excerpt, item?.author, item?.body_html],
      ['post', 'published', 'given-slug', 'E', 'A', '<p>Hook</p>'],
    );
    t.replies('live', await visit(`/sites/${site.slug}/posts/given-slug/`), 200);
    t.ok(
      'result names item, release and URL',
      JSON.stringify(made.result).includes(item.id) &&
        /release/.test(JSON.stringify(made.result)) &&
        JSON.stringify(made.result).includes('/posts/given-slug/'),
      made.result,
    );
    t.is(
      'recorded',
      [made.body, made.body_encoding, made.headers['x-delivery-id']],
      [
        JSON.stringify({
          title: 'By hook',
          body_html: '<p>Hook</p><script>x</script>',
          slug: 'Given Slug',
          excerpt: 'E',
          author: 'A',
          unknown: { a: 1 },
        }),
        'utf8',
        made.delivery_id,
      ],
    );
    t.ok('no secret in the record', !JSON.stringify(made).includes(post.secret));
    t.is(
      'members of a delivery',
      [
        'attempts',
        'body',
        'body_encoding',
        'delivery_id',
        'error',
        'finished_at',
        'headers',
        'id',
        'next_attempt_at',
        'received_at',
        'result',
        'status',
      ].filter((name) => !(name in made)),
      [],
    );
    t.is('an empty body_html is taken', (await run(post, { title: 'Empty body', body_html: '' })).status, 'succeeded');
    t.is(
      'create_page',
      [(await run(page, { title: 'A page', body_html: '<p>p</p>' })).status, (await items('A page'))[0]?.type],
      ['succeeded', 'page'],
    );
    t.replies('the page is live', await visit(`/sites/${site.slug}/a-page/`), 200);
    await run(post, { title: 'A draft', body_html: '', status: 'draft' });
    t.is('status draft', (await items('A draft'))[0]?.status, 'draft');
    await run(post, { title: 'Twice', body_html: '' });
    await run(post, { title: 'Twice', body_html: '' });
    t.is('without source_ref each is a new one', (await items('Twice')).length, 2);
    await run(post, { title: 'Ref one', body_html: '', source_ref: 'r-1' });
    await run(post, { title: 'Ref two', body_html: '<p>2</p>', source_ref: 'r-1' });
    const [ref] = await items('Ref two');
    t.is('source_ref updates and keeps the slug', [ref?.slug, (await items('Ref one')).length], ['ref-one', 0]);
    await run(post, { title: 'Ref three', body_html: '', source_ref: 'r-1', slug: 'Moved' });
    t.is('a slug in the payload changes it', (await items('Ref three'))[0]?.slug, 'moved');
    const post2 = await makeIntegration(site, 'create_post');
    await run(post2, { title: 'Ref other', body_html: '', source_ref: 'r-1' });
    t.is(
      'refs are within the integration',
      [(await items('Ref three')).length, (await items('Ref other')).length],
      [1, 1],
    );
    await site.call('DELETE', `/content/${ref.id}`);
    const trashed = await run(post, { title: 'Ref trash', body_html: '', source_ref: 'r-1' });
    const inTrash = (await site.call('GET', '/content/trash')).data.find((one: Any) => one.id === ref.id);
    t.is(
      'an item in the trash is updated and stays there',
      [trashed.status, inTrash?.title, (await items('Ref trash')).length],
      ['succeeded', 'Ref trash', 0],
    );
    t.ok('and the result says so', /trash/.test(JSON.stringify(trashed.result)), trashed.result);
    for (const id of ['seo-1', 12345]) {
      await run(seo, {
        id,
        title: `Seo ${id}`,
        body_html: '<p>x</p>',
        seo_title: 'ST',
        seo_description: 'SD',
        published_at: '2020-01-02T03:04:05Z',
      });
      await run(seo, { id, title: `Seo ${id} again`, body_html: '<p>y</p>' });
      const found = await items(`Seo ${id}`);
      t.is(
        `autoseo ${id} is idempotent`,
        [found.length, found[0]?.title, found[0]?.seo_title, found[0]?.published_at, found[0]?.slug],
        [1, `Seo ${id} again`, found[0]?.seo_title, '2020-01-02T03:04:05Z', `seo-${id}`],
      );
    }
    const failing: [string, unknown][] = [
      ['scheduled without a time', { title: 'F', body_html: '', status: 'scheduled' }],
      ['a status of dirt', { title: 'F', body_html: '', status: 'nope' }],
    ];
    for (const [name, payload] of failing) {
      const end = await run(post, payload);
      t.ok(
        `${name} is failed and retried`,
        end.status === 'failed' && end.attempts === 6 && end.next_attempt_at === null,
        [end.status, end.attempts, end.error],
      );
    }
    const offset = await run(seo, {
      id: 'off',
      title: 'Offset',
      body_html: '',
      published_at: '2020-01-02T03:04:05+02:00',
    });
    t.ok('a timestamp with an offset is not converted', ['failed', 'skipped'].includes(offset.status), [
      offset.status,
      offset.error,
    ]);
    const nul = await run(post, { title: 'N\u0000ul', body_html: 'a\u0000b' });
    t.ok('NUL in a title ends somehow', ['succeeded', 'failed', 'skipped'].includes(nul.status), nul.status);
    const hostile = await run(post, '{"title":"Proto","body_html":"x","__proto__":{"status":"draft"},"constructor":1}');
    t.is(
      '__proto__ is an unknown member',
      [hostile.status, (await items('Proto'))[0]?.status],
      ['succeeded', 'published'],
    );
    const dup = await run(post, '\ufeff{"title":"With BOM","body_html":"x"}');
    t.ok('a BOM', ['succeeded', 'skipped'].includes(dup.status), dup.status);
    const replay = await site.call('POST', `/webhooks/${post.id}/deliveries/${made.id}/replay`);
    t.replies('replay', replay, 202);
    t.is('and it succeeds again', (await deliveryEnd(post, made.delivery_id)).status, 'succeeded');
    const binary = ends.find(({ payload }) => Buffer.isBuffer(payload))!.end;
    t.is(
      'bytes that are no text',
      [binary.body_encoding, binary.body],
      ['base64', Buffer.from([0x7b, 0xff, 0x7d]).toString('base64')],
    );
  });

  await t.part('order', async () => {
    const site = await makeSite();
    const to = await makeIntegration(site, 'autoseo');
    const ids: string[] = [];
    for (let i = 0; i < 15; i++) {
      const reply = await deliver(to, { id: 'one', title: `Version ${i}`, body_html: `<p>v${i}</p>` });
      t.replies('accepted', reply, 202);
      ids.push(reply.id);
    }
    const ends = await Promise.all(ids.map((id) => deliveryEnd(to, id)));
    t.is('all succeed', new Set(ends.map((one) => one.status)), new Set(['succeeded']));
    const list = await site.call('GET', '/content');
    t.is(
      'one item, the last accepted',
      [list.data.length, list.data[0]?.title, list.data[0]?.slug],
      [1, 'Version 14', 'version-0'],
    );
    t.ok('live is the last', (await visit(`/sites/${site.slug}/posts/version-0/`)).text.includes('v14'));
    const at = await Promise.all(
      Array.from({ length: 20 }, (_, i) => deliver(to, { id: `n-${i}`, title: `Many ${i}`, body_html: '' })),
    );
    const all = await Promise.all(at.map((one) => deliveryEnd(to, one.id)));
    t.is(
      '20 at once',
      all.map((one) => one.status),
      Array(20).fill('succeeded'),
    );
    for (let i = 0; i < 20; i++) t.replies(`n-${i} is live`, await visit(`/sites/${site.slug}/posts/many-${i}/`), 200);
  });

  await t.part('images, media, components', async () => {
    const site = await makeSite();
    const source = await startSource((url) =>
      url.startsWith('/ok')
        ? { body: png }
        : url.startsWith('/html')
          ? { type: 'image/png', body: '<html>' }
          : url === '/redirect'
            ? { status: 302, location: '/ok-redirected.png' }
            : url === '/private'
              ? { status: 302, location: 'http://127.0.0.1:1/x.png' }
              : { status: 404 },
    );
    try {
      const seo = await makeIntegration(site, 'autoseo');
      const { origin } = source;
      const end = await run(seo, {
        id: 'i',
        title: 'With images',
        body_html: `<p>a</p><img src="${origin}/ok1.png" alt="Mine"><p><img src="${origin}/ok2.png"></p><img src="${origin}/missing.png"><img src="${origin}/private"><img src="http://10.0.0.1/x.png"><img src="${origin}/redirect"><p>z</p>`,
        featured_image_url: `${origin}/ok-featured.png`,
      });
      t.is('published all the same', end.status, 'succeeded');
      const [item] = (await site.call('GET', '/content?q=With%20images')).data;
      const sources = [...item.body_html.matchAll(/src="([^"]+)"/g)].map((one) => one[1]);
      t.ok(
        'every image is local',
        sources.length === 3 && sources.every((one) => /^media:[0-9a-f-]{36}$/.test(one!)),
        item.body_html,
      );
      t.ok('alt is kept', item.body_html.includes('alt="Mine"'), item.body_html);
      t.ok('alt from the title', item.body_html.includes('alt="With images"'), item.body_html);
      const featured = await site.call('GET', `/media/${item.featured_media_id}`);
      t.is('featured', [featured.status, featured.data?.alt], [200, 'With images']);
      const before = source.hits.get('/ok1.png');
      await run(seo, {
        id: 'i',
        title: 'With images',
        body_html: `<img src="${origin}/ok1.png">`,
        featured_image_url: `${origin}/ok-featured.png`,
      });
      t.is('not fetched again', source.hits.get('/ok1.png'), before);
      const page = await visit(`/sites/${site.slug}/posts/with-images/`);
      t.ok(
        'a responsive picture',
        /<picture/.test(page.text) && /srcset=/.test(page.text) && !page.text.includes(origin),
        page.text.slice(0, 2500),
      );
      const media = await makeIntegration(site, 'import_media');
      const imported = await run(media, { url: `${origin}/ok-import.png`, alt: 'I' });
      t.is('import_media', imported.status, 'succeeded');
      t.ok(
        'is in the library',
        (await site.call('GET', '/media?kind=image')).data.some((one: Any) => one.alt === 'I'),
      );
      t.is('decorative', (await run(media, { url: `${origin}/ok-deco.png`, decorative: true })).status, 'succeeded');
      for (const payload of [{}, { url: '' }, { url: 5 }, { alt: 'x' }])
        t.is(`import ${JSON.stringify(payload)} is skipped`, (await run(media, payload)).status, 'skipped');
      for (const payload of [
        { url: 'http://10.0.0.1/x.png', alt: 'x' },
        { url: `${origin}/private`, alt: 'x' },
        { url: 'file:///etc/passwd', alt: 'x' },
        { url: `${origin}/ok-noalt.png` },
        { url: 'not a url', alt: 'x' },
      ]) {
        const failed = await run(media, payload);
        t.ok(
          `import ${JSON.stringify(payload)} is failed after 6`,
          failed.status === 'failed' && failed.attempts === 6,
          [failed.status, failed.attempts, failed.error],
        );
      }
      const component = await makeIntegration(site, 'upsert_component');
      t.is(
        'upsert_component',
        (await run(component, { handle: 'c', type: 'html', source_code: '<p>c</p>', css: '.a{}' })).status,
        'succeeded',
      );
      t.is('stored', (await site.call('GET', '/components/c')).data?.source_code, '<p>c</p>');
      for (const payload of [
        {},
        { handle: 'c', type: 'html' },
        { handle: '', type: 'html', source_code: 'x' },
        { handle: 'c', source_code: 'x' },
        { handle: 5, type: 'html', source_code: 'x' },
      ])
        t.is(`component ${JSON.stringify(payload)} is skipped`, (await run(component, payload)).status, 'skipped');
      const broken = await run(component, { handle: 'c', type: 'react', source_code: 'export default () => <a>' });
      t.ok('a broken component is failed', broken.status === 'failed' && broken.attempts === 6, broken);
    } finally {
      source.close();
    }
  });

  await t.part('failed builds', async () => {
    const site = await makeSite();
    await publish(site);
    const to = await makeIntegration(site, 'create_post');
    await site.call('PUT', '/shell/file/post.twig', undefined, { raw: '{{ broken( }}' });
    const end = await run(to, { title: 'Unbuilt', body_html: 'x' });
    t.ok('a build that failed leaves it failed', end.status === 'failed' && end.attempts === 6, [
      end.status,
      end.attempts,
      end.error,
    ]);
    t.is('mapped once', (await site.call('GET', '/content?q=Unbuilt')).data.length, 1);
    await sleep(10);
    const before = (await cli('webhooks', 'deliveries', to.slug)) as Any;
    t.ok('the command line lists deliveries', JSON.stringify(before).includes(end.delivery_id), before);
    await site.call('PUT', '/shell/file/post.twig', undefined, {
      raw: '{% extends "base.twig" %}{% block content %}{{ page.body }}{% endblock %}',
    });
    await cli('webhooks', 'replay', end.id);
    await eventually(
      'live after a replay',
      async () => (await visit(`/sites/${site.slug}/posts/unbuilt/`)).status === 200,
    );
  });
}
