import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { closeStack, eventually, makeSite, stack, type TestSite } from '../harness/api.ts';
import { visit } from '../harness/edge.ts';

const program = path.join(import.meta.dirname, '../../services/cli/fieldstone.js');
const theme = mkdtempSync(path.join(tmpdir(), 'fieldstone-dev-'));
const file = (name: string) => path.join(theme, name);
let site: TestSite;
let url: string;
let child: ReturnType<typeof spawn>;
let printed = '';

beforeAll(async () => {
  cpSync(path.resolve('services/features/shell/starter/files'), theme, { recursive: true });
  site = await makeSite();
  await site.request('POST', '/content', { title: 'Stored words', status: 'published' });
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: theme, FIELDSTONE_REMOTE_URL: stack.gateways[0]!, FIELDSTONE_REMOTE_KEY: site.key };
  child = spawn(process.execPath, [program, 'shell', 'dev', site.slug, theme, '--port', '0', '--json'], { env });
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  url = await eventually('the page is served', async () => printed.includes('\n') && JSON.parse(printed).url);
});
afterAll(async () => {
  if (child.exitCode === null) child.kill('SIGTERM');
  rmSync(theme, { recursive: true, force: true });
  await closeStack();
});

const show = (target = '') => fetch(url + target, { headers: { connection: 'close' } });
const shows = (what: string, wanted: string, target = '') =>
  eventually(what, async () => {
    const reply = await show(target);
    const text = await reply.text();
    return text.includes(wanted) && { text, reply };
  });

test('the site is shown with the theme, at the paths of the site, under its own policy', async () => {
  const { text, reply } = await shows('the first preview', 'Stored words');
  expect(reply.headers.get('content-security-policy')).toContain("script-src 'self'");
  const [, style] = /href="(_assets\/style\.[^"]+)"/.exec(text)!;
  expect((await show(style)).headers.get('content-type')).toContain('text/css');
  expect(await (await show('posts/stored-words/')).text()).toContain('Stored words');
  expect((await show('no-such-page/')).status).toBe(404);
});

// rule: beyond.43
test('a change of a file is shown, and reloads the browser', async () => {
  const events = await fetch(`${url}_fieldstone/events`);
  const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
  const changed = (async () => {
    for (let text = ''; !text.includes('event: change'); ) text += (await reader.read()).value ?? '';
    await reader.cancel();
  })();
  writeFileSync(file('home.twig'), '<h1>Changed here</h1></body>');
  const { text } = await shows('the change', 'Changed here');
  await changed;
  expect(text).toContain('<script src="/_fieldstone/reload.js"></script></body>');
  expect(await (await show('_fieldstone/reload.js')).text()).toContain('EventSource');
});

// rule: beyond.43
test('an error is shown at its line in place of the site, until it is fixed', async () => {
  const before = readFileSync(file('home.twig'), 'utf8');
  writeFileSync(file('home.twig'), 'one\n<b>{{ page. }}</b>\nthree');
  const { text, reply } = await shows('the error', 'home.twig, line 2');
  expect(reply.status).toBe(500);
  expect(text).toContain('<mark>   2  &lt;b&gt;{{ page. }}&lt;/b&gt;</mark>');
  expect(text).toContain('/_fieldstone/reload.js');
  writeFileSync(file('home.twig'), before);
  await shows('the site again', 'Changed here');
});

// rule: beyond.43
test('the shell of the site stays as it is', async () => {
  expect((await site.request('GET', '/shell/file/home.twig')).text).not.toContain('Changed here');
  expect((await site.request('GET', '/shell/preview')).data.url).toBeNull();
});

test('another host name is refused: no page elsewhere can read the preview through it', async () => {
  const { status } = await visit('/', { origin: url, headers: { host: 'elsewhere.example.com' } });
  expect(status).toBe(421);
});

test('it ends with SIGTERM', async () => {
  child.kill('SIGTERM');
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  expect(code).toBe(0);
});
