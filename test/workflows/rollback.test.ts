import { afterAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, publish } from '../harness/api.ts';
import {
  askPublish,
  createItem,
  createPosts,
  reachStage,
  slowTemplate,
  succeed,
  visit,
  writeShell,
} from './helpers.ts';

afterAll(closeStack);

const stylesheet = (html: string) => /href="([^"]*style\.[0-9a-f]+\.css)"/.exec(html)![1]!;

describe('a rollback', () => {
  test('makes an earlier release live again, with its assets, and keeps those of the replaced one', async () => {
    const site = await makeSite();
    await createItem(site, { title: 'Old', slug: 'old' });
    const first = (await publish(site)).result.release;
    const oldStyle = stylesheet((await visit(site, '/')).text);
    await createItem(site, { title: 'New', slug: 'new' });
    await writeShell(site, 'style.css', 'body { color: teal }');
    const second = (await publish(site)).result.release;
    const newStyle = stylesheet((await visit(site, '/')).text);
    expect(newStyle).not.toBe(oldStyle);
    const reply = await site.request('POST', `/releases/${first}/rollback`);
    expect(reply.status).toBe(200);
    await eventually(
      'the earlier release is live',
      async () => (await visit(site, '/posts/new/').catch(() => null))?.status === 404,
    );
    expect(stylesheet((await visit(site, '/')).text)).toBe(oldStyle);
    for (const style of [oldStyle, newStyle]) expect((await visit(site, `/${style}`)).status).toBe(200);
    const { data: releases } = await site.request('GET', '/releases');
    expect(releases.map((release: { id: string; live: boolean }) => [release.id, release.live])).toEqual([
      [second, false],
      [first, true],
    ]);
    await publish(site);
    expect((await visit(site, '/posts/new/')).status).toBe(200);
  });

  test('during a build does not lose the publish that was asked for', async () => {
    const site = await makeSite();
    const first = (await publish(site)).result.release;
    await publish(site);
    await createPosts(site, 8);
    await writeShell(site, 'post.twig', slowTemplate('slow'));
    const job = await askPublish(site);
    await reachStage(site, job, 'render');
    expect((await site.request('POST', `/releases/${first}/rollback`)).status).toBe(200);
    await succeed(site, job);
    expect((await visit(site, '/posts/filler-7/')).status).toBe(200);
  });

  test('to a release of another site is 404', async () => {
    const [mine, other] = await Promise.all([makeSite(), makeSite()]);
    const foreign = (await publish(other)).result.release;
    expect((await mine.request('POST', `/releases/${foreign}/rollback`)).status).toBe(404);
    expect((await mine.request('POST', '/releases/nonsense/rollback')).status).toBe(404);
  });
});
