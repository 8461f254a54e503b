import { randomUUID } from 'node:crypto';
import type { Report } from '../report.ts';
import { type Any, eventually, makeSite, publish, type Site, visit } from '../world.ts';

const members = [
  'author',
  'body_html',
  'canonical_url',
  'created_at',
  'excerpt',
  'featured_media_id',
  'id',
  'locale',
  'published_at',
  'scheduled_at',
  'seo_description',
  'seo_title',
  'slug',
  'source_ref',
  'status',
  'tags',
  'title',
  'translation_of',
  'type',
  'updated_at',
  'url',
  'warnings',
];
const now = (seconds = 0) => `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19)}Z`;

export async function check(t: Report): Promise<void> {
  const site = await makeSite();
  const create = (body: Any, on: Site = site) => on.call('POST', '/content', body);
  const made = async (body: Any, on: Site = site) => {
    const reply = await create(body, on);
    t.replies(`create ${JSON.stringify(body).slice(0, 100)}`, reply, 201);
    return reply.data;
  };

  await t.part('record', async () => {
    const item = await made({ title: 'Only a title' });
    t.is('members of a content record', Object.keys(item).sort(), members);
    t.is(
      'defaults',
      [item.type, item.status, item.slug, item.locale, item.warnings, item.tags, item.body_html],
      ['post', 'draft', 'only-a-title', 'en', [], [], ''],
    );
    const read = await site.call('GET', `/content/${item.id}`);
    t.is('GET answers what POST answered', read.data, item);
    const back = await site.call('PATCH', `/content/${item.id}`, read.data);
    t.replies('a record read can be sent back', back, 200);
    t.is('and changes nothing but updated_at', { ...back.data, updated_at: 0 }, { ...item, updated_at: 0 });
    const foreign = await site.call('PATCH', `/content/${item.id}`, {
      id: randomUUID(),
      created_at: '2001-01-01T00:00:00Z',
      url: 'http://x/',
      warnings: [1],
      updated_at: 7,
      trashed_at: null,
    });
    t.replies('read-only members are ignored, even wrong ones', foreign, 200);
    t.is('id stays', foreign.data?.id, item.id);
    t.replies('read-only members on create', await create({ title: 'x', id: 'not a uuid', created_at: 3 }), 201);
    t.replies('by upper-case id', await site.call('GET', `/content/${item.id.toUpperCase()}`), [200, 404]);
    const full = {
      title: 'Full',
      type: 'recipe',
      slug: 'Größe & Ünï',
      body_html: '<p>b</p>',
      excerpt: 'e',
      author: 'a',
      status: 'published',
      published_at: '2020-02-29T23:59:59Z',
      seo_title: 's',
      seo_description: 'd',
      canonical_url: 'https://first.example/a?b=c',
      tags: ['one', 'two'],
      source_ref: unique(),
      locale: 'en',
    };
    const all = await made(full);
    for (const name of [
      'title',
      'type',
      'body_html',
      'excerpt',
      'author',
      'status',
      'published_at',
      'seo_title',
      'seo_description',
      'canonical_url',
      'tags',
      'source_ref',
      'locale',
    ] as const)
      t.is(`${name} is kept`, all[name], full[name]);
    t.is('a given slug is normalised', all.slug, 'grosse-uni');
    const nulls = await site.call('PATCH', `/content/${all.id}`, {
      excerpt: null,
      author: null,
      seo_title: null,
      seo_description: null,
      canonical_url: null,
      tags: [],
      featured_media_id: null,
    });
    t.is('null clears', [nulls.data?.excerpt, nulls.data?.author, nulls.data?.tags], [null, null, []]);
    t.is('PATCH leaves the rest', [nulls.data?.title, nulls.data?.body_html], ['Full', '<p>b</p>']);
    t.replies('PATCH {}', await site.call('PATCH', `/content/${all.id}`, {}), 200);
    const untitled = await site.call('PATCH', `/content/${all.id}`, { title: null });
    t.replies('title null', untitled, 422);
  });

  await t.part('field types', async () => {
    for (const body of [
      {},
      { title: '' },
      { title: '   ' },
      { title: null },
      { title: 5 },
      { title: ['x'] },
      { title: {} },
      { title: true },
    ])
      t.replies(`title ${JSON.stringify(body)}`, await create(body), 422);
    const wrong: Any = {
      type: ['Post', '1x', '-x', 'a b', '', 'ä', 5, 'a/b', 'a.b', '_x'],
      status: ['Draft', 'live', '', 1, null, 'trash', 'deleted', []],
      slug: [5, [], {}, true],
      body_html: [5, [], {}, true],
      excerpt: [5, []],
      author: [1, {}],
      seo_title: [1],
      seo_description: [false],
      canonical_url: ['javascript:alert(1)', '/a/', 'a.example', 'https://u:p@a.example/', 'https://a.example/ b', 5],
      tags: ['one', [1], [null], {}, [['x']]],
      featured_media_id: ['x', 5, randomUUID()],
      translation_of: ['x', 5, randomUUID()],
      source_ref: [5, {}, []],
      locale: ['de', 'xx-YY', '', 5, 'en_US'],
    };
    for (const [name, values] of Object.entries(wrong))
      for (const value of values as Any[]) {
        const reply = await create({ title: 'Wrong', [name]: value });
        if (t.replies(`${name} = ${JSON.stringify(value)}`, reply, 422))
          t.ok(
            `details name ${name}`,
            reply.error.details.some((one: Any) => one.path.startsWith(name)),
            reply.text,
          );
      }
    const two = await create({ title: 5, status: 'nope', tags: 'x' });
    t.is(
      'every fault is in details',
      new Set(two.error?.details?.map((one: Any) => one.path)),
      new Set(['title', 'status', 'tags']),
    );
    for (const value of ['page', 'a', 'x-y_z9'])
      t.is(`type ${value}`, (await made({ title: 'T', type: value })).type, value);
  });

  await t.part('timestamps', async () => {
    const bad = [
      '2026-01-01T00:00:00+00:00',
      '2026-01-01T00:00:00+02:00',
      '2026-01-01T00:00:00-00:00',
      '2026-01-01t00:00:00Z',
      '2026-01-01T00:00:00z',
      '2026-01-01 00:00:00Z',
      '2026-01-01T00:00:00',
      '2026-01-01T00:00Z',
      '2026-01-01',
      '2026-01-01T00:00:00.000Z',
      '2026-01-01T00:00:00.5Z',
      '2026-13-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '2025-02-29T00:00:00Z',
      '2026-01-01T24:00:00Z',
      '2026-01-01T23:60:00Z',
      '2026-01-01T23:59:60Z',
      '2026-1-1T0:0:0Z',
      '20260101T000000Z',
      ' 2026-01-01T00:00:00Z',
      '2026-01-01T00:00:00Z ',
      '2026-01-01T00:00:00Z\n',
      '+002026-01-01T00:00:00Z',
      '-2026-01-01T00:00:00Z',
      '12026-01-01T00:00:00Z',
      '2026-00-10T00:00:00Z',
      '2026-01-00T00:00:00Z',
      '２０２６-01-01T00:00:00Z',
      '',
      'now',
      1767225600,
      1767225600000,
      true,
      {},
      [],
      '2100-02-29T00:00:00Z',
      '2026-04-31T00:00:00Z',
    ];
    for (const value of bad)
      for (const name of ['scheduled_at', 'published_at']) {
        t.replies(
          `${name} ${JSON.stringify(value)} is rejected`,
          await create({ title: 'Time', status: name === 'scheduled_at' ? 'scheduled' : 'draft', [name]: value }),
          422,
        );
      }
    for (const value of [
      '2024-02-29T00:00:00Z',
      '2000-02-29T23:59:59Z',
      '1970-01-01T00:00:00Z',
      '9999-12-31T23:59:59Z',
      '1969-12-31T23:59:59Z',
      '0001-01-01T00:00:00Z',
      '0099-06-01T12:00:00Z',
      '1900-01-01T00:00:00Z',
    ]) {
      const reply = await create({ title: 'Time', published_at: value });
      t.replies(`published_at ${value}`, reply, 201);
      t.is(`${value} comes back`, reply.data?.published_at, value);
      t.is(`${value} is read`, (await site.call('GET', `/content/${reply.data?.id}`)).data?.published_at, value);
    }
    t.replies('scheduled without a time', await create({ title: 'S', status: 'scheduled' }), 422);
    t.replies('scheduled with null', await create({ title: 'S', status: 'scheduled', scheduled_at: null }), 422);
    const draft = await made({ title: 'S' });
    t.replies(
      'PATCH to scheduled without a time',
      await site.call('PATCH', `/content/${draft.id}`, { status: 'scheduled' }),
      422,
    );
    t.replies(
      'PATCH a time then the status',
      await site.call('PATCH', `/content/${draft.id}`, { scheduled_at: '2099-01-01T00:00:00Z' }),
      200,
    );
    t.replies('then the status alone', await site.call('PATCH', `/content/${draft.id}`, { status: 'scheduled' }), 200);
    t.replies('then the time away', await site.call('PATCH', `/content/${draft.id}`, { scheduled_at: null }), 422);
    const published = await made({ title: 'P', status: 'published' });
    t.ok('published sets published_at', /Z$/.test(String(published.published_at)), published);
    const later = await site.call('PATCH', `/content/${published.id}`, { status: 'draft' });
    t.is('back to draft keeps published_at', later.data?.published_at, published.published_at);
    const given = await made({ title: 'P', status: 'published', published_at: '2019-01-01T00:00:00Z' });
    t.is('a given published_at stands', given.published_at, '2019-01-01T00:00:00Z');
  });

  await t.part('transitions', async () => {
    const all = ['draft', 'scheduled', 'published', 'archived'];
    for (const from of all)
      for (const to of all) {
        const item = await made({
          title: `From ${from}`,
          status: from,
          ...(from === 'scheduled' ? { scheduled_at: '2099-01-01T00:00:00Z' } : {}),
        });
        const reply = await site.call('PATCH', `/content/${item.id}`, {
          status: to,
          ...(to === 'scheduled' ? { scheduled_at: '2099-01-01T00:00:00Z' } : {}),
        });
        t.replies(`${from} → ${to}`, reply, 200);
        t.is(`${from} → ${to} is stored`, (await site.call('GET', `/content/${item.id}`)).data?.status, to);
        if (to === 'published') t.ok('published_at is set', reply.data?.published_at, reply.text);
      }
  });

  await t.part('slugs', async () => {
    const own = await makeSite();
    const slug = async (body: Any) => (await made(body, own)).slug;
    t.is(
      'counter',
      [
        await slug({ title: 'A b' }),
        await slug({ title: 'A b' }),
        await slug({ title: 'x', slug: 'a-b' }),
        await slug({ title: 'A  B!' }),
      ],
      ['a-b', 'a-b-2', 'a-b-3', 'a-b-4'],
    );
    t.is(
      'a counter that is taken is passed',
      [await slug({ title: 'c-2' }), await slug({ title: 'c' }), await slug({ title: 'c' })],
      ['c-2', 'c', 'c-3'],
    );
    t.is(
      'pages and posts share slugs',
      [await slug({ title: 'Shared' }), await slug({ title: 'Shared', type: 'page' })],
      ['shared', 'shared-2'],
    );
    for (const [title, expected] of [
      ['Ärger über Öl', 'arger-uber-ol'],
      ['Straße', 'strasse'],
      ["L'été à Paris", 'l-ete-a-paris'],
      ['  --x--  ', 'x'],
      ['C++ & C#', 'c-c'],
      ['a_b', null],
      ['ABC', 'abc'],
    ] as const) {
      const got = await slug({ title });
      t.ok(
        `slug of ${title}`,
        /^[a-z0-9]+(-[a-z0-9]+)*$/.test(got) && (expected === null || got === expected || title.startsWith('L')),
        got,
      );
    }
    for (const title of [
      '日本語',
      'Привет мир',
      '🎉',
      '!!!',

      '—',
      'שלום',
      '%%%',
      '..',
      '/',
      '\u202e',
    ]) {
      const got = await slug({ title });
      t.ok(`slug of ${JSON.stringify(title)} is never empty`, /^[a-z0-9]+(-[a-z0-9]+)*$/.test(got), got);
    }
    const long = await slug({ title: 'word '.repeat(80) });
    t.ok('at most 120 characters', long.length <= 120 && !long.endsWith('-'), long.length);
    const longAgain = await slug({ title: 'word '.repeat(80) });
    t.ok('with a counter too', longAgain.length <= 120 && longAgain !== long && /-2$/.test(longAgain), longAgain);
    t.is('exactly 120', (await slug({ title: 'x', slug: 'y'.repeat(121) })).length, 120);
    t.is('exactly 120 and a counter', (await slug({ title: 'x', slug: 'y'.repeat(121) })).length, 120);
    t.ok('an empty slug is derived', (await slug({ title: 'Derived one', slug: '' })).startsWith('derived-one'));
    t.ok('a slug of dirt is derived or replaced', (await slug({ title: 'Derived two', slug: '!!!' })).length > 0);
    const first = await made({ title: 'Patch me' }, own);
    const second = await made({ title: 'Other' }, own);
    t.is(
      'PATCH to a taken slug',
      (await own.call('PATCH', `/content/${second.id}`, { slug: 'patch-me' })).data?.slug,
      'patch-me-2',
    );
    t.is(
      'PATCH to its own slug',
      (await own.call('PATCH', `/content/${second.id}`, { slug: 'patch-me-2' })).data?.slug,
      'patch-me-2',
    );
    t.is(
      'PATCH of the title keeps the slug',
      (await own.call('PATCH', `/content/${first.id}`, { title: 'New title' })).data?.slug,
      'patch-me',
    );
    await own.call('DELETE', `/content/${first.id}`);
    t.is('a slug in the trash is free', await slug({ title: 'Patch me' }), 'patch-me');
    const restored = await own.call('POST', `/content/${first.id}/restore`);
    t.is('restore to a taken slug gets a counter', restored.data?.slug, 'patch-me-3');
    t.is('another site is free', (await made({ title: 'A b' })).slug, 'a-b');
    for (const reserved of ['posts', 'feed', 'sitemap', 'robots', '404', 'media', 'assets', 'page']) {
      const got = await slug({ title: reserved, type: 'page' });
      t.ok(`page slug ${reserved}`, reserved !== 'posts' || got !== 'posts', got);
    }
    await own.call('POST', '/languages', { locale: 'de' });
    t.ok('a page slug like a locale gets a counter', (await slug({ title: 'de', type: 'page' })) !== 'de');
    t.is('per locale', (await made({ title: 'A b', locale: 'de' }, own)).slug, 'a-b');
    const many = await Promise.all(Array.from({ length: 20 }, () => create({ title: 'At once' }, own)));
    t.is(
      '20 at once: all 201',
      many.map((one) => one.status),
      Array(20).fill(201),
    );
    t.is('20 at once: 20 slugs', new Set(many.map((one) => one.data?.slug)).size, 20);
    t.is(
      '20 at once: no gap',
      many.map((one) => one.data?.slug).sort(),
      ['at-once', ...Array.from({ length: 19 }, (_, i) => `at-once-${i + 2}`)].sort(),
    );
    const ids = many.map((one) => one.data.id);
    const patched = await Promise.all(ids.map((id) => own.call('PATCH', `/content/${id}`, { slug: 'fight' })));
    t.is('20 PATCHes to one slug', new Set(patched.map((one) => one.data?.slug)).size, 20);
    await Promise.all(ids.map((id) => own.call('DELETE', `/content/${id}`)));
    const taken = await made({ title: 'fight' }, own);
    const back = await Promise.all(ids.map((id) => own.call('POST', `/content/${id}/restore`)));
    t.is(
      '20 restores: 20 slugs, none the taken',
      [new Set([...back.map((one) => one.data?.slug), taken.slug]).size, back.map((one) => one.status)],
      [21, Array(20).fill(200)],
    );
  });

  await t.part('trash', async () => {
    const own = await makeSite();
    for (const status of ['draft', 'scheduled', 'published', 'archived']) {
      const item = await made(
        { title: `T ${status}`, status, ...(status === 'scheduled' ? { scheduled_at: '2099-01-01T00:00:00Z' } : {}) },
        own,
      );
      t.replies('restore of what is not in the trash', await own.call('POST', `/content/${item.id}/restore`), 409);
      t.replies('purge of what is not in the trash', await own.call('DELETE', `/content/${item.id}/purge`), 409);
      const gone = await own.call('DELETE', `/content/${item.id}`);
      t.replies('DELETE', gone, 200);
      t.ok(
        'answers the record with trashed_at',
        gone.data?.id === item.id && /Z$/.test(String(gone.data?.trashed_at)) && gone.data.title === item.title,
        gone.text,
      );
      for (const [method, target] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/fact-check'],
      ] as const)
        t.replies(
          `${method}${target} of a trashed item`,
          await own.call(method, `/content/${item.id}${target}`, method === 'PATCH' ? { title: 'x' } : undefined),
          target ? 404 : method === 'DELETE' ? [404, 200] : 404,
        );
      const trash = await own.call('GET', '/content/trash');
      t.ok(
        'listed in the trash',
        trash.data.some((one: Any) => one.id === item.id && one.trashed_at),
        trash.text,
      );
      t.ok('not in the list', !(await own.call('GET', '/content')).data.some((one: Any) => one.id === item.id));
      const back = await own.call('POST', `/content/${item.id}/restore`);
      t.is(
        'restored in the state it had',
        [back.status, back.data?.status, back.data?.trashed_at ?? null, back.data?.slug],
        [200, status, null, item.slug],
      );
      t.replies('restored is read', await own.call('GET', `/content/${item.id}`), 200);
      await own.call('DELETE', `/content/${item.id}`);
      const purged = await own.call('DELETE', `/content/${item.id}/purge`);
      t.is('purge', [purged.status, purged.data], [200, { id: item.id, deleted: true }]);
      for (const [method, target] of [
        ['DELETE', '/purge'],
        ['POST', '/restore'],
        ['GET', ''],
      ] as const)
        t.replies(`${method} after purge`, await own.call(method, `/content/${item.id}${target}`), 404);
    }
    const other = await made({ title: 'Elsewhere' });
    t.replies('an item of another site', await own.call('GET', `/content/${other.id}`), 404);
    t.replies('trash an item of another site', await own.call('DELETE', `/content/${other.id}`), 404);
    const item = await made({ title: 'Race' }, own);
    const races = await Promise.all(Array.from({ length: 20 }, () => own.call('DELETE', `/content/${item.id}`)));
    t.ok(
      '20 deletes: at least one 200',
      races.some((one) => one.status === 200) && races.every((one) => [200, 404].includes(one.status)),
      races.map((one) => one.status),
    );
    const purges = await Promise.all(Array.from({ length: 20 }, () => own.call('DELETE', `/content/${item.id}/purge`)));
    t.is('20 purges: one 200', purges.filter((one) => one.status === 200).length, 1);
  });

  await t.part('lists', async () => {
    const own = await makeSite();
    await own.call('POST', '/languages', { locale: 'de' });
    const items: Any[] = [];
    for (let i = 0; i < 25; i++)
      items.push(
        await made(
          {
            title: `Item ${i}`,
            type: i % 2 ? 'page' : 'post',
            status: i % 3 ? 'draft' : 'published',
            tags: i % 5 ? ['Often'] : ['rare', 'Often'],
            body_html: `<p>needle${i}</p>`,
            ...(i === 7 ? { locale: 'de' } : {}),
          },
          own,
        ),
      );
    const first = await own.call('GET', '/content');
    t.is('pagination', first.json.pagination, { total: 25, page: 1, per_page: 20, total_pages: 2 });
    t.is(
      'newest first',
      first.data.map((one: Any) => one.id),
      items
        .slice(5)
        .reverse()
        .map((one) => one.id),
    );
    const pages = [];
    for (let page = 1; page <= 4; page++)
      pages.push(...(await own.call('GET', `/content?per_page=7&page=${page}`)).data);
    t.is(
      'pages cover all without doubles',
      pages.map((one: Any) => one.id),
      items.toReversed().map((one) => one.id),
    );
    const empty = await makeSite();
    t.is('an empty list', (await empty.call('GET', '/content')).json.pagination, {
      total: 0,
      page: 1,
      per_page: 20,
      total_pages: 0,
    });
    const count = async (query: string) => (await own.call('GET', `/content?${query}`)).json?.pagination?.total;
    t.is('status', await count('status=published'), 9);
    t.is('type', await count('type=page'), 12);
    t.is('locale', await count('locale=de'), 1);
    t.is('tag', await count('tag=rare'), 5);
    t.is('two filters', await count('type=post&status=published'), 5);
    t.is('q in the title', await count('q=Item%2012'), 1);
    t.ok('q ignores case', (await count('q=ITEM%2012')) === 1);
    t.is('q of % is a text', await count('q=%25'), 0);
    t.is('q of _ is a text', await count('q=_'), 0);
    t.is('updated_since in the future', await count('updated_since=2099-01-01T00:00:00Z'), 0);
    t.is('updated_since in the past', await count('updated_since=2000-01-01T00:00:00Z'), 25);
    for (const query of [
      'status=nope',
      'status=',
      'updated_since=2000-01-01',
      'updated_since=2000-01-01T00:00:00%2B02:00',
      'updated_since=x',
    ])
      t.replies(`filter ${query}`, await own.call('GET', `/content?${query}`), 422);
    t.is('an unknown tag', await count('tag=nobody'), 0);
    for (const query of [
      'q=%00',
      'tag=%00',
      'type=%00',
      'locale=%00',
      'q=%ff',
      'q=%ed%a0%80',
      `q=${'a'.repeat(3000)}`,
      'q=%27%3B--',
      'tag[]=a',
      'tag=a&tag=b',
      'q=',
      '__proto__=1',
      'constructor=1',
      'unknown=1',
      'page=1&page=2',
    ]) {
      const reply = await own.call('GET', `/content?${query}`);
      t.ok(`hostile query ${query.slice(0, 30)}`, [200, 422, 400].includes(reply.status), reply.status);
    }
    await own.call('DELETE', `/content/${items[3].id}`);
    t.is('total without the trash', await count(''), 24);
    t.is('filter of the trash', (await own.call('GET', '/content/trash')).json.pagination.total, 1);
  });

  await t.part('conditional', async () => {
    const item = await made({ title: 'Tag' });
    const read = await site.call('GET', `/content/${item.id}`);
    const etag = String(read.headers.etag);
    t.ok('GET has an ETag', /^(W\/)?".+"$/.test(etag), etag);
    const not = await site.call('GET', `/content/${item.id}`, undefined, { headers: { 'If-None-Match': etag } });
    t.replies('If-None-Match', not, 304);
    const writes = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        site.call('PATCH', `/content/${item.id}`, { title: `Tag ${i}` }, { headers: { 'If-Match': etag } }),
      ),
    );
    t.is(
      '20 writes with one If-Match: one wins',
      [writes.filter((one) => one.status === 200).length, writes.filter((one) => one.status === 412).length],
      [1, 19],
    );
    t.replies(
      'If-Match: *',
      await site.call('PATCH', `/content/${item.id}`, { title: 'Star' }, { headers: { 'If-Match': '*' } }),
      200,
    );
    t.replies(
      'a stale If-Match on DELETE',
      await site.call('DELETE', `/content/${item.id}`, undefined, { headers: { 'If-Match': etag } }),
      412,
    );
  });

  await t.part('translations', async () => {
    const own = await makeSite({ default_locale: 'en' });
    await own.call('POST', '/languages', { locale: 'de' });
    const lost = await made({ title: 'Lost' }, own);
    const kept = await made({ title: 'Kept', locale: 'de', translation_of: lost.id }, own);
    await own.call('DELETE', `/content/${lost.id}`);
    await own.call('DELETE', `/content/${lost.id}/purge`);
    const stale = (await own.call('GET', `/content/${kept.id}`)).data;
    t.replies(
      'a record whose original was purged can be sent back',
      await own.call('PATCH', `/content/${kept.id}`, stale),
      200,
    );
    const en = await made({ title: 'Hello', status: 'published', type: 'page' }, own);
    const de = await made(
      { title: 'Hallo', status: 'published', type: 'page', locale: 'de', translation_of: en.id },
      own,
    );
    t.is('translation_of', de.translation_of, en.id);
    t.replies(
      'translation of a translation',
      await create({ title: 'x', locale: 'de', translation_of: de.id }, own),
      422,
    );
    t.replies('translation of itself', await own.call('PATCH', `/content/${en.id}`, { translation_of: en.id }), 422);
    await publish(own);
    const page = await visit(`/sites/${own.slug}/de/hallo/`);
    t.ok(
      'hreflang',
      page.status === 200 && /hreflang="en"/.test(page.text) && /hreflang="de"/.test(page.text),
      page.text.slice(0, 900),
    );
    t.ok('html lang', /<html[^>]*lang="de"/.test(page.text), page.text.slice(0, 200));
    t.ok('url of the record', de.url.endsWith(`/sites/${own.slug}/de/hallo/`), de.url);
  });

  await t.part('scheduler', async () => {
    const own = await makeSite();
    await publish(own);
    const past = await made({ title: 'Due now', status: 'scheduled', scheduled_at: '2001-01-01T00:00:00Z' }, own);
    const soon = await made({ title: 'Due soon', status: 'scheduled', scheduled_at: now(3) }, own);
    const never = await made({ title: 'Not yet', status: 'scheduled', scheduled_at: '2099-01-01T00:00:00Z' }, own);
    for (const item of [past, soon]) {
      const done = await eventually(`${item.title} is published`, async () => {
        const { data } = await own.call('GET', `/content/${item.id}`);
        return data.status === 'published' ? data : undefined;
      });
      t.ok('published_at is set', done.published_at, done);
      await eventually(
        `${item.title} is live`,
        async () => (await visit(`/sites/${own.slug}/posts/${item.slug}/`)).status === 200,
      );
    }
    const soonAfter = (await own.call('GET', `/content/${soon.id}`)).data;
    t.ok('never before its time', soonAfter.published_at >= soonAfter.scheduled_at, soonAfter);
    t.is('others stay', (await own.call('GET', `/content/${never.id}`)).data.status, 'scheduled');
    const jobs = (await own.call('GET', '/jobs?per_page=100')).data;
    t.ok(
      'a job of kind scheduled',
      jobs.some((one: Any) => one.kind === 'scheduled'),
      jobs.map((one: Any) => one.kind),
    );
    const trashed = await made({ title: 'Trashed before', status: 'scheduled', scheduled_at: now(4) }, own);
    await own.call('DELETE', `/content/${trashed.id}`);
    await new Promise((resolve) => setTimeout(resolve, 7000));
    const inTrash = (await own.call('GET', '/content/trash')).data.find((one: Any) => one.id === trashed.id);
    t.is('what is in the trash stays as it is', inTrash?.status, 'scheduled');
    await own.call('POST', `/content/${trashed.id}/restore`);
    await eventually(
      'restored and due: published',
      async () => (await own.call('GET', `/content/${trashed.id}`)).data.status === 'published',
    );
  });

  await t.part('batch and by-ref', async () => {
    const own = await makeSite();
    const batch = await own.call('POST', '/content/batch', {
      items: [
        { title: 'One' },
        { title: '' },
        { title: 'One' },
        5,
        null,
        { title: 'x', nope: 1 },
        { title: 'S', status: 'scheduled' },
      ],
    });
    t.is(
      'batch: each on its own',
      [batch.status, batch.data?.results?.map((one: Any) => one.status)],
      [200, [201, 422, 201, 422, 422, 422, 422]],
    );
    t.is(
      'batch: in order',
      [batch.data?.results?.[0]?.data?.slug, batch.data?.results?.[2]?.data?.slug],
      ['one', 'one-2'],
    );
    t.replies('batch of none', await own.call('POST', '/content/batch', { items: [] }), [200, 422]);
    t.replies(
      'batch of 100',
      await own.call('POST', '/content/batch', { items: Array(100).fill({ title: 'B' }) }),
      200,
    );
    t.replies(
      'batch of 101',
      await own.call('POST', '/content/batch', { items: Array(101).fill({ title: 'B' }) }),
      422,
    );
    const ref = encodeURIComponent('a ref/with % ünï');
    const one = await own.call('PUT', `/content/by-ref/${ref}`, { title: 'Ref' });
    t.replies('by-ref creates', one, 201);
    t.is('its ref', one.data?.source_ref, 'a ref/with % ünï');
    const two = await own.call('PUT', `/content/by-ref/${ref}`, { title: 'Ref two' });
    t.is('by-ref updates', [two.status, two.data?.id, two.data?.slug], [200, one.data?.id, 'ref']);
    const race = await Promise.all(
      Array.from({ length: 20 }, (_, i) => own.call('PUT', '/content/by-ref/race', { title: `R ${i}` })),
    );
    t.is(
      '20 at once: one item',
      [new Set(race.map((r) => r.data?.id)).size, race.filter((r) => r.status === 201).length],
      [1, 1],
    );
    const by = await own.call('POST', '/content', { title: 'x', source_ref: 'race' });
    t.ok('a source_ref that is taken', [201, 409, 422].includes(by.status), by.text);
  });
}

const unique = () => randomUUID();
