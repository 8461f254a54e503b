import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { closeStack, makeSite, publish, stack, waitForJob } from '../harness/api.ts';
import { makeTar } from '../harness/archives.ts';
import { launchChromium, testInChromium as test } from '../harness/chromium.ts';

let browser: Browser;

const dot = await sharp({ create: { width: 3, height: 2, channels: 3, background: 'red' } })
  .png()
  .toBuffer();
const base = `<!doctype html><html><head><link rel="stylesheet" href="{{ asset('css/main.css') }}">
<script type="module" src="{{ asset('js/main.js') }}"></script></head>
<body><h1>{{ site.name }}</h1><p id="out">waiting</p>{% block content %}{% endblock %}</body></html>`;
const page = `{% extends 'base.twig' %}`;
const theme: Record<string, string | Buffer> = {
  'base.twig': base,
  ...Object.fromEntries(['home', 'page', 'archive', '404'].map((name) => [`${name}.twig`, page])),
  'css/main.css': `@import "parts/colours.css"; h1 { background: url(../img/dot.png); }`,
  'css/parts/colours.css': `@import url('../late.css') screen; :root { --c: rgb(1, 2, 3) } h1 { color: var(--c); border: solid; border-image: url("../../img/dot.png") 1; }`,
  'css/late.css': 'h1 { font-style: italic }',
  'img/dot.png': dot,
  'js/main.js': `import { name } from './lib/names.js';
import data from './data.json' with { type: 'json' };
export { other } from "./lib/round.js";
const { late } = await import('./lib/late.js');
const image = new Image();
image.src = new URL('../img/dot.png', import.meta.url);
await image.decode();
document.querySelector('#out').textContent = [name, data.text, late, image.width].join(' ');`,
  'js/data.json': '{"text":"data"}',
  'js/lib/names.js': `import { other } from './round.js';\nexport const name = 'name';\nexport const both = () => other + name;`,
  'js/lib/round.js': `import { name } from './names.js';\nexport const other = 'other';\nexport const both = () => other + name;`,
  'js/lib/late.js': `export * from './later.js';`,
  'js/lib/later.js': `export const late = 'late';`,
};

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await closeStack();
});

async function visit(url: string): Promise<void> {
  const tab = await browser.newPage();
  const failed: string[] = [];
  const complaints: string[] = [];
  tab.on('response', (response) => response.status() >= 400 && failed.push(response.url()));
  await tab.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
  tab.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  tab.on('pageerror', (error) => complaints.push(error.message));
  await tab.goto(url, { waitUntil: 'networkidle' });
  await tab.waitForFunction(`document.querySelector('#out').textContent !== 'waiting'`);
  expect(await tab.locator('#out').textContent()).toBe('name data late 3');
  const style = (member: string) => tab.evaluate(`getComputedStyle(document.querySelector('h1')).${member}`);
  expect(await style('color')).toBe('rgb(1, 2, 3)');
  expect(await style('fontStyle')).toBe('italic');
  expect(await style('backgroundImage')).toMatch(/\/_assets\/img\/dot\.[0-9a-f]{8}\.png/);
  expect(await style('borderImageSource')).toMatch(/\/_assets\/img\/dot\.[0-9a-f]{8}\.png/);
  expect([failed, complaints]).toEqual([[], []]);
  await tab.close();
}

test('scripts and sheets of an uploaded theme find each other, in the preview and live', async () => {
  const site = await makeSite();
  const raw = gzipSync(await makeTar(Object.entries(theme).map(([name, data]) => [{ name }, data])));
  const { data } = await site.request('POST', '/shell/archive', undefined, { raw });
  expect(data.warnings).toEqual([]);
  const job = await waitForJob(site.key, data.job);
  await visit(job.result.url);
  await publish(site);
  await visit(`${stack.edges[0]}/sites/${site.slug}/`);
});
