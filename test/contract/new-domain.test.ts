import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, publish } from '../harness/api.ts';
import { visit } from '../harness/edge.ts';

afterAll(closeStack);

test('a live site that gets a domain, or another one, names it in its pages, and no edit goes live by that', async () => {
  const site = await makeSite();
  const { data: item } = await site.request('POST', '/content', {
    title: 'Moved',
    body_html: '<p>As published.</p>',
    status: 'published',
  });
  await publish(site);
  await site.request('PATCH', `/content/${item.id}`, { body_html: '<p>Edited since.</p>' });
  for (const domain of [`${randomUUID()}.example`, `${randomUUID()}.example`]) {
    expect((await site.request('PATCH', '', { domain })).status).toBe(200);
    const page = await eventually('the page names the domain', async () => {
      const { status, text } = await visit('/posts/moved/', { edge: 0, headers: { host: domain } });
      return status === 200 && text.includes(`https://${domain}/posts/moved/`) && text;
    });
    expect(page).not.toContain('/sites/');
    expect(page).toContain('As published.');
    for (const path of ['/feed.xml', '/sitemap.xml', '/robots.txt']) {
      const { text } = await visit(path, { edge: 0, headers: { host: domain } });
      expect([path, text.includes('/sites/'), text.includes(`https://${domain}/`)]).toEqual([path, false, true]);
    }
  }
});

test('a release of before the domain names it, too, once it is live again', async () => {
  const site = await makeSite();
  const { data: item } = await site.request('POST', '/content', {
    title: 'Old',
    body_html: '<p>1</p>',
    status: 'published',
  });
  const first = (await publish(site)).result.release;
  const domain = `${randomUUID()}.example`;
  await site.request('PATCH', '', { domain });
  await site.request('PATCH', `/content/${item.id}`, { body_html: '<p>2</p>' });
  await publish(site);
  expect((await site.request('POST', `/releases/${first}/rollback`)).data).toMatchObject({ id: first, live: true });
  await eventually('the old page names the domain', async () => {
    const { text } = await visit('/posts/old/', { edge: 0, headers: { host: domain } });
    return text.includes('<p>1</p>') && text.includes(`https://${domain}/posts/old/`);
  });
});

test('a site that is not live yet queues nothing when it gets a domain', async () => {
  const site = await makeSite();
  await site.request('PATCH', '', { domain: `${randomUUID()}.example` });
  expect((await site.request('GET', '/jobs')).json.pagination.total).toBe(0);
});
