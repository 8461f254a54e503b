import { afterAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, stackDatabase } from '../harness/api.ts';
import { makeEdgeSite, visit } from '../harness/edge.ts';
import { startRole } from '../harness/role.ts';

afterAll(closeStack);

const withStyle = (name: string, css: string) => ({
  files: { '/': { body: name }, [`/_assets/${name}.css`]: { body: css, type: 'text/css; charset=utf-8' } },
});

async function makeSiteOfThreeReleases() {
  const site = await makeEdgeSite(withStyle('one', 'p{color:red}'));
  await site.release(withStyle('two', 'p{color:green}'));
  await site.release(withStyle('three', 'p{color:blue}'));
  return site;
}

describe('hashed assets', () => {
  test('may be cached for ever', async () => {
    const site = await makeEdgeSite(withStyle('one', 'p{}'));
    const reply = await visit(`${site.base}/_assets/one.css`);
    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
  });

  test('stay fetchable after two releases have replaced theirs, from every edge and by domain', async () => {
    const site = await makeSiteOfThreeReleases();
    for (const edge of [0, 1]) {
      const reply = await visit(`${site.base}/_assets/one.css`, { edge });
      expect([reply.status, reply.text]).toEqual([200, 'p{color:red}']);
      expect(reply.headers['cache-control']).toContain('immutable');
      expect((await visit('/_assets/two.css', { edge, headers: { host: site.domain } })).text).toBe('p{color:green}');
    }
  });

  test('stay fetchable from an edge that has only just started', async () => {
    const site = await makeSiteOfThreeReleases();
    await using edge = await startRole('edge');
    const reply = await visit(`${site.base}/_assets/one.css`, { origin: edge.url });
    expect([reply.status, reply.text]).toEqual([200, 'p{color:red}']);
  });

  test('are gone 24 hours after they were replaced', async () => {
    const site = await makeSiteOfThreeReleases();
    await stackDatabase().query(
      `UPDATE site_assets SET retired_at = now() - INTERVAL '24 hours 1 minute' WHERE site_id = $1 AND path = '/_assets/one.css'`,
      [site.id],
    );
    expect((await visit(`${site.base}/_assets/one.css`)).status).toBe(404);
    expect((await visit(`${site.base}/_assets/two.css`)).status).toBe(200);
  });

  test('of another site are not served', async () => {
    const site = await makeSiteOfThreeReleases();
    const other = await makeEdgeSite(withStyle('other', 'a{}'));
    expect((await visit(`${other.base}/_assets/one.css`)).status).toBe(404);
    expect((await visit(`${site.base}/_assets/other.css`)).status).toBe(404);
  });

  test('a page of a replaced release is not kept', async () => {
    const site = await makeEdgeSite({ files: { '/': { body: 'home' }, '/gone/': { body: 'gone' } } });
    expect((await visit(`${site.base}/gone/`)).status).toBe(200);
    await site.release({ files: { '/': { body: 'home' } } });
    await eventually('the page is gone', async () => (await visit(`${site.base}/gone/`, { edge: 0 })).status === 404);
  });
});
