import type { Report } from '../report.ts';
import {
  type Any,
  deliver,
  deliveryEnd,
  eventually,
  makeIntegration,
  makeSite,
  publish,
  unique,
  visit,
} from '../world.ts';

const hostile = (name: string) =>
  `${name}]]></title></script></textarea>"'><script>alert("${name}")</script>{{7*7}}{% raw %}&amp;&lt;\u2028`;

/** What holds for every list and for every text that reaches a page. */
export async function check(t: Report): Promise<void> {
  await t.part('newest first', async () => {
    const site = await makeSite();
    const locales: Record<string, string> = { b: 'de', a: 'it', c: 'fr' };
    for (const name of ['b', 'a', 'c']) {
      await site.call('POST', '/redirects', { from: `/${name}`, to: '/x' });
      await site.call('POST', '/scripts', { name, code: '1' });
      await site.call('POST', '/webhooks', { mapper: 'autoseo', name });
      await site.call('PUT', `/components/${name}`, { type: 'html', source_code: name });
      await site.call('POST', '/languages', { locale: locales[name] });
      await site.call('PUT', `/shell/file/zz-${name}.css`, undefined, { raw: name });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const list = async (target: string, member: string) =>
      (await site.call('GET', `${target}?per_page=3`)).data.map((one: Any) => one[member]);
    t.is('redirects', await list('/redirects', 'from'), ['/c', '/a', '/b']);
    t.is('scripts', await list('/scripts', 'name'), ['c', 'a', 'b']);
    t.is('webhooks', await list('/webhooks', 'name'), ['c', 'a', 'b']);
    t.is('components', await list('/components', 'handle'), ['c', 'a', 'b']);
    t.is('languages', await list('/languages', 'locale'), ['fr', 'it', 'de']);
    t.is('shell files', await list('/shell/files', 'path'), ['zz-c.css', 'zz-a.css', 'zz-b.css']);
    for (const [target, body] of [
      ['/redirects', { from: '/sent', to: '/back' }],
      ['/scripts', { name: 'sent', src: 'https://x.example/a.js' }],
    ] as const) {
      const { data } = await site.call('POST', target, body);
      t.replies(`a record of ${target} can be sent back`, await site.call('PATCH', `${target}/${data.id}`, data), 200);
    }
    const webhook = (await site.call('GET', '/webhooks')).data[0];
    t.replies(
      'a record of /webhooks can be sent back',
      await site.call('PATCH', `/webhooks/${webhook.id}`, webhook),
      200,
    );
  });

  await t.part('hostile texts on pages', async () => {
    const domain = `${unique('x')}.example`;
    const nav = [
      { label: hostile('nav'), url: 'javascript:alert(1)' },
      { label: 'other', url: '//evil.example' },
      { label: 'broken', url: hostile('url') },
    ];
    const texts = {
      tagline: hostile('tag'),
      description: hostile('desc'),
      footer: hostile('foot'),
      accent: hostile('accent'),
    };
    const site = await makeSite({ domain, name: hostile('site'), settings: { ...texts, nav } });
    await site.call('POST', '/languages', { locale: 'de', name: hostile('lang') });
    for (const type of ['post', 'page', 'recipe']) {
      const made = await site.call('POST', '/content', {
        type,
        title: hostile('title'),
        excerpt: hostile('excerpt'),
        author: hostile('author'),
        seo_title: hostile('seo'),
        seo_description: hostile('seod'),
        tags: [hostile('tag')],
        status: 'published',
        body_html: '<p>{{7*7}} {% if %} {{ site.settings }}</p>',
      });
      t.replies('stored', made, 201);
    }
    await publish(site);
    const items = (await site.call('GET', '/content')).data as Any[];
    const pages = items.map((one) => new URL(one.url).pathname);
    for (const target of ['/', '/posts/', '/feed.xml', '/sitemap.xml', '/robots.txt', '/de/', '/nope/', ...pages]) {
      const { text } = await visit(target, { headers: { host: domain } });
      t.ok(`${target}: no script of a text`, !text.includes('<script>alert('), text.slice(0, 300));
      t.ok(
        `${target}: no template of a text`,
        !/[^0-9]49[^0-9]/.test(text.replace(/[0-9a-f]{16,}/g, '')),
        text.slice(0, 300),
      );
      t.ok(`${target}: no link of a text runs`, !/href="(javascript|\/\/evil)/i.test(text), text.slice(0, 300));
      if (target.endsWith('.xml'))
        t.ok(`${target}: well formed`, !/&(?!(amp|lt|gt|quot|apos|#\d+|#x[0-9a-f]+);)/i.test(text));
    }
  });

  await t.part('order of deliveries', async () => {
    const site = await makeSite();
    const to = await makeIntegration(site, 'create_post');
    const first = await deliver(to, { title: 'V1', body_html: '', source_ref: 'a', status: 'scheduled' });
    const second = await deliver(to, { title: 'V2', body_html: '', source_ref: 'a' });
    t.is('the later', (await deliveryEnd(to, second.id)).status, 'succeeded');
    const late = await deliveryEnd(to, first.id);
    t.ok('a retry overwrites nothing later', late.status === 'failed' || late.result.superseded_by, late);
    t.is(
      'stands',
      (await site.call('GET', '/content')).data.map((one: Any) => one.title),
      ['V2'],
    );
    const older = await deliver(to, { title: 'A1', body_html: '', source_ref: 'b' });
    const { id } = await deliveryEnd(to, older.id);
    await deliveryEnd(to, (await deliver(to, { title: 'A2', body_html: '', source_ref: 'b' })).id);
    t.replies('a replay', await site.call('POST', `/webhooks/${to.id}/deliveries/${id}/replay`), 202);
    await eventually(
      'a replay counts as newest',
      async () => (await site.call('GET', '/content?q=A1')).data.length === 1,
    );
    t.is('and ends well', (await deliveryEnd(to, older.id)).status, 'succeeded');
  });

  await t.part('releases', async () => {
    const site = await makeSite();
    await publish(site);
    await site.call('POST', '/content', { title: 'Later', type: 'page', status: 'published' });
    await publish(site);
    const releases = (await site.call('GET', '/releases')).data as Any[];
    t.is(
      'newest first, one live',
      releases.map((one) => one.live),
      [true, false],
    );
    const back = await site.call('POST', `/releases/${releases[1].id}/rollback`);
    t.replies('rollback', back, 200);
    t.is('live_release', (await site.call('GET', '')).data.live_release, releases[1].id);
    await eventually(
      'an earlier release is live again',
      async () => (await visit(`/sites/${site.slug}/later/`)).status === 404,
    );
    const other = await makeSite();
    t.replies('of another site', await other.call('POST', `/releases/${releases[1].id}/rollback`), 404);
  });
}
