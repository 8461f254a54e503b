import { expect, test } from '@jest/globals';
import type { LinkReaderDeps } from '../../../services/build/link-reader.ts';
import { ContentFault } from '../../../services/build/model.ts';
import readLinks, { type LinkText } from '../../../services/build/read-links-thread.ts';
import { createThreadPool, ThreadFailure } from '../../../services/engines/threads/thread-pool.ts';
import { planShell } from './plan-shell.ts';

const kibibyte = 1024;
const rule = 'a{b:url(c.png)}\n';
const sheet = (bytes: number) => rule.repeat(bytes / rule.length);

/** Does in place what a thread would do, and remembers for whom. */
function recordThreads() {
  const runs: { key: string; path: string }[] = [];
  const threads: LinkReaderDeps['threads'] = {
    async run<T>(_work: unknown, key: string, input: unknown) {
      runs.push({ key, path: (input as LinkText).path });
      return (await readLinks(input as LinkText)) as T;
    },
  };
  return { threads, runs };
}

// rule: threat.23
test('large texts of a shell are read and renamed in threads, in turns by site, and small ones in place', async () => {
  const { threads, runs } = recordThreads();
  const files = { 'large.css': sheet(256 * kibibyte), 'small.css': rule, 'c.png': '1' };
  const { assets, textOf } = await planShell(files, threads);
  expect(runs).toEqual([
    { key: 'site', path: 'large.css' },
    { key: 'site', path: 'large.css' },
  ]);
  const name = assets.get('c.png')!.path.slice('/_assets/'.length);
  expect(textOf('large.css')).toBe(files['large.css'].replaceAll('url(c.png)', `url("${name}")`));
});

test('threads give what is made in place', async () => {
  const threads = createThreadPool({ maxThreads: 1 });
  try {
    const files = {
      'a.css': `@import "b.css";${sheet(64 * kibibyte)}`,
      'b.css': `@import "a.css";${rule}`,
      'c.png': '1',
      'main.js': `import "./other.js";${'f();'.repeat(8 * kibibyte)}`,
      'other.js': '1',
    };
    const [there, here] = [await planShell(files, threads), await planShell(files, recordThreads().threads)];
    expect(there.assets).toEqual(here.assets);
    for (const path of Object.keys(files)) expect(there.textOf(path)).toBe(here.textOf(path));
  } finally {
    await threads.stop();
  }
});

// rule: threat.23
test('what is renamed is stored a few megabytes at a time, however much it is', async () => {
  const one = 1024 * kibibyte;
  const sheets = Array.from({ length: 12 }, (_, n) => [`${n}.css`, `/* ${n} */${sheet(one)}`]);
  const { stores } = await planShell({ ...Object.fromEntries(sheets), 'c.png': '1' }, recordThreads().threads);
  expect(stores.length).toBeGreaterThan(1);
  for (const bytes of stores) expect(bytes).toBeLessThan(12 * one);
});

test('a build that is to stop reads no further file', async () => {
  let left = 2;
  const stop = () => {
    if (left-- === 0) throw new Error('stopped');
  };
  const { threads, runs } = recordThreads();
  const files = { '1.css': sheet(32 * kibibyte), '2.css': `${sheet(32 * kibibyte)} `, 'c.png': '1' };
  await expect(planShell(files, threads, stop as never)).rejects.toThrow('stopped');
  expect(runs.map(({ path }) => path)).toEqual(['1.css', '2.css']);
});

test.each([
  ['memory', ContentFault],
  ['time', expect.objectContaining({ code: 'unavailable' })],
] as const)('a text that takes too much %s fails its own build or has it tried again', async (reason, expected) => {
  const threads = { run: () => Promise.reject(new ThreadFailure(reason, null)) };
  const failure = planShell({ [`${reason}.css`]: `${reason}${sheet(32 * kibibyte)}` }, threads).catch((error) => error);
  if (typeof expected === 'function') {
    expect(await failure).toBeInstanceOf(expected);
    expect((await failure).message).toContain('memory.css');
  } else expect(await failure).toEqual(expected);
});
