import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { closeStack, makeSite, publish, stack, type TestSite } from '../harness/api.ts';
import { launchChromium, testInChromium as test } from '../harness/chromium.ts';

let browser: Browser;
let site: TestSite;
let page: Page;

const sheet = (left: number, colour: string) => `
:root { --size: ${left}px }
@layer base, top;
@layer top { .dot { color: ${colour} } }
@layer base { .dot { color: rgb(0, 0, 0) } }
@supports (display: grid) { @media (min-width: 1px) { .dot { border: ${left}px solid; & .in { padding: var(--size) } } } }
:scope { container-type: inline-size; display: block }
@container (min-width: 1px) { .dot { outline: ${left}px solid } }
@keyframes move { from, to { margin-left: ${left}px } }
.dot { animation: move 1s infinite paused }`;

beforeAll(async () => {
  browser = await launchChromium();
  site = await makeSite();
  const put = (handle: string, css: string) =>
    site.request('PUT', `/components/${handle}`, {
      type: 'html',
      source_code: '<p class="dot"><b class="in">x</b></p>',
      css,
    });
  await put('one', sheet(11, 'rgb(1, 1, 1)'));
  await put('two', sheet(22, 'rgb(2, 2, 2)'));
  await site.request('POST', '/content', {
    ...{ type: 'page', title: 'x', slug: 'x', status: 'published' },
    body_html:
      '<p class="dot" id="outside">x</p><x-component handle="one"></x-component><x-component handle="two"></x-component>',
  });
  const starter = (await site.request('GET', '/shell/file/style.css')).text;
  const shell = `${starter}\n@keyframes move { from, to { margin-left: 33px } } #outside { animation: move 1s infinite paused }`;
  await site.request('PUT', '/shell/file/style.css', undefined, { raw: shell });
  await publish(site);
  page = await browser.newPage();
  await page.goto(`${stack.edges[0]}/sites/${site.slug}/x/`, { waitUntil: 'networkidle' });
});
afterAll(async () => {
  await browser.close();
  await closeStack();
});

const style = (selector: string, member: string) =>
  page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${member}`);

test.each([
  ['keyframes', '.dot', 'marginLeft', '11px', '22px'],
  ['layers', '.dot', 'color', 'rgb(1, 1, 1)', 'rgb(2, 2, 2)'],
  ['@supports, @media', '.dot', 'borderTopWidth', '11px', '22px'],
  ['nesting and variables of :root', '.in', 'paddingTop', '11px', '22px'],
  ['@container', '.dot', 'outlineWidth', '11px', '22px'],
])('two components with the same %s do not disturb each other', async (_what, selector, member, one, two) => {
  expect(await style(`[data-component=one] ${selector}`, member)).toBe(one);
  expect(await style(`[data-component=two] ${selector}`, member)).toBe(two);
});

test('nor the shell', async () => {
  expect(await style('#outside', 'marginLeft')).toBe('33px');
  expect(await style('#outside', 'borderTopWidth')).toBe('0px');
  expect(await style(':root', 'getPropertyValue("--size")')).toBe('');
});
