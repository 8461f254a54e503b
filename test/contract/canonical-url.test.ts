import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, publish, type TestSite } from '../harness/api.ts';
import { createItem, visit, writeShell } from '../workflows/helpers.ts';

const elsewhere = 'https://first.example/text?a=1&b=2';
const link = '<link rel="canonical" href="https://first.example/text?a=1&amp;b=2">';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

describe('canonical_url', () => {
  test('is written by create, by reference, in a batch and by PATCH, and null clears it', async () => {
    const item = await createItem(site, { title: 'One', canonical_url: elsewhere });
    expect(item.canonical_url).toBe(elsewhere);
    const ref = randomUUID();
    for (const canonical_url of [elsewhere, 'https://second.example/', null]) {
      const { data } = await site.request('PUT', `/content/by-ref/${ref}`, { title: 'Two', canonical_url });
      expect(data.canonical_url).toBe(canonical_url);
    }
    const items = [
      { title: 'Three', canonical_url: elsewhere },
      { title: 'Four', canonical_url: 'javascript:alert(1)' },
    ];
    const { results } = (await site.request('POST', '/content/batch', { items })).data;
    expect(results[0].data.canonical_url).toBe(elsewhere);
    expect([results[1].status, results[1].error.details[0].path]).toEqual([422, 'canonical_url']);
    const cleared = await site.request('PATCH', `/content/${item.id}`, { canonical_url: null });
    expect(cleared.data.canonical_url).toBeNull();
    expect((await site.request('GET', `/content/${item.id}?fields=canonical_url`)).data).toEqual({
      id: item.id,
      canonical_url: null,
    });
  });

  test('is what the published page names, whatever its template; the feed keeps the item, the sitemap does not list it', async () => {
    const path = `/posts/${(await createItem(site, { title: 'Elsewhere', canonical_url: elsewhere })).slug}/`;
    const own = `/posts/${(await createItem(site, { title: 'From here' })).slug}/`;
    await publish(site);
    const page = await visit(site, path);
    expect(page.text).toContain(link);
    expect(page.text.match(/rel="canonical"/g)).toHaveLength(1);
    const [map, feed] = [(await visit(site, '/sitemap.xml')).text, (await visit(site, '/feed.xml')).text];
    expect([map.includes(path), map.includes(own)]).toEqual([false, true]);
    expect([feed.includes(path), feed.includes(own)]).toEqual([true, true]);
    await writeShell(site, 'post.twig', '<html><head></head><body>{{ page.title }}</body></html>');
    await publish(site);
    expect((await visit(site, path)).text).toContain(`<head>${link}`);
    expect((await visit(site, own)).text).not.toContain('canonical');
  });
});
