import { afterAll, expect, test } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };
import { closeStack, stack } from '../harness/api.ts';
import { launchChromium, testInChromium } from '../harness/chromium.ts';

const gateway = stack.gateways[0]!;
afterAll(closeStack);

test('/docs and its files are served without a key, compressed, and are 304 when unchanged', async () => {
  for (const path of ['/docs', '/docs/start.js', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js']) {
    const reply = await fetch(gateway + path);
    expect([path, reply.status, reply.headers.get('content-encoding')]).toEqual([path, 200, 'gzip']);
    expect(reply.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    const plain = await fetch(gateway + path, { headers: { 'accept-encoding': 'identity' } });
    expect([await plain.text(), plain.headers.get('content-encoding')]).toEqual([await reply.text(), null]);
    const headers = { 'if-none-match': reply.headers.get('etag')! };
    expect((await fetch(gateway + path, { headers })).status).toBe(304);
  }
  expect((await fetch(`${gateway}/docs/package.json`)).status).toBe(404);
});

testInChromium('/docs shows every operation and event, and requests nothing from other hosts', async () => {
  const { info, paths, webhooks } = (await (await fetch(`${gateway}/openapi.json`)).json()) as {
    info: { version: string };
    paths: Record<string, object>;
    webhooks: Record<string, object>;
  };
  expect(info.version).toBe(packageJson.version);
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('request', (request) => {
      if (![gateway, 'data:', 'blob:'].some((start) => request.url().startsWith(start))) faults.push(request.url());
    });
    await page.goto(`${gateway}/docs`);
    const shown = [...Object.values(paths), ...Object.values(webhooks)];
    const operations = shown.flatMap((methods) => Object.keys(methods)).length;
    await page
      .locator('.opblock')
      .nth(operations - 1)
      .waitFor({ timeout: 240_000 });
    expect(await page.locator('.opblock').count()).toBe(operations);
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
  }
});
