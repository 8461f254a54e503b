import { afterAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, publish, stackDatabase } from '../harness/api.ts';
import { burstWithinQuiet } from '../harness/burst.ts';
import {
  askPublish,
  createItem,
  createPosts,
  reachStage,
  readJob,
  slowTemplate,
  succeed,
  visit,
  writeShell,
} from './helpers.ts';

afterAll(closeStack);

const template = (text: string) => `<html><head></head><body>${text}</body></html>`;

describe('shell edits', () => {
  // rule: service.5, state.10, threat.42
  test('in a burst share one job, whose preview has them all, and the live site stays', async () => {
    const names = ['home.twig', '404.twig', 'page.twig', 'archive.twig', 'post.twig'];
    const { site, before, jobs } = await burstWithinQuiet(async () => {
      const site = await makeSite();
      await createItem(site, { title: 'Post' });
      await publish(site);
      const before = await visit(site, '/');
      const write = async (name: string) => (await writeShell(site, name, template(`edited ${name}`))).job;
      return { send: async () => ({ site, before, jobs: await Promise.all(names.map(write)) }) };
    });
    expect(new Set(jobs).size).toBe(1);
    const job = await succeed(site, jobs[0]);
    expect(job.kind).toBe('rebuild');
    expect(job.result.url).toContain('/previews/');
    expect(await (await fetch(job.result.url)).text()).toContain('edited home.twig');
    expect((await visit(site, '/')).text).toBe(before.text);
  });

  test('with bytes that are there already queue nothing', async () => {
    const site = await makeSite();
    await succeed(site, (await writeShell(site, 'home.twig', template('same'))).job);
    expect((await writeShell(site, 'home.twig', template('same'))).job).toBeNull();
  });

  test('during a running rebuild get the next job, which contains them', async () => {
    const site = await makeSite();
    await createPosts(site, 8);
    const { job: first } = await writeShell(site, 'post.twig', slowTemplate('slow'));
    await reachStage(site, first, 'render');
    const { job: second } = await writeShell(site, '404.twig', template('later edit'));
    expect(second).not.toBe(first);
    await succeed(site, first);
    const preview = (await succeed(site, second)).result.url;
    expect(await (await fetch(`${preview}nowhere/`)).text()).toContain('later edit');
  });

  test('make room for a publish and are previewed after it', async () => {
    const site = await makeSite();
    await createItem(site, { title: 'Urgent' });
    await createPosts(site, 12);
    const { job: rebuild } = await writeShell(site, 'post.twig', slowTemplate('slow'));
    await reachStage(site, rebuild, 'render');
    const publishJob = await askPublish(site);
    const [published, rebuilt] = await Promise.all([succeed(site, publishJob), succeed(site, rebuild)]);
    expect(published.started_at <= rebuilt.finished_at).toBe(true);
    expect((await visit(site, '/posts/urgent/')).status).toBe(200);
  });

  test('that break the site fail the rebuild, and the next edit mends it', async () => {
    const site = await makeSite();
    const { job } = await writeShell(site, 'home.twig', '{% if %}');
    const failed = await eventually('the rebuild ends', async () => {
      const found = await readJob(site, job);
      return found.finished_at && found;
    });
    expect(failed).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('home.twig, line 1') },
    });
    await succeed(site, (await writeShell(site, 'home.twig', template('whole'))).job);
  });
});

describe('a site with shell_autopublish', () => {
  // rule: threat.42
  test('goes live with the new shell over the content as last published', async () => {
    const site = await makeSite({ settings: { shell_autopublish: true } });
    const post = await createItem(site, { title: 'Kept', body_html: '<p>published text</p>' });
    const gone = await createItem(site, { title: 'Trashed later', body_html: '<p>still here</p>' });
    await publish(site);
    await site.request('PATCH', `/content/${post.id}`, {
      title: 'Draft title',
      body_html: '<p>draft text</p>',
      slug: 'moved',
    });
    await site.request('DELETE', `/content/${gone.id}`);
    await createItem(site, { title: 'Not yet' });
    await succeed(site, (await writeShell(site, 'post.twig', template('NEW {{ page.title }} {{ page.body }}'))).job);
    expect((await visit(site, '/posts/kept/')).text).toContain('NEW Kept <p>published text</p>');
    expect((await visit(site, '/posts/trashed-later/')).text).toContain('<p>still here</p>');
    expect((await visit(site, '/posts/moved/')).status).toBe(404);
    expect((await visit(site, '/posts/not-yet/')).status).toBe(404);
    await publish(site);
    expect((await visit(site, '/posts/moved/')).text).toContain('draft text');
    expect((await visit(site, '/posts/trashed-later/')).status).toBe(404);
  });

  // rule: threat.42
  test('keeps the page of an item that was purged, in lists too; only a publish removes it', async () => {
    const site = await makeSite({ settings: { shell_autopublish: true } });
    await createItem(site, { title: 'Kept', body_html: '<p>kept text</p>' });
    // one body in its row, one stored by its hash
    const bodies = { small: '<p>still here</p>', large: `<p>${'still here '.repeat(40_000)}</p>` };
    for (const [name, body_html] of Object.entries(bodies))
      await createItem(site, { title: `Purged ${name}`, body_html });
    await writeShell(site, 'home.twig', template('OLD {% for post in posts() %}[{{ post.title }}]{% endfor %}'));
    await publish(site);
    const { data } = await site.request('GET', '/content');
    const purged = data.filter(({ title }: { title: string }) => title.startsWith('Purged'));
    for (const { id } of purged) {
      expect((await site.request('DELETE', `/content/${id}`)).status).toBe(200);
      expect((await site.request('DELETE', `/content/${id}/purge`)).status).toBe(200);
    }
    const expectAll = async (shell: string) => {
      expect((await visit(site, '/')).text).toMatch(
        new RegExp(`${shell}.*\\[Purged large\\]\\[Purged small\\]\\[Kept\\]`),
      );
      for (const name of ['small', 'large']) {
        const { status, text } = await visit(site, `/posts/purged-${name}/`);
        expect([status, text.includes('still here')]).toEqual([200, true]);
      }
    };
    await expectAll('OLD');
    for (const shell of ['NEW', 'NEWER']) {
      const lists = template(`${shell} {% for post in posts() %}[{{ post.title }}]{% endfor %}`);
      const { job } = await writeShell(site, 'home.twig', lists);
      await writeShell(site, 'post.twig', template(`${shell} {{ page.body }}`));
      await succeed(site, job);
      await expectAll(shell);
      expect((await visit(site, '/posts/purged-large/')).text).toContain(`${shell} <p>still here`);
    }
    expect((await site.request('GET', `/content/${purged[0].id}`)).status).toBe(404);

    await publish(site);
    expect((await visit(site, '/')).text).toContain('NEWER [Kept]');
    for (const name of ['small', 'large']) expect((await visit(site, `/posts/purged-${name}/`)).status).toBe(404);
    const kept = 'SELECT content_id FROM purged_revisions WHERE site_id = $1';
    expect(await stackDatabase().query(kept, [site.id])).toEqual([]);
  });
});

test('a site without shell_autopublish keeps the page of a purged item until it is published', async () => {
  const site = await makeSite();
  const { id } = await createItem(site, { title: 'Purged', body_html: '<p>still here</p>' });
  await publish(site);
  await site.request('DELETE', `/content/${id}`);
  await site.request('DELETE', `/content/${id}/purge`);
  const { result } = await succeed(site, (await writeShell(site, 'post.twig', template('NEW {{ page.body }}'))).job);
  expect((await fetch(`${result.url}posts/purged/`)).status).toBe(404); // the preview shows what is stored
  expect((await visit(site, '/posts/purged/')).text).toContain('<p>still here</p>');
  await publish(site);
  expect((await visit(site, '/posts/purged/')).status).toBe(404);
});
