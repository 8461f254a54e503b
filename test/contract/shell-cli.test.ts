import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, stack, type TestSite, waitForJob } from '../harness/api.ts';
import { makeTar } from '../harness/archives.ts';

const program = path.join(import.meta.dirname, '../../services/cli/fieldstone.js');
const folder = mkdtempSync(path.join(tmpdir(), 'theme-'));
let site: TestSite;

beforeAll(async () => {
  site = await makeSite();
  mkdirSync(path.join(folder, 'css'));
  mkdirSync(path.join(folder, '.git'));
  mkdirSync(path.join(folder, 'void'));
  for (const name of ['home.twig', 'page.twig', 'archive.twig', '404.twig', 'css/a.css', 'README.md', '.git/x.css'])
    writeFileSync(path.join(folder, name), `{# ${name} #}`);
  symlinkSync('/etc/hostname', path.join(folder, 'link.css'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await closeStack();
});

function push(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, 'shell', 'push', ...args], { env: stack.env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}
const paths = async () =>
  (await site.request('GET', '/shell/files?per_page=100')).data.map(({ path: name }: { path: string }) => name).sort();
const pushed = ['404.twig', 'archive.twig', 'css/a.css', 'home.twig', 'page.twig'];

test('a folder becomes the shell; hidden files, links and other types are left out and named', async () => {
  const { code, stdout, stderr } = await push(site.slug, folder, '--json');
  expect([code, stderr.trim().split('\n').sort()]).toEqual([
    0,
    ['left out: .git/x.css', 'left out: README.md', 'left out: link.css'],
  ]);
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({ mode: 'replace', files: 5, warnings: [] });
  expect(await paths()).toEqual(pushed);
  expect((await waitForJob(site.key, result.job)).status).toBe('succeeded');
  expect((await push(site.slug, folder)).stdout).toContain('All 5 files were there already.');
});

test('an archive is merged when asked', async () => {
  const archive = path.join(folder, 'theme.tar');
  writeFileSync(archive, await makeTar([[{ name: 'more.css' }, 'x{}']]));
  const { code, stdout } = await push(site.slug, archive, '--merge');
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 added, 0 changed, 0 removed')]);
  expect(await paths()).toEqual([...pushed, 'more.css'].sort());
});

test('what cannot be is one sentence on standard error', async () => {
  writeFileSync(path.join(folder, 'bad.tar'), await makeTar([[{ name: '../x.css' }, 'x']]));
  for (const [args, exitCode, sentence] of [
    [['no-such-site', folder], 4, /no site/],
    [[site.slug, path.join(folder, 'none')], 4, /no folder or archive/],
    [[site.slug, path.join(folder, 'bad.tar')], 1, /\.\.\/x\.css/],
    [[site.slug, path.join(folder, 'void')], 1, /no files of a theme/],
  ] as const) {
    const { code, stdout, stderr } = await push(...args);
    expect([code, stdout]).toEqual([exitCode, '']);
    expect(stderr.trim().split('\n').at(-1)).toMatch(sentence);
  }
});
