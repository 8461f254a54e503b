import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, makeKey, makeSite, stack, type TestSite, waitForJob } from '../harness/api.ts';

const program = path.join(import.meta.dirname, '../../services/cli/fieldstone.js');
const folder = mkdtempSync(path.join(tmpdir(), 'fieldstone-remote-'));
let site: TestSite;
let settings: Record<string, string>;

/** Runs `fieldstone` as on another machine: without settings of engines. */
function run(
  args: string[],
  more: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: folder, XDG_CONFIG_HOME: folder, ...settings, ...more };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env, cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** Runs a command with `--json`, which must succeed, and returns its result. */
// biome-ignore lint/suspicious/noExplicitAny: each command has its own result
async function result(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await run([...args, '--json']);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')]);
  return JSON.parse(stdout);
}

beforeAll(async () => {
  site = await makeSite();
  settings = { FIELDSTONE_REMOTE_URL: stack.gateways[0]!, FIELDSTONE_REMOTE_KEY: site.key };
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await closeStack();
});

// rule: beyond.40
test('content is created, listed, shown, changed and published', async () => {
  writeFileSync(path.join(folder, 'body.md'), '# Paths\n\nWe **walk**.\n');
  writeFileSync(path.join(folder, 'item.json'), JSON.stringify({ title: 'Old', tags: ['a'], status: 'published' }));
  const made = await result(
    'content',
    'create',
    site.slug,
    '--from',
    'item.json',
    '--title',
    'Paths',
    '--body',
    'body.md',
  );
  expect(made).toMatchObject({
    title: 'Paths',
    tags: ['a'],
    body_html: expect.stringContaining('<strong>walk</strong>'),
  });
  const [listed, ...others] = await result('content', 'list', site.slug, '--status', 'published', '--q', 'walk');
  expect([listed, others]).toEqual([expect.objectContaining({ id: made.id, title: 'Paths' }), []]);
  expect(listed).not.toHaveProperty('body_html');
  const changed = await result('content', 'update', site.slug, made.id, '--tags', 'b, c');
  expect([changed.title, changed.tags]).toEqual(['Paths', ['b', 'c']]);
  expect((await run(['content', 'show', site.slug, made.id])).stdout).toContain('title: Paths\n');

  const published = await run(['publish', site.slug, '--wait']);
  expect([published.code, published.stdout.trim()]).toEqual([0, expect.stringContaining(site.slug)]);
  expect(published.stderr).toMatch(/^succeeded: done \d+\/\d+$/m);
  const [job] = await result('jobs', 'list', site.slug, '--limit', '1');
  expect(job).toMatchObject({ kind: 'publish', status: 'succeeded' });
});

// rule: beyond.40
test("releases are listed, explained and rolled back as on the service's machine", async () => {
  expect((await result('publish', site.slug, '--wait')).status).toBe('succeeded');
  const remote = await result('releases', 'list', site.slug);
  const local = await run(['releases', 'list', site.slug, '--json'], {
    ...stack.env,
    FIELDSTONE_REMOTE_URL: '',
    FIELDSTONE_REMOTE_KEY: '',
  });
  expect(remote).toEqual(JSON.parse(local.stdout));
  expect(await result('releases', 'why', site.slug, '/')).toMatchObject({ release: remote[0].id, path: '/' });
  const { id } = remote.at(-1);
  expect(await result('releases', 'rollback', site.slug, id)).toEqual({ id, live: true });
  expect((await result('releases', 'list', site.slug)).find(({ live }: { live: boolean }) => live).id).toBe(id);
});

test('a publish that fails ends with the error of its job', async () => {
  const broken = await makeSite();
  await broken.request('PUT', '/shell/file/home.twig', undefined, { raw: 'line 1\n{% if %}' });
  const { code, stdout, stderr } = await run(['publish', broken.slug, '--wait', '--json']);
  expect([code, stdout]).toEqual([1, '']);
  expect(JSON.parse(stderr)).toEqual({ error: { code: 'failed', message: expect.stringMatching(/home\.twig.*2/) } });
});

test('media are uploaded from a file and listed', async () => {
  writeFileSync(path.join(folder, 'notes.txt'), 'some text');
  const made = await result('media', 'upload', site.slug, 'notes.txt');
  expect(made).toMatchObject({ filename: 'notes.txt', kind: 'file', bytes: 9 });
  expect(
    (await result('media', 'list', site.slug, '--kind', 'image,file')).map(({ id }: { id: string }) => id),
  ).toContain(made.id);
  const image = await run(['media', 'upload', site.slug, path.resolve('docs/images/demo.png')]);
  expect([image.code, image.stderr]).toEqual([1, expect.stringContaining('alt')]);
});

test('a shell is pulled, compared and pushed', async () => {
  const theme = path.join(folder, 'theme');
  mkdirSync(theme);
  writeFileSync(path.join(theme, 'own.css'), 'a{}');
  const pulled = await result('shell', 'pull', site.slug, 'theme');
  expect(pulled).toMatchObject({ files: pulled.written.length, removed: [], kept: ['own.css'] });
  const { text } = await site.request('GET', '/shell/file/style.css');
  expect(readFileSync(path.join(theme, 'style.css'), 'utf8')).toBe(text);
  expect((await result('shell', 'pull', site.slug, 'theme')).written).toEqual([]);

  writeFileSync(path.join(theme, 'style.css'), `${text}a{color:green}\n`);
  rmSync(path.join(theme, '404.twig'));
  const differences = await result('shell', 'diff', site.slug, 'theme');
  expect(differences.map(({ path: name, change }: Record<string, string>) => [name, change])).toEqual([
    ['404.twig', 'removed'],
    ['own.css', 'added'],
    ['style.css', 'changed'],
  ]);
  expect(differences[2].diff).toContain('+a{color:green}');

  const pushed = await result('shell', 'push', site.slug, 'theme', '--merge');
  expect(pushed).toMatchObject({ mode: 'merge', added: 1, changed: 1, removed: 0 });
  expect((await waitForJob(site.key, pushed.job)).status).toBe('succeeded');
  const again = await result('shell', 'pull', site.slug, 'theme', '--delete');
  expect([again.written, again.removed]).toEqual([['404.twig'], []]);
  rmSync(path.join(theme, 'own.css'));
  await result('shell', 'push', site.slug, 'theme');
  writeFileSync(path.join(theme, 'extra.css'), 'b{}');
  expect((await result('shell', 'pull', site.slug, 'theme', '--delete')).removed).toEqual(['extra.css']);
  expect(existsSync(path.join(theme, 'extra.css'))).toBe(false);
});

test('redirects are listed, without what a terminal would obey', async () => {
  await site.request('POST', '/redirects', { from: '/old', to: '/new' });
  expect(await result('redirects', 'list', site.slug)).toEqual([expect.objectContaining({ from: '/old', to: '/new' })]);
  await site.request('POST', '/content', { title: 'Red \u001b[31m alert' });
  const { stdout } = await run(['content', 'list', site.slug]);
  expect(stdout).toContain('Red');
  expect(stdout).not.toContain('\u001b');
});

test('a profile takes the place of URL and key', async () => {
  const none = { FIELDSTONE_REMOTE_URL: '', FIELDSTONE_REMOTE_KEY: '' };
  expect((await run(['jobs', 'list', site.slug], none)).code).toBe(2);
  await result('profiles', 'save', 'default');
  expect(await result('profiles', 'list')).toEqual([{ name: 'default', url: stack.gateways[0] }]);
  expect((await run(['jobs', 'list', site.slug], none)).code).toBe(0);
  await result('profiles', 'remove', 'default');
});

// rule: beyond.40
test('refused keys end with 3, and missing records with 4', async () => {
  const narrow = await makeKey(['content:read'], [site.slug]);
  for (const [args, key, code] of [
    [['jobs', 'list', site.slug], narrow, 3],
    [['content', 'list', 'other-site'], narrow, 3],
    [['content', 'list', site.slug], 'fs_wrong', 3],
    [['content', 'list', 'no-such-site'], site.key, 4],
  ] as const) {
    const ended = await run([...args, '--json'], { FIELDSTONE_REMOTE_KEY: key });
    const { error } = JSON.parse(ended.stderr);
    expect([ended.code, error.code]).toEqual([code, code === 3 ? 'refused' : 'not_found']);
  }
});
