import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { closeStack, eventually, makeSite, publish, stack, type TestSite } from '../harness/api.ts';
import { launchChromium, testInChromium as test } from '../harness/chromium.ts';
import { picture, upload, waitForFormat } from '../harness/media.ts';

let browser: Browser;
let site: TestSite;
let id: string;

beforeAll(async () => {
  browser = await launchChromium();
  site = await makeSite();
  ({ id } = (await upload(site, await picture(1200, 800).jpeg().toBuffer())).data);
  await waitForFormat(site, id, 'avif');
  await site.request('PATCH', `/media/${id}`, { focal_point: { x: 0.25, y: 0.5 } });
  const body_html = `<p>first</p><img src="media:${id}"><p id="after">after</p>`;
  await site.request('POST', '/content', { type: 'page', title: 'A', slug: 'a', body_html, status: 'published' });
  await publish(site);
});

afterAll(async () => {
  await browser.close();
  await closeStack();
});

/** Runs in the browser. */
const shown =
  "document.querySelector('picture img').complete && document.querySelector('picture img').naturalWidth > 0";

test('an image shows its placeholder in its place until it has come, and nothing moves or is refused', async () => {
  const page = await browser.newPage();
  // the page's policy forbids `eval`, so `waitForFunction` cannot poll
  const becomes = (expression: string) => eventually(expression, () => page.evaluate<boolean>(expression));
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text());
  });
  const held = Promise.withResolvers<void>();
  await page.route('**/_assets/media/**', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`${stack.edges[0]}/sites/${site.slug}/a/`, { waitUntil: 'domcontentloaded' });
  await becomes('document.styleSheets.length > 0 && document.fonts.status === "loaded"');
  const look = () =>
    page.evaluate<Record<string, unknown>>(`(() => {
      const image = document.querySelector('picture img');
      const style = getComputedStyle(image);
      const { width, height } = image.getBoundingClientRect();
      return {
        shown: ${shown},
        ratio: Math.round((width / height) * 100) / 100,
        background: style.backgroundImage.slice(0, 27),
        position: style.objectPosition,
        after: document.querySelector('#after').getBoundingClientRect().top,
      };
    })()`);
  const before = await look();
  expect(before).toMatchObject({
    shown: false,
    ratio: 1.5,
    background: 'url("data:image/webp;base64',
    position: '25% 50%',
  });
  held.resolve();
  await becomes(shown);
  expect(await look()).toEqual({ ...before, shown: true });
  expect(refused).toEqual([]);
  await page.close();
});
