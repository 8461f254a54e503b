import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { sanitizeBody } from '../../services/features/content/sanitize/index.ts';
import { allowedTags } from '../../services/features/content/sanitize/rules.ts';
import { launchChromium, testInChromium as test } from '../harness/chromium.ts';
import { canary, corpus } from './corpus/index.ts';

/** What the hostile text executed (`ran`) and forbidden parts of the page (`bad`), by the vector's number. */
interface Findings {
  ran: string[];
  bad: string[];
}

const probe = readFileSync(join(import.meta.dirname, 'probe.js'), 'utf8');
const hooks = `
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) {
    window[name] = () => { top.findings.ran.push(document.body?.dataset.vector + ' ' + name); };
  }`;

let server: Server;
let browser: Browser;
let origin = '';
let served: string[] = [];
const canaryHits: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const [, kind, index] = (request.url ?? '').split('/');
    if (kind === 'canary') canaryHits.push(request.url ?? '');
    const body = kind === 'vector' ? documentOf(Number(index)) : kind === 'page' ? '<!doctype html><body>' : '';
    response.writeHead(body ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launchChromium();
}, 120_000);

afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

function documentOf(index: number): string {
  const head = `<!doctype html><html><head><script>${hooks}</script></head>`;
  return `${head}<body data-vector="${index}">${served[index]}</body></html>`;
}

const withCanary = (html: string) => html.replaceAll(canary, `${origin}/canary`);

/** Opens a page with the probe; requests to any server but ours are blocked. */
async function openPage(): Promise<Page> {
  canaryHits.length = 0;
  const page = await browser.newPage();
  await page.route('**/*', (route) => (route.request().url().startsWith(origin) ? route.continue() : route.abort()));
  await page.goto(`${origin}/page`);
  await page.evaluate(`${probe};0`);
  return page;
}

/**
 * `timeoutMs`: text that was not sanitized may never finish loading; sanitized text must, however busy the machine is.
 */
function loadDocuments(page: Page, timeoutMs: number): Promise<Findings> {
  return page.evaluate(`loadDocuments(${served.length}, ${JSON.stringify(allowedTags)}, ${timeoutMs})`);
}

const named = (entry: string) => `${corpus[Number.parseInt(entry, 10)]?.name}: ${entry}`;

test('the probe notices what runs and loads when the vectors are not sanitized', async () => {
  served = corpus.map((vector) => withCanary(vector.html));
  let running = 0;
  // a busy machine needs longer; nothing else tells when a document is finished
  for (const timeoutMs of [2_000, 10_000, 40_000]) {
    const page = await openPage();
    const { ran } = await loadDocuments(page, timeoutMs);
    await page.close();
    running = new Set(ran.map((entry) => entry.split(' ')[0])).size;
    if (running > 60 && canaryHits.length > 5) break;
  }
  expect(running).toBeGreaterThan(60);
  expect(canaryHits.length).toBeGreaterThan(5);
}, 600_000);

// rule: threat.12
test('no sanitized vector runs or loads anything in a served document', async () => {
  served = corpus.map((vector) => withCanary(sanitizeBody(vector.html).html));
  const page = await openPage();
  const { ran, bad } = await loadDocuments(page, 30_000);
  const url = page.url();
  await page.close();
  expect({ ran: ran.map(named), bad: bad.map(named), canaryHits }).toEqual({ ran: [], bad: [], canaryHits: [] });
  expect(url).toBe(`${origin}/page`);
}, 120_000);

test('no sanitized vector runs or loads anything through innerHTML, and the browser keeps it as it is', async () => {
  const clean = corpus.map((vector) => withCanary(sanitizeBody(vector.html).html));
  const page = await openPage();
  await page.evaluate(`${hooks};0`);
  const written: { first: string; second: string }[] = await page.evaluate(`insertTexts(${JSON.stringify(clean)})`);
  const ran = await page.evaluate('findings.ran');
  await page.close();
  expect({ ran, canaryHits }).toEqual({ ran: [], canaryHits: [] });
  const expected = clean.map((html, index) => [corpus[index]?.name, comparable(html), comparable(html)]);
  const actual = written.map((html, index) => [corpus[index]?.name, comparable(html.first), comparable(html.second)]);
  expect(actual).toEqual(expected);
}, 120_000);

/** Normalizes equivalent notations: void tags, bare attributes, implied parts of tables, a line end in pre. */
function comparable(html: string): string {
  return html
    .replace(/ ?\/>/g, '>')
    .replace(/ (controls|open|loop|muted|reversed|default|playsinline)(?=[ >])/g, ' $1=""')
    .replace(/<\/?(?:tbody|colgroup)>/g, '')
    .replace(/<pre>\n/g, '<pre>');
}
