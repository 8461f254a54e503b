import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, publish, stack, type TestSite, waitForJob } from '../harness/api.ts';
import { jpeg, upload } from '../harness/media.ts';

let site: TestSite;
const gone = randomUUID();
const make = (slug: string, body_html: string) =>
  site.request('POST', '/content', { type: 'page', title: slug, slug, body_html, status: 'published' });
const read = async (url: string) => (await fetch(url)).text();
const live = (path: string) => read(`${stack.edges[0]}/sites/${site.slug}${path}`);

beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

test('a publish goes live without what is missing, and its job names the page, the place and the reference', async () => {
  await site.request('PUT', '/components/outer', { type: 'html', source_code: "{{ component('inner-gone') }}" });
  await make('lost', `<p>before<img src="media:${gone}" alt="">after</p><x-component handle="gone"></x-component>`);
  await make('nested', '<x-component handle="outer"></x-component>');
  await make('whole', '<p>nothing missing</p>');
  const job = await publish(site);
  expect(job.status).toBe('succeeded');
  const named = (page: string, slot: string, kind: string, reference: string) => ({
    ...{ page, slot, kind, reference },
    message: expect.stringMatching(`${page}.*${reference}`),
  });
  expect(job.result.warnings).toHaveLength(3);
  expect(job.result.warnings).toEqual(
    expect.arrayContaining([
      named('/lost/', 'body', 'media', gone),
      named('/lost/', 'body', 'component', 'gone'),
      named('/nested/', 'component outer', 'component', 'inner-gone'),
    ]),
  );
  expect(await live('/lost/')).toContain('<p>beforeafter</p>');
});

test('pages that are taken over from the last release are still named; what comes into being is not', async () => {
  await make('other', '<p>x</p>');
  const again = await publish(site);
  expect(again.result.warnings).toHaveLength(3);
  await site.request('PUT', '/components/gone', { type: 'html', source_code: '<b>here</b>' });
  const found = await publish(site);
  expect(found.result.warnings.map(({ reference }: { reference: string }) => reference).sort()).toEqual(
    [gone, 'inner-gone'].sort(),
  );
  expect(await live('/lost/')).toContain('<b>here</b>');
});

test('a preview shows a note in the place of what is missing, and the live page does not', async () => {
  const { data } = await site.request('PUT', '/shell/file/extra.css', undefined, { raw: `a${randomUUID()}{}` });
  const job = await waitForJob(site.key, data.job);
  expect(job.result.warnings).toContainEqual(expect.objectContaining({ page: '/lost/', reference: gone }));
  const preview = await eventually('the preview', async () => {
    const text = await read(new URL('lost/', job.result.url).href);
    return text.includes('data-missing') && text;
  });
  expect(preview).toMatch(
    new RegExp(`role="alert" data-missing="media"[^>]*>There is no media item "?(&quot;)?${gone}`),
  );
  await publish(site);
  expect(await live('/lost/')).not.toContain('data-missing');
});

test('a trashed image is missing, a restored one is not, and nothing missing means no warnings', async () => {
  const fresh = await makeSite();
  const image = (await upload(fresh, await jpeg())).data;
  await fresh.request('POST', '/content', {
    ...{ type: 'page', title: 'x', slug: 'x', status: 'published' },
    body_html: `<img src="media:${image.id}">`,
  });
  expect((await publish(fresh)).result).not.toHaveProperty('warnings');
  await fresh.request('DELETE', `/media/${image.id}`);
  expect((await publish(fresh)).result.warnings).toEqual([
    expect.objectContaining({ page: '/x/', slot: 'body', kind: 'media', reference: image.id }),
  ]);
  await fresh.request('POST', `/media/${image.id}/restore`);
  expect((await publish(fresh)).result).not.toHaveProperty('warnings');
});
