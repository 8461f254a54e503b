import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { closeStack, makeSite, type TestSite } from '../harness/api.ts';
import {
  deliver,
  findDelivery,
  makeIntegration,
  send,
  startSource,
  type TestImageServer,
  type TestIntegration,
  waitForDelivery,
  waitForRetry,
} from '../harness/webhooks.ts';

let site: TestSite;
let autoseo: TestIntegration;
let source: TestImageServer;
const images = new Map<string, Buffer>();

async function addImage(path: string): Promise<string> {
  const background = { r: (images.size * 7) % 256, g: 90, b: 200 };
  images.set(
    path,
    await sharp({ create: { width: 64, height: 48, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  return source.origin + path;
}

beforeAll(async () => {
  site = await makeSite();
  autoseo = await makeIntegration(site, 'autoseo');
  source = await startSource((req, res) => {
    const image = images.get(req.url!);
    if (image) return res.writeHead(200, { 'Content-Type': 'image/png' }).end(image);
    if (req.url === '/page' || req.url === '/text')
      return res.writeHead(200, { 'Content-Type': 'image/png' }).end('<html><body>no image</body></html>');
    if (req.url === '/inside') return res.writeHead(302, { Location: 'http://127.0.0.1:1/x.png' }).end();
    if (req.url === '/stall') return res.writeHead(200, { 'Content-Type': 'image/png' }).flushHeaders();
    if (req.url === '/short') {
      res.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': '5000' });
      return res.write(Buffer.alloc(10), () => res.destroy());
    }
    return res.writeHead(404).end();
  });
});
afterAll(async () => {
  await source.close();
  await closeStack();
});

const article = (body_html: string, members: object = {}) => ({
  id: randomUUID(),
  title: 'Über <b>images</b>',
  body_html,
  ...members,
});
const read = async (id: string) => (await site.request('GET', `/content/${id}`)).data;
const media = async (id: string) => (await site.request('GET', `/media/${id}`)).data;

// rule: mapping.3, break.31
test('featured image and body images become media items and local references', async () => {
  const [a, b] = [await addImage('/a.png'), await addImage('/b.png')];
  const { result, status } = await deliver(
    autoseo,
    article(`<p>x <img src="${a}" alt="A tree"></p><img src="${b}">`, { featured_image_url: b }),
  );
  expect(status).toBe('succeeded');
  const record = await read(result.item.id);
  const [first, second] = [...record.body_html.matchAll(/media:([0-9a-f-]{36})/g)].map(([, id]) => id);
  expect(record.body_html).not.toContain(source.origin);
  expect(record.featured_media_id).toBe(second);
  expect(await media(first)).toMatchObject({ source_url: a, alt: 'A tree', kind: 'image' });
  expect(await media(second)).toMatchObject({ source_url: b, alt: 'Über <b>images</b>', alt_stand_in: true });
  expect(await media(first)).not.toHaveProperty('alt_stand_in');
  expect(result.images).toEqual(
    expect.arrayContaining([
      { url: a, media_id: first },
      { url: b, media_id: second },
    ]),
  );
  const live = await (await fetch(result.url)).text();
  expect(live).toContain('alt="A tree"');
  expect(live).not.toContain(source.origin);
});

test('a file of the library that is no image is none in an article either', async () => {
  const url = `${source.origin}/text`;
  const imported = await deliver(await makeIntegration(site, 'import_media'), { url, alt: 'x' });
  expect(imported.status).toBe('succeeded');
  const { result } = await deliver(autoseo, article(`<p>a<img src="${url}">b</p>`));
  expect((await read(result.item.id)).body_html).toBe('<p>ab</p>');
});

test('an image is fetched once, whatever mentions it how often', async () => {
  const url = await addImage('/once.png');
  const body = `<img src="${url}"><img src="${url}#again">`;
  const first = await deliver(autoseo, article(body, { featured_image_url: url }));
  await deliver(autoseo, article(body));
  const other = await makeIntegration(site, 'autoseo');
  const third = await deliver(other, article(body));
  expect(source.hits.get('/once.png')).toBe(1);
  expect(third.result.images).toEqual(first.result.images);
});

// rule: mapping.3, break.31
test('every image of an article is fetched, however many there are', async () => {
  const urls: string[] = [];
  for (let n = 0; n < 15; n++) urls.push(await addImage(`/many-${n}.png`));
  const { result } = await deliver(autoseo, article(urls.map((url) => `<p><img src="${url}"></p>`).join('')));
  expect(result.images.map(({ url }: { url: string }) => url)).toEqual(urls);
  const { body_html } = await read(result.item.id);
  const ids = [...body_html.matchAll(/media:([0-9a-f-]{36})/g)].map(([, id]) => id);
  expect(ids).toEqual(result.images.map(({ media_id }: { media_id: string }) => media_id));
});

// rule: mapping.3
test('srcset and the sources of a picture are replaced too', async () => {
  const [small, large, webp] = [await addImage('/s.png'), await addImage('/l.png'), await addImage('/w.png')];
  const body = `<img src="data:image/gif;base64,AA==" srcset="${small} 480w, ${large} 1600w"><picture><source srcset="${webp}"><img src="${small}"></picture>`;
  const { result } = await deliver(autoseo, article(body));
  const record = await read(result.item.id);
  expect(record.body_html).not.toMatch(/srcset|<picture|127\.0\.0\.1/);
  expect((await media(/media:([0-9a-f-]{36})/.exec(record.body_html)![1]!)).source_url).toBe(large);
});

// rule: mapping.3
describe('an image that cannot be fetched is left out and named, and the article is live', () => {
  test.each([
    ['that is not there', () => `${source.origin}/none.png`],
    ['on a private address', () => 'http://10.0.0.1/a.png'],
    ['behind a redirect inside', () => `${source.origin}/inside`],
    ['that is no image', () => `${source.origin}/page`],
    ['that ends too early', () => `${source.origin}/short`],
    ['with a scheme and nothing else', () => 'http://'],
  ])('%s', async (_name, urlOf) => {
    const url = urlOf();
    const { status, result } = await deliver(
      autoseo,
      article(`<p>Before</p><figure><a href="/x"><img src="${url}"></a></figure><p>After</p>`, {
        featured_image_url: url,
      }),
    );
    expect(status).toBe('succeeded');
    const record = await read(result.item.id);
    expect(record.body_html).toBe('<p>Before</p><p>After</p>');
    expect(record.featured_media_id).toBeNull();
    expect(result.omitted_images).toEqual([{ url, reason: expect.any(String) }]);
    expect(await (await fetch(result.url)).text()).toContain('After');
  });
});

// rule: event.5
test('a server that stalls holds up its own article only, and not for ever', async () => {
  const slow = await send(autoseo, article(`<p>Slow</p><img src="${source.origin}/stall">`));
  const quick = await deliver(autoseo, article('<p>Quick</p>'));
  expect(quick.status).toBe('succeeded');
  expect((await findDelivery(autoseo, slow.deliveryId)).status).toBe('processing');
  const ended = await waitForDelivery(autoseo, slow.deliveryId);
  expect(ended).toMatchObject({ status: 'succeeded', result: { omitted_images: [{ url: `${source.origin}/stall` }] } });
}, 90_000);

test('what is no image does not get into the library', async () => {
  await deliver(autoseo, article(`<img src="${source.origin}/page">`));
  const { data } = await site.request('GET', '/media?kind=file&per_page=100');
  expect(data.map((one: { source_url: string }) => one.source_url)).not.toContain(`${source.origin}/page`);
});

test('images of the site itself and data stay the sanitizer’s business', async () => {
  const { result } = await deliver(autoseo, article('<img src="/logo.png" alt="L">'));
  expect(await read(result.item.id)).toMatchObject({ body_html: '<img src="/logo.png" alt="L">' });
  expect(result.images).toEqual([]);
});

describe('import_media', () => {
  let importer: TestIntegration;
  beforeAll(async () => {
    importer = await makeIntegration(site, 'import_media');
  });
  // rule: mapper.4, break.31
  test('an image with alt text, and again with another', async () => {
    const url = await addImage('/import.png');
    const first = await deliver(importer, { url, alt: 'One' });
    expect(first).toMatchObject({ status: 'succeeded', result: { item: { kind: 'media' }, action: 'created' } });
    const again = await deliver(importer, { url, alt: 'Two' });
    expect(again.result.item.id).toBe(first.result.item.id);
    expect(await media(first.result.item.id)).toMatchObject({ alt: 'Two', source_url: url, decorative: false });
    expect(source.hits.get('/import.png')).toBe(1);
  });
  test('a decorative one needs none', async () => {
    const { status } = await deliver(importer, { url: await addImage('/decorative.png'), decorative: true });
    expect(status).toBe('succeeded');
  });
  // rule: mapper.4, mapping.4, break.32
  test.each([
    ['an image with neither', async () => ({ url: await addImage('/neither.png') })],
    ['a refused URL', async () => ({ url: 'http://192.168.0.1/a.png', alt: 'x' })],
    ['a URL that is none', async () => ({ url: 'no url', alt: 'x' })],
    ['a server that answers 404', async () => ({ url: `${source.origin}/none`, alt: 'x' })],
  ])('%s fails and is tried again', async (_name, payloadOf) => {
    const { deliveryId } = await send(importer, await payloadOf());
    const failed = await waitForRetry(importer, deliveryId);
    expect(failed.error).not.toBe('');
  });
  test.each([[{}], [{ url: '' }], [{ url: 5 }], [{ alt: 'x' }]])('%j is skipped', async (payload) => {
    expect(await deliver(importer, payload)).toMatchObject({ status: 'skipped' });
  });
});
