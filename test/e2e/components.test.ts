import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { closeStack, makeSite, publish, stack, type TestSite } from '../harness/api.ts';
import { launchChromium, testInChromium as test } from '../harness/chromium.ts';

let browser: Browser;
let site: TestSite;

const counter = `
import { useEffect, useId, useState } from 'react';
export default function Counter({ start, label }: { start: number; label: string }) {
  const [count, setCount] = useState(start);
  const [ready, setReady] = useState(false);
  const id = useId();
  useEffect(() => setReady(true), []);
  return (
    <p className="counter">
      <label htmlFor={id}>{label}</label>
      <button id={id} data-ready={ready} onClick={() => setCount(count + 1)}>{count}</button>
      <img src="/_assets/none.png" alt="" width="1" height="1" />
    </p>
  );
}`;

const classic = `
import React, { Component } from 'react';
export default class Classic extends Component {
  state = { text: 'asleep' };
  componentDidMount() { this.setState({ text: 'awake' }); }
  render() { return <React.Fragment><b className="classic">{this.state.text}</b></React.Fragment>; }
}`;

const widget =
  '<div class="box"><p class="box-text">{{ vars.text }}</p>{{ component(\'inner\') }}<button class="toggle">?</button></div><script>document.querySelector(".toggle").textContent = "ran"</script>';
const widgetCss = `
@media (min-width: 1px) { .box-text { color: rgb(1, 2, 3); animation: widget-turn 1s; } }
p { outline: 3px solid rgb(4, 5, 6); }
@keyframes widget-turn { to { rotate: 1turn; } }
@layer late { .toggle { border-color: rgb(9, 9, 9); } }
`;

beforeAll(async () => {
  browser = await launchChromium();
  site = await makeSite();
  const put = async (handle: string, body: unknown) => {
    const reply = await site.request('PUT', `/components/${handle}`, body);
    if (reply.status !== 201 || reply.data.warnings.length > 0) throw new Error(reply.text);
  };
  await put('counter', {
    type: 'react',
    source_code: counter,
    variables_schema: { start: { default: 0 }, label: { default: 'x' } },
  });
  await put('classic', { type: 'react', source_code: classic });
  await put('badge', { type: 'react', source_code: 'export default ({ text }) => <b className="badge">{text}</b>;' });
  await put('inner', { type: 'html', source_code: '<p class="inner">inner</p>' });
  await put('widget', { type: 'html', source_code: widget, css: widgetCss });
  const write = (slug: string, body_html: string) =>
    site.request('POST', '/content', { type: 'page', title: slug, slug, body_html, status: 'published' });
  await write(
    'live',
    `<p class="outside">x</p><x-component handle="counter" vars='{"start": 5, "label": "&lt;b&gt; &amp;amp; &#39;"}'></x-component><x-component handle="counter" vars='{"start": 7}'></x-component>`,
  );
  await write('classic', '<p>in a <x-component handle="classic"></x-component> line</p>');
  await write('still', '<x-component handle="badge" vars=\'{"text": "calm"}\'></x-component>');
  await write(
    'widget',
    '<p class="outside box-text">x</p><x-component handle="widget" vars=\'{"text": "hi"}\'></x-component>',
  );
  await publish(site);
});

afterAll(async () => {
  await browser.close();
  await closeStack();
});

/** Opens a page and collects its requests and console messages. */
async function open(slug: string): Promise<{ page: Page; scripts: string[]; complaints: string[] }> {
  const page = await browser.newPage();
  const scripts: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${stack.edges[0]}/sites/${site.slug}/${slug}/`, { waitUntil: 'networkidle' });
  return { page, scripts, complaints: complaints.filter((text) => !text.includes('404')) };
}

const bothAwake = `document.querySelectorAll('[data-ready="true"]').length === 2`;
/** Marks the buttons that the build rendered, before any module runs. */
const markButtons = `document.addEventListener('readystatechange', () => {
  for (const node of document.querySelectorAll('.counter button')) node.marked = true;
})`;
const buttonValues = (member: string) =>
  `[...document.querySelectorAll('.counter button')].map((node) => node.${member})`;

describe('a component with state', () => {
  test('shows its markup at once and then answers clicks, each instance for itself', async () => {
    const { page, scripts, complaints } = await open('live');
    const buttons = page.locator('.counter button');
    await page.waitForFunction(bothAwake);
    await buttons.nth(0).click();
    await buttons.nth(0).click();
    await buttons.nth(1).click();
    expect(await buttons.allTextContents()).toEqual(['7', '8']);
    expect(await page.locator('.counter label').first().textContent()).toBe("<b> &amp; '");
    expect(scripts.map((url) => url.replace(/.*\/_assets\//, '').replace(/\.[0-9a-f]{8}\./, '.')).sort()).toEqual([
      'components/counter.js',
      'react.js',
    ]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('keeps the markup that the build made: nothing is thrown away when it wakes', async () => {
    const page = await browser.newPage();
    await page.addInitScript(markButtons);
    await page.goto(`${stack.edges[0]}/sites/${site.slug}/live/`, { waitUntil: 'networkidle' });
    await page.waitForFunction(bothAwake);
    expect(await page.evaluate(buttonValues('marked'))).toEqual([true, true]);
    const ids: string[] = await page.evaluate(buttonValues('id'));
    expect(new Set(ids).size).toBe(2);
    await page.close();
  });
});

test('a class with a default import of React wakes up, within its line of text', async () => {
  const { page, complaints } = await open('classic');
  await page.waitForFunction(`document.querySelector('p .classic')?.textContent === 'awake'`);
  expect(complaints).toEqual([]);
  await page.close();
});

test('a component without state loads no script', async () => {
  const { page, scripts } = await open('still');
  expect(await page.locator('.badge').textContent()).toBe('calm');
  expect(scripts).toEqual([]);
  await page.close();
});

test('the style sheet of a component reaches what is in it, and neither the page nor a component inside it', async () => {
  const { page } = await open('widget');
  const style = (selector: string, property: string): Promise<string> =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`);
  expect(await style('.box .box-text', 'color')).toBe('rgb(1, 2, 3)');
  expect(await style('.box .box-text', 'animationName')).toBe('fs6-widget-widget-turn');
  expect(await style('.box .box-text', 'outlineColor')).toBe('rgb(4, 5, 6)');
  expect(await style('.toggle', 'borderTopColor')).toBe('rgb(9, 9, 9)');
  expect(await style('.outside', 'color')).not.toBe('rgb(1, 2, 3)');
  expect(await style('.outside', 'outlineColor')).not.toBe('rgb(4, 5, 6)');
  expect(await style('.inner', 'outlineColor')).not.toBe('rgb(4, 5, 6)');
  await page.close();
});

test("a script in an HTML component runs under the page's policy", async () => {
  const { page, complaints } = await open('widget');
  expect(await page.locator('.toggle').textContent()).toBe('ran');
  expect(complaints).toEqual([]);
  await page.close();
});
