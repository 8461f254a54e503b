import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from '@jest/globals';
import { createThreadPool } from '../../../services/engines/threads/thread-pool.ts';
import { unpackTheme } from '../../../services/features/shell/theme/unpack.ts';
import { unpackInThread } from '../../../services/features/shell/theme/unpack-in-thread.ts';
import { makeTar, makeZip } from '../../harness/archives.ts';
import { measureLoopWork } from '../../harness/loop-work.ts';

const threads = createThreadPool({ maxThreads: 1 });
afterAll(() => threads.stop());

/** Copies an archive to memory of its own, like a request's body. */
const own = (archive: Buffer) => Buffer.from(new Uint8Array(archive).buffer);

async function gather(files: AsyncIterable<{ path: string; data: Buffer }>): Promise<[string, string][]> {
  const all: [string, string][] = [];
  for await (const { path, data } of files) all.push([path, data.toString('latin1')]);
  return all;
}

const files: [string, string][] = [
  ['base.twig', '{{ x }}'],
  ['empty.css', ''],
  ['a/large.css', 'a{b:c}'.repeat(20_000)],
];

test.each(['tar', 'tar.gz', 'zip'])('what was packed as %s comes out, in its order', async (format) => {
  const tar = await makeTar(files.map(([name, data]) => [{ name }, data]));
  const archive =
    format === 'zip' ? makeZip(files.map(([name, data]) => ({ name, data }))) : format === 'tar' ? tar : gzipSync(tar);
  const body = own(archive);
  expect(await gather(unpackInThread(threads, 'k', body))).toEqual(files);
  expect(body).toHaveLength(0);
});

test('what is wrong with an archive is the same, wherever it is unpacked', async () => {
  const names = Array.from({ length: 150 }, (_, n) => `.hidden${n}.css`);
  for (const archive of [Buffer.from('no archive'), await makeTar(names.map((name) => [{ name }, 'x']))]) {
    const refused = await gather(unpackTheme(archive)).catch((error: unknown) => error);
    const { code, message, details } = refused as { code: string; message: string; details: object[] };
    await expect(gather(unpackInThread(threads, 'k', own(archive)))).rejects.toMatchObject({ code, message, details });
  }
});

// rule: threat.27
test('the event loop goes on while an archive of many files is unpacked', async () => {
  const many = await makeTar(Array.from({ length: 1_990 }, (_, n) => [{ name: `${'x'.repeat(240)}${n}.css` }, 'a{}']));
  await gather(unpackInThread(threads, 'k', own(many))); // starts the thread
  const before = process.threadCpuUsage();
  await gather(unpackTheme(many));
  const { user, system } = process.threadCpuUsage(before);
  const hereMs = (user + system) / 1000;
  const busyMs = await measureLoopWork(() => gather(unpackInThread(threads, 'k', own(many))));
  expect(busyMs).toBeLessThan(hereMs / 3);
}, 60_000);
