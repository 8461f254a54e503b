import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  closeStack,
  eventually,
  makeSite,
  publish,
  request,
  stack,
  stackDatabase,
  type TestSite,
  waitForJob,
} from '../harness/api.ts';
import { jpeg, picture, upload, waitForFormat } from '../harness/media.ts';

let site: TestSite;
beforeEach(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const page = async (path: string) => (await fetch(`${stack.edges[0]}/sites/${site.slug}${path}`)).text();
const showing = (id: string, title = 'Shown') => ({
  type: 'page',
  title,
  slug: 'shown',
  body_html: `<p>before</p><img src="media:${id}"><p>after</p>`,
  status: 'published',
});

/** Returns a photo with GPS metadata. */
const located = () =>
  picture(600, 400)
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' } })
    .jpeg()
    .toBuffer();

/**
 * Resets an item to the moment after its upload, `ageSeconds` ago and without a worker, so that no build waits for it.
 */
async function holdUp(id: string, ageSeconds: number) {
  const [row] = await stackDatabase().query<{ variants: unknown }>('SELECT variants FROM media WHERE id = $1', [id]);
  await stackDatabase().query(
    `UPDATE media SET status = 'processing', work = NULL, variants = '[]'::JSONB, revision = revision + 1,
       created_at = now() - $2::INT8 * INTERVAL '1 second' WHERE id = $1`,
    [id, ageSeconds],
  );
  return {
    release: () =>
      stackDatabase().query(
        `UPDATE media SET status = 'ready', variants = $2::JSONB, revision = revision + 1 WHERE id = $1`,
        [id, JSON.stringify(row!.variants)],
      ),
    fail: () =>
      stackDatabase().query(`UPDATE media SET status = 'failed', revision = revision + 1 WHERE id = $1`, [id]),
  };
}

async function uploadReady(file: Buffer) {
  const { data } = await upload(site, file);
  return waitForFormat(site, data.id, 'avif');
}

const jobs = async () => (await site.request('GET', '/jobs')).data as { uuid: string; kind: string }[];

test('a page published right after the upload comes to show the variants by itself, and never the original', async () => {
  const { data } = await upload(site, await located());
  await site.request('POST', '/content', showing(data.id));
  await publish(site);
  const html = await eventually('the page shows the picture', async () => {
    const text = await page('/shown/');
    expect(text).not.toContain(data.sha256.slice(0, 32));
    return text.includes('600w') && text;
  });
  expect(html).toMatch(/<source type="image\/webp" srcset="[^"]+ 600w"/);
});

describe('while an image takes longer than a publish waits', () => {
  test('the page keeps its place, its original is not published, and it comes by itself with what was published then', async () => {
    const { id, sha256 } = await uploadReady(await located());
    const held = await holdUp(id, 3600);
    const item = await site.request('POST', '/content', showing(id));
    const { result } = await publish(site);
    const blank = await page('/shown/');
    expect(blank).toMatch(/<img src="data:image\/svg\+xml,[^"]+" width="600" height="400" alt="A circle"/);
    expect(blank).not.toContain('_assets/media/');
    const original = `${stack.edges[0]}/sites/${site.slug}/_assets/media/${sha256.slice(0, 32)}.jpg`;
    expect((await fetch(original)).status).toBe(404);

    // the variants must publish neither later edits nor a new shell
    await site.request('PATCH', `/content/${item.data.id}`, { title: 'A draft', body_html: '<p>secret</p>' });
    await site.request('PATCH', `/media/${id}`, { alt: 'Not yet' });
    await site.request('PUT', '/shell/file/page.twig', undefined, { raw: '<body>secret</body>' });
    await held.release();
    const html = await eventually('the picture comes', async () => {
      const text = await page('/shown/');
      return text.includes('600w') ? text : undefined;
    });
    expect(html).toContain('alt="A circle"');
    expect(html).toContain('<p>after</p>');
    expect(html).not.toContain('secret');
    const [live] = (await site.request('GET', '/releases')).data;
    expect(live.id).not.toBe(result.release);
    const refresh = (await jobs()).filter(({ kind }) => kind === 'publish');
    expect(refresh).toHaveLength(2);
    expect(await waitForJob(site.key, refresh[0]!.uuid)).toMatchObject({
      status: 'succeeded',
      result: { release: live.id, changed: 1 },
    });
  });

  test('one that turns out to be broken leaves the page, once', async () => {
    const { id } = await uploadReady(await jpeg(610, 400));
    const held = await holdUp(id, 3600);
    await site.request('POST', '/content', showing(id));
    await publish(site);
    expect(await page('/shown/')).toContain('data:image/svg+xml');
    await held.fail();
    await eventually('the blank goes', async () => !(await page('/shown/')).includes('data:image/svg+xml'));
    const count = (await jobs()).length;
    await publish(site);
    expect((await jobs()).length).toBe(count + 1);
  });
});

test('a build that waits for an image ends when its bound is reached, and says what it waits for', async () => {
  const { id } = await uploadReady(await jpeg(620, 400));
  const held = await holdUp(id, 0);
  await site.request('POST', '/content', showing(id));
  const { data } = await site.request('POST', '/publish');
  await eventually('the job says that it waits', async () => {
    const { data: job } = await request('GET', `/jobs/${data.job}`, { key: site.key });
    return job.progress.stage === 'media' && job.progress.total === 1;
  });
  await held.release();
  await waitForJob(site.key, data.job);
  expect(await page('/shown/')).toContain('620w');
});
