import { afterAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, publish, stack, waitForJob } from '../harness/api.ts';
import { askPublish, createItem, readJob, visit, writeShell } from './helpers.ts';

afterAll(closeStack);

describe('a publish', () => {
  // rule: service.4
  test('makes the stored site live on every edge by the time its job has succeeded', async () => {
    const site = await makeSite({ name: 'Hill & Dale' });
    const post = await createItem(site, { title: 'First light', body_html: '<p>Dawn</p>' });
    expect((await visit(site, '/')).status).toBe(404);
    const job = await publish(site);
    expect(job).toMatchObject({ kind: 'publish', site: site.slug, status: 'succeeded', error: null });
    expect(job.result).toEqual({
      release: expect.any(String),
      pages: 3,
      rendered: 3,
      reused: 0,
      reasons: { new: 3 },
      changed: 3,
      bytes: expect.any(Number),
      url: expect.stringContaining(`/sites/${site.slug}/`),
    });
    expect((await visit(site, '/posts/first-light/')).text).toContain('<p>Dawn</p>');
    expect((await visit(site, '/')).text).toContain('First light');
    expect((await visit(site, '/posts/')).text).toContain('First light');
    expect((await visit(site, '/feed.xml')).text).toContain('<title>First light</title>');
    expect((await visit(site, '/sitemap.xml')).text).toContain(`<loc>${post.url}</loc>`);
    expect((await visit(site, '/robots.txt')).text).toContain('sitemap.xml');
    expect((await visit(site, '/nowhere/')).status).toBe(404);
  });

  // rule: break.10
  test('that has succeeded is seen on every edge, those too that visitors asked all the while', async () => {
    const site = await makeSite();
    let done = false;
    const visitors = stack.edges.map(async (edge) => {
      while (!done) await (await fetch(`${edge}/sites/${site.slug}/`)).text();
    });
    try {
      for (const title of ['One', 'Two', 'Three']) {
        await createItem(site, { title });
        const job = await askPublish(site);
        while (!['succeeded', 'failed'].includes((await readJob(site, job)).status));
        expect((await visit(site, '/')).text).toContain(title);
      }
    } finally {
      done = true;
      await Promise.all(visitors);
    }
  });

  // rule: break.9
  test('shows no draft, scheduled, archived or trashed item', async () => {
    const site = await makeSite();
    await createItem(site, { title: 'Draft', status: 'draft' });
    await createItem(site, { title: 'Archived', status: 'archived' });
    await createItem(site, { title: 'Scheduled', status: 'scheduled', scheduled_at: '2099-01-01T00:00:00Z' });
    const trashed = await createItem(site, { title: 'Trashed' });
    await site.request('DELETE', `/content/${trashed.id}`);
    await publish(site);
    for (const slug of ['draft', 'archived', 'scheduled', 'trashed'])
      expect((await visit(site, `/posts/${slug}/`)).status).toBe(404);
  });

  test('counts only the pages that changed, and takes away what is no longer published', async () => {
    const site = await makeSite();
    for (let n = 0; n < 12; n++) await createItem(site, { title: `Post ${n}`, tags: [`tag${n}`] });
    const page = await createItem(site, { title: 'About', type: 'page' });
    await publish(site);
    await site.request('PATCH', `/content/${page.id}`, { body_html: '<p>changed</p>' });
    expect((await publish(site)).result.changed).toBe(1);
    expect((await publish(site)).result.changed).toBe(0);
    await site.request('PATCH', `/content/${page.id}`, { status: 'draft' });
    await publish(site);
    expect((await visit(site, '/about/')).status).toBe(404);
  });

  test('that fails leaves the live site as it was and names template, line and cause', async () => {
    const site = await makeSite();
    await createItem(site, { title: 'Kept', body_html: '<p>good</p>' });
    await publish(site);
    await writeShell(site, 'post.twig', '<html>\n{{ page.title|nonsense }}\n</html>');
    const job = await waitForJob(site.key, await askPublish(site));
    expect(job).toMatchObject({ status: 'failed', result: null });
    expect(job.error.message).toMatch(/post\.twig, line 2, column \d+: .*nonsense/);
    expect((await visit(site, '/posts/kept/')).text).toContain('<p>good</p>');
    await writeShell(site, 'post.twig', '<html><head></head><body>mended</body></html>');
    await publish(site);
    expect((await visit(site, '/posts/kept/')).text).toContain('mended');
  });

  test('without a required template says which one the shell lacks', async () => {
    const site = await makeSite();
    await site.request('DELETE', '/shell/file/home.twig');
    const job = await waitForJob(site.key, await askPublish(site));
    expect(job.error.message).toBe('The shell has no home.twig, which the page / needs.');
  });
});
