import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { findFfmpeg } from '../../services/features/media/process/ffmpeg.ts';
import { closeStack, eventually, makeSite, publish, stack, type TestSite } from '../harness/api.ts';
import { jpeg, upload, waitUntilProcessed } from '../harness/media.ts';

interface Variant {
  format: string;
  width: number;
  height: number;
  bytes: number;
  url: string;
}

const run = promisify(execFile);
const tools = findFfmpeg(undefined);
let site: TestSite;
let folder: string;

beforeAll(async () => {
  if (!tools) throw new Error('These tests need ffmpeg: install it or the development dependencies.');
  site = await makeSite();
  folder = await mkdtemp(path.join(tmpdir(), 'video-test-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await closeStack();
});

/** Makes a clip of the test picture with a tone. */
async function clip(size: string, name: string, seconds = 2, extra: string[] = []): Promise<Buffer> {
  const file = path.join(folder, name);
  const sources = ['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=10`, '-f', 'lavfi', '-i', 'sine=frequency=440'];
  await run(tools!.ffmpeg, ['-loglevel', 'error', '-y', ...sources, '-t', String(seconds), ...extra, file]);
  return readFile(file);
}

async function probe(variant: Variant) {
  const file = path.join(folder, 'probed.mp4');
  const { writeFile } = await import('node:fs/promises');
  const bytes = Buffer.from(await (await fetch(variant.url)).arrayBuffer());
  await writeFile(file, bytes);
  const { stdout } = await run(tools!.ffprobe, [
    '-loglevel',
    'error',
    '-show_streams',
    '-show_format',
    '-of',
    'json',
    file,
  ]);
  return { bytes, probed: JSON.parse(stdout) };
}

const clipsOf = (data: { variants: Variant[] }) => data.variants.filter(({ format }) => format === 'mp4');

// rule: media.5
test('a video gets its size, duration, a poster and H.264 renditions that begin to play at once', async () => {
  const { status, data } = await upload(site, await clip('1280x720', 'a.mp4'), { filename: 'a.mp4', fields: {} });
  expect(status).toBe(201);
  expect(data).toMatchObject({ kind: 'video', mime_type: 'video/mp4', status: 'processing' });
  const ready = await waitUntilProcessed(site, data.id);
  expect(ready).toMatchObject({ status: 'ready', width: 1280, height: 720 });
  expect(ready.duration).toBeGreaterThan(1.8);
  expect(ready.duration).toBeLessThan(2.3);
  expect(clipsOf(ready).map(({ width, height }) => [width, height])).toEqual([
    [854, 480],
    [1280, 720],
  ]);
  for (const variant of clipsOf(ready)) {
    const { bytes, probed } = await probe(variant);
    expect(bytes.length).toBe(variant.bytes);
    const codecs = probed.streams.map(({ codec_name }: { codec_name: string }) => codec_name);
    expect(codecs).toEqual(['h264', 'aac']);
    expect([probed.streams[0].width, probed.streams[0].height]).toEqual([variant.width, variant.height]);
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  }
  const poster = ready.variants.find(({ format }: Variant) => format === 'jpeg');
  const meta = await sharp(Buffer.from(await (await fetch(poster.url)).arrayBuffer())).metadata();
  expect([meta.width, meta.height]).toEqual([1280, 720]);
});

test('a small video is not enlarged, and one without sound stays without', async () => {
  const small = await clip('200x150', 'small.webm', 1, ['-an', '-c:v', 'libvpx']);
  const { data } = await upload(site, small, { filename: 'small.webm', fields: {} });
  expect(data.mime_type).toBe('video/webm');
  const ready = await waitUntilProcessed(site, data.id);
  expect(clipsOf(ready).map(({ width, height }) => [width, height])).toEqual([[200, 150]]);
  const { probed } = await probe(clipsOf(ready)[0]!);
  expect(probed.streams).toHaveLength(1);
});

test('what only begins like a video ends as failed with a reason, and harms no other', async () => {
  const broken = Buffer.concat([
    Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex'),
    Buffer.alloc(5000, 3),
  ]);
  const { data } = await upload(site, broken, { filename: 'x.mp4', fields: {} });
  const failed = await waitUntilProcessed(site, data.id);
  expect(failed.status).toBe('failed');
  expect(failed.error.message).toMatch(/\w/);
  const photo = await upload(site, await jpeg());
  expect((await waitUntilProcessed(site, photo.data.id)).status).toBe('ready');
});

test('an image is not kept waiting by a video', async () => {
  const long = await upload(site, await clip('1920x1080', 'long.mp4', 20), { filename: 'long.mp4', fields: {} });
  const photo = await upload(site, await jpeg());
  expect((await waitUntilProcessed(site, photo.data.id)).status).toBe('ready');
  const { data } = await site.request('GET', `/media/${long.data.id}`);
  expect(data.status).toBe('processing');
  await site.request('DELETE', `/media/${long.data.id}`);
  await site.request('DELETE', `/media/${long.data.id}/purge`);
  await eventually('the conversion of a purged video has ended', async () => {
    const { stdout } = await run('ps', ['-eo', 'args']);
    return !stdout.includes('1920:1080');
  });
});

describe('in a page', () => {
  test('a video is a player with its poster and renditions', async () => {
    const { data } = await upload(site, await clip('640x480', 'page.mp4', 1), {
      filename: 'page.mp4',
      fields: { alt: 'A test picture' },
    });
    await waitUntilProcessed(site, data.id);
    const body = {
      title: 'Clip',
      slug: 'clip',
      type: 'page',
      status: 'published',
      body_html: `<img src="media:${data.id}" alt="A clip">`,
    };
    expect((await site.request('POST', '/content', body)).status).toBe(201);
    await publish(site);
    const page = `${stack.edges[0]}/sites/${site.slug}/clip/`;
    const html = await (await fetch(page)).text();
    const video = /<video[^>]*>.*?<\/video>/s.exec(html)?.[0] ?? '';
    expect(video).toContain('poster=');
    const source = /<source src="([^"]+)"/.exec(video)?.[1];
    const response = await fetch(new URL(source!, page));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('video/mp4');
  });
});
