import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, publish, stack, type TestSite } from '../harness/api.ts';
import { jpeg, picture, upload, waitForFormat } from '../harness/media.ts';

let site: TestSite;
let id: string;
beforeAll(async () => {
  site = await makeSite();
  ({ id } = (await upload(site, await jpeg(400, 300))).data);
  await waitForFormat(site, id, 'avif');
});
afterAll(closeStack);

const page = async (path: string) => (await fetch(`${stack.edges[0]}/sites/${site.slug}${path}`)).text();

test('an image has none at first; once set it is in the record and in the list, and it stays when the alt changes', async () => {
  expect((await site.request('GET', `/media/${id}`)).data).not.toHaveProperty('focal_point');
  const point = { x: 0.25, y: 1 };
  expect((await site.request('PATCH', `/media/${id}`, { focal_point: point })).data.focal_point).toEqual(point);
  expect((await site.request('PATCH', `/media/${id}`, { alt: 'Other' })).data).toMatchObject({
    alt: 'Other',
    focal_point: point,
  });
  expect((await site.request('GET', '/media')).data[0].focal_point).toEqual(point);
  const { data } = await site.request('GET', `/media/${id}`);
  expect((await site.request('PATCH', `/media/${id}`, data)).data).toEqual(data);
});

describe('in the form of an upload', () => {
  const send = async (focal_point: string) => {
    const form = new FormData();
    form.set('file', new File([new Uint8Array(await jpeg(43, 33))], 'a.jpg'));
    form.set('alt', 'A picture');
    form.set('focal_point', focal_point);
    return site.request('POST', '/media', undefined, { raw: form });
  };

  test('it is JSON', async () => {
    const { status, data } = await send('{"x": 0.25, "y": 1}');
    expect([status, data.focal_point]).toEqual([201, { x: 0.25, y: 1 }]);
    expect((await send('null')).data).not.toHaveProperty('focal_point');
  });

  test.each(['', 'center', '0.5', '{"x":0.5}', '{"x":"0.5","y":0.5}', '{"x":1e400,"y":0}', '['.repeat(8000)])(
    '%.20s is 422',
    async (focal_point) => {
      const reply = await send(focal_point);
      expect(reply.status).toBe(422);
      expect(reply.error.details[0].path).toMatch(/^focal_point/);
    },
  );
});

test('null takes it away', async () => {
  const { data } = await upload(site, await jpeg(41, 31));
  await site.request('PATCH', `/media/${data.id}`, { focal_point: { x: 0.5, y: 0.5 } });
  expect((await site.request('PATCH', `/media/${data.id}`, { focal_point: null })).data).not.toHaveProperty(
    'focal_point',
  );
});

test.each([
  { x: 1.1, y: 0 },
  { x: 0, y: -0.1 },
  { x: 0.5 },
  { x: '0.5', y: 0.5 },
  { x: 0, y: 0, z: 0 },
  [0, 0],
  'center',
  0.5,
])('%j is 422', async (focal_point) => {
  const reply = await site.request('PATCH', `/media/${id}`, { focal_point });
  expect(reply.status).toBe(422);
  expect(reply.error.details[0].path).toMatch(/^focal_point/);
});

test('pages show it: a cropped image keeps the point visible, and templates can read it', async () => {
  await site.request('PATCH', `/media/${id}`, { focal_point: { x: 0.125, y: 0.8 } });
  const template = `<body>{{ page.body }}[{{ media('${id}').focal_point.x }} {{ media('${id}').focal_point.y }}]</body>`;
  await site.request('PUT', '/shell/file/page.twig', undefined, { raw: template });
  const body_html = `<p><img src="media:${id}"></p>`;
  await site.request('POST', '/content', {
    type: 'page',
    title: 'Shown',
    slug: 'shown',
    body_html,
    status: 'published',
  });
  await publish(site);
  const html = await page('/shown/');
  expect(html).toMatch(/<img [^>]*style="[^"]*object-position:12\.5% 80%"/);
  expect(html).toContain('[0.125 0.8]');
  await site.request('PATCH', `/media/${id}`, { focal_point: null });
  await publish(site);
  expect(await page('/shown/')).not.toContain('object-position');
});

test('while variants are being made, and only then, the record says how far they are', async () => {
  const { data } = await upload(site, await picture(2000, 1500).png().toBuffer());
  const seen: { stage: string; done: number; total: number }[] = [];
  const complete = await eventually('its variants are made', async () => {
    const { data: record } = await site.request('GET', `/media/${data.id}`);
    if (record.progress) seen.push(record.progress);
    return record.variants.some(({ format }: { format: string }) => format === 'avif') && !record.progress && record;
  });
  const total = complete.variants.length;
  expect(seen.at(-1)).toMatchObject({ stage: 'avif', total });
  expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).sort((a, b) => a - b));
  const file = await upload(site, Buffer.from('text'), { filename: 'a.txt' });
  expect(file.data).not.toHaveProperty('progress');
});
