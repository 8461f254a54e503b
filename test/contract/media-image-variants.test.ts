import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { closeStack, makeSite, type TestSite } from '../harness/api.ts';
import { jpeg, picture, upload, waitForFormat, waitUntilProcessed } from '../harness/media.ts';

interface Variant {
  format: string;
  width: number;
  height: number;
  bytes: number;
  url: string;
}

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const widthsOf = (variants: Variant[], format: string) =>
  variants.filter((variant) => variant.format === format).map(({ width }) => width);

async function download({ url }: { url: string }): Promise<Buffer> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

// rule: media.5
test('a photo gets WebP and its own format first, then AVIF, at every width up to its own', async () => {
  const { data } = await upload(site, await jpeg(1500, 1000));
  expect(data.status).toBe('processing');
  const usable = await waitUntilProcessed(site, data.id);
  expect(usable.status).toBe('ready');
  expect(widthsOf(usable.variants, 'webp')).toEqual([320, 640, 960, 1280, 1500]);
  expect(widthsOf(usable.variants, 'jpeg')).toEqual([320, 640, 960, 1280, 1500]);
  const complete = await waitForFormat(site, data.id, 'avif');
  expect(widthsOf(complete.variants, 'avif')).toEqual([320, 640, 960, 1280, 1500]);
  expect(widthsOf(complete.variants, 'webp')).toEqual([320, 640, 960, 1280, 1500]);
  expect(complete).toMatchObject({ width: 1500, height: 1000, status: 'ready' });
});

test('every variant is what its record says, can be fetched, and is cached for ever', async () => {
  const { data } = await upload(site, await picture(400, 300).png().toBuffer());
  const { variants } = await waitForFormat(site, data.id, 'avif');
  expect(new Set(variants.map(({ format }: Variant) => format))).toEqual(new Set(['webp', 'png', 'avif']));
  for (const variant of variants as Variant[]) {
    const response = await fetch(variant.url);
    expect(response.headers.get('content-type')).toBe(`image/${variant.format}`);
    expect(response.headers.get('cache-control')).toContain('immutable');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).toBe(variant.bytes);
    const meta = await sharp(bytes).metadata();
    expect(meta.format === 'heif' ? 'avif' : meta.format).toBe(variant.format);
    expect([meta.width, meta.height]).toEqual([variant.width, variant.height]);
  }
});

test('nothing is enlarged: a small picture has its own size alone', async () => {
  const { data } = await upload(site, await jpeg(120, 90));
  const { variants } = await waitForFormat(site, data.id, 'avif');
  expect(new Set(variants.map(({ width }: Variant) => width))).toEqual(new Set([120]));
});

test('a picture wider than the widest has that width at most', async () => {
  const { data } = await upload(site, await jpeg(3000, 100));
  const { variants, width } = await waitUntilProcessed(site, data.id);
  expect(width).toBe(3000);
  expect(Math.max(...variants.map((variant: Variant) => variant.width))).toBe(2560);
});

test('a picture longer than WebP can be has the format that has room for it', async () => {
  const strip = sharp({ create: { width: 4, height: 17_000, channels: 3, background: 'red' } });
  const { data } = await upload(site, await strip.png().toBuffer());
  const { variants } = await waitUntilProcessed(site, data.id);
  const sizes = variants.map(({ format, width, height }: Variant) => `${format} ${width} ${height}`);
  expect(sizes).toEqual(['png 4 17000']);
});

test.each([
  ['CMYK', 'jpeg', () => picture(90, 60).toColourspace('cmyk').jpeg().toBuffer()],
  ['16 bits', 'png', () => picture(91, 60).toColourspace('rgb16').png().toBuffer()],
  ['greys', 'png', () => picture(92, 60).greyscale().png().toBuffer()],
  ['a palette', 'png', () => picture(93, 60).png({ palette: true }).toBuffer()],
] as const)('a picture in %s becomes sRGB of 8 bits', async (_what, format, make) => {
  const { data } = await upload(site, await make());
  const { variants } = await waitUntilProcessed(site, data.id);
  const common = variants.find((variant: Variant) => variant.format === format);
  expect(await sharp(await download(common)).metadata()).toMatchObject({ space: 'srgb', depth: 'uchar' });
});

test('orientation is applied, and place and camera are removed', async () => {
  const turned = await picture(300, 200)
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect((await sharp(turned).metadata()).orientation).toBe(6);
  const { data } = await upload(site, turned);
  expect([data.width, data.height]).toEqual([200, 300]);
  const { variants, width, height } = await waitForFormat(site, data.id, 'avif');
  expect([width, height]).toEqual([200, 300]);
  for (const variant of variants as Variant[]) {
    const meta = await sharp(await download(variant)).metadata();
    expect([meta.width, meta.height]).toEqual([200, 300]);
    expect(meta.exif).toBeUndefined();
    expect(meta.xmp).toBeUndefined();
    expect(meta.orientation ?? 1).toBe(1);
  }
});

test('colours of another profile are brought to sRGB', async () => {
  const red = sharp({ create: { width: 50, height: 50, channels: 3, background: { r: 200, g: 30, b: 30 } } });
  const wide = await red.withIccProfile('p3').png().toBuffer();
  const { data } = await upload(site, wide);
  const { variants } = await waitUntilProcessed(site, data.id);
  const png = variants.find(({ format }: Variant) => format === 'png');
  const bytes = await download(png);
  const meta = await sharp(bytes).metadata();
  expect(meta.space).toBe('srgb');
  expect(meta.icc).toBeUndefined();
  const { data: pixels } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  expect(Math.abs(pixels[0]! - 200)).toBeLessThan(4);
});

describe.each(['gif', 'webp'] as const)('an animated %s', (format) => {
  test('stays animated in every variant', async () => {
    const frame = (shade: number) => Buffer.alloc(400 * 300 * 3, shade);
    const frames = Buffer.concat([frame(20), frame(120), frame(220)]);
    const source = sharp(frames, { raw: { width: 400, height: 900, channels: 3, pageHeight: 300 } });
    const animation = await (format === 'gif'
      ? source.gif({ delay: [80, 80, 80] })
      : source.webp({ delay: [80, 80, 80] })
    ).toBuffer();
    expect((await sharp(animation).metadata()).pages).toBe(3);
    const { data } = await upload(site, animation);
    const ready = await waitUntilProcessed(site, data.id);
    expect(ready).toMatchObject({ status: 'ready', width: 400, height: 300 });
    expect(widthsOf(ready.variants, format)).toEqual([320, 400]);
    for (const variant of ready.variants as Variant[]) {
      const meta = await sharp(await download(variant), { animated: true }).metadata();
      expect(meta.pages).toBe(3);
      expect([meta.width, meta.pageHeight]).toEqual([variant.width, variant.height]);
    }
  });
});

describe('a broken picture', () => {
  test.each([
    ['cut off after its header', async () => (await jpeg(800, 600)).subarray(0, 700)],
    [
      'whose header is garbage',
      async () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(300, 7)]),
    ],
    ['that is only a signature', async () => Buffer.from('ffd8ffe000104a464946', 'hex')],
  ])('%s ends as failed with a reason, and harms no other', async (_what, make) => {
    const broken = await upload(site, await make());
    const sound = await upload(site, await jpeg(40, 40));
    expect(broken.status).toBe(201);
    const failed = await waitUntilProcessed(site, broken.data.id);
    expect(failed.status).toBe('failed');
    expect(failed.error.message).toMatch(/\w/);
    expect(failed.variants).toEqual([]);
    expect((await waitUntilProcessed(site, sound.data.id)).status).toBe('ready');
  });
});

test('pictures uploaded together all become ready', async () => {
  const files = await Promise.all(Array.from({ length: 12 }, (_, index) => jpeg(100 + index, 80)));
  const uploads = await Promise.all(files.map((file) => upload(site, file)));
  for (const { data } of uploads) expect((await waitUntilProcessed(site, data.id)).status).toBe('ready');
});
