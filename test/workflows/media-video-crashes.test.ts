import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findFfmpeg } from '../../services/features/media/process/ffmpeg.ts';
import { closeStack, eventually, makeSite, type TestSite } from '../harness/api.ts';
import { upload, waitUntilProcessed } from '../harness/media.ts';
import '../harness/retry.ts';
import { workerPids } from './helpers.ts';

const run = promisify(execFile);
const waitMs = 280_000;
let site: TestSite;
let film: Buffer;

/** Makes a clip that keeps the encoder busy for a while. */
async function makeFilm(): Promise<Buffer> {
  const tools = findFfmpeg(undefined);
  if (!tools) throw new Error('These tests need ffmpeg: install it or the development dependencies.');
  const folder = await mkdtemp(path.join(tmpdir(), 'film-test-'));
  const file = path.join(folder, 'film.mp4');
  const picture = 'testsrc2=size=1280x720:rate=25';
  const quick = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '30'];
  await run(tools.ffmpeg, ['-loglevel', 'error', '-f', 'lavfi', '-i', picture, '-t', '10', ...quick, file]);
  const data = await readFile(file);
  await rm(folder, { recursive: true });
  return data;
}

beforeAll(async () => {
  site = await makeSite();
  film = await makeFilm();
}, 120_000);
afterAll(closeStack);

const workFolders = (pids: number[]) =>
  readdirSync(tmpdir()).filter((name) => pids.some((pid) => name.startsWith(`fieldstone-media-${pid}-`)));

/** Returns the encoder processes of these workers. */
function encoders(pids: number[]): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return []; // it has ended meanwhile
      }
    })
    .filter(
      (command) => command.includes('libx264') && pids.some((pid) => command.includes(`fieldstone-media-${pid}-`)),
    );
}

async function uploadFilm(): Promise<string> {
  // different bytes each time
  const { status, data } = await upload(site, Buffer.concat([film, Buffer.from(String(performance.now()))]), {
    filename: 'film.mp4',
    fields: {},
  });
  expect(status).toBe(201);
  return data.id;
}

/** Waits until the poster is stored and a rendition is being made. */
async function reachTheMiddle(id: string, pids: number[]) {
  return eventually(
    'the encoder works',
    async () => {
      const { data } = await site.request('GET', `/media/${id}`);
      return data.progress?.stage === 'video' && encoders(pids).length > 0 && data;
    },
    waitMs,
  );
}

test(
  'a video whose workers are killed while it is converted goes on where it was, once, and leaves no files behind',
  async () => {
    const id = await uploadFilm();
    const pids = workerPids();
    const middle = await reachTheMiddle(id, pids);
    expect(middle).toMatchObject({ status: 'processing', progress: { total: 3 } });
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    const ready = await eventually(
      'the video is ready',
      async () => {
        const { data } = await site.request('GET', `/media/${id}`);
        return data.status !== 'processing' && data;
      },
      waitMs,
    );
    expect(ready.status).toBe('ready');
    const names = ready.variants.map(({ format, height }: { format: string; height: number }) => `${format} ${height}`);
    expect(names).toEqual(['jpeg 720', 'mp4 480', 'mp4 720']);
    // what was made before the kill was not made again
    expect(ready.variants.slice(0, middle.variants.length)).toEqual(middle.variants);
    await eventually('the killed workers have left nothing', async () => workFolders(pids).length === 0);
    await eventually('no encoder is left', async () => encoders(pids).length === 0);
    await eventually('the new workers have tidied up', async () => workFolders(workerPids()).length === 0);
  },
  2 * waitMs,
);

test(
  'purging a video ends its conversion',
  async () => {
    const id = await uploadFilm();
    const pids = workerPids();
    await reachTheMiddle(id, pids);
    await site.request('DELETE', `/media/${id}`);
    expect((await site.request('DELETE', `/media/${id}/purge`)).status).toBe(200);
    await eventually('the encoder has ended', async () => encoders(pids).length === 0, waitMs);
    await eventually('its files are gone', async () => workFolders(pids).length === 0, waitMs);
    expect((await site.request('GET', `/media/${id}`)).status).toBe(404);
    const other = await upload(site, Buffer.from('ffd8ffe000104a464946', 'hex'));
    expect((await waitUntilProcessed(site, other.data.id)).status).toBe('failed');
  },
  2 * waitMs,
);
