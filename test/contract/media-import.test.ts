import { once } from 'node:events';
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, request, stack, type TestSite } from '../harness/api.ts';
import { countLibrary, jpeg, sendRaw, upload, waitForFormat } from '../harness/media.ts';

let site: TestSite;
let photo: Buffer;
let origin: string;
let closed: string;
let hits = 0;
const server = http.createServer((req, res) => {
  hits++;
  if (req.url?.startsWith('/photos/')) return res.end(photo);
  if (req.url === '/text') return res.writeHead(200, { 'Content-Type': 'image/png' }).end('only words');
  if (req.url === '/empty') return res.end();
  if (req.url === '/inside') return res.writeHead(302, { Location: 'http://127.0.0.1:22/' }).end();
  if (req.url === '/moved') return res.writeHead(302, { Location: '/photos/moved%20here.jpg' }).end();
  if (req.url === '/announced') return res.writeHead(200, { 'Content-Length': 2 ** 40 }).end('x');
  if (req.url === '/huge') {
    res.write(photo);
    const filler = Buffer.alloc(1024 * 1024);
    const more = () => {
      while (!res.destroyed && res.write(filler));
      if (!res.destroyed) res.once('drain', more);
    };
    return more();
  }
  if (req.url === '/cut')
    return res.writeHead(200, { 'Content-Length': 1000 }).write(photo.subarray(0, 100), () => res.destroy());
  return res.writeHead(404).end('secret words of the inside');
});

beforeAll(async () => {
  site = await makeSite();
  photo = await jpeg(50, 40);
  const [port, unused] = stack.allowedPorts.slice(8); // the first ones are for tests that use any free port
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${port}`;
  closed = `http://127.0.0.1:${unused}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await closeStack();
});

const importUrl = (url: unknown, members: object = { alt: 'Imported' }) =>
  site.request('POST', '/media', { url, ...members });

// rule: media.2
test('an image is fetched by its URL, stored and made into variants', async () => {
  const { status, data } = await importUrl(`${origin}/photos/sunny%20day.jpg?size=1`);
  expect(status).toBe(201);
  expect(data).toMatchObject({
    kind: 'image',
    filename: 'sunny day.jpg',
    bytes: photo.length,
    alt: 'Imported',
    source_url: `${origin}/photos/sunny%20day.jpg?size=1`,
  });
  expect((await waitForFormat(site, data.id, 'avif')).status).toBe('ready');
});

test('a redirect is followed, and names the file', async () => {
  const { status, data } = await importUrl(`${origin}/moved`);
  expect(status).toBe(201);
  expect(data.filename).toBe('moved here.jpg');
});

test('the kind comes from the bytes, not from the answer', async () => {
  const { status, data } = await importUrl(`${origin}/text`, {});
  expect(status).toBe(201);
  expect(data.kind).toBe('file');
});

// rule: media.3, break.19
test('an image without alt text is 422, and nothing is left', async () => {
  const before = await countLibrary(site);
  const { status, error } = await importUrl(`${origin}/photos/a.jpg`, {});
  expect(status).toBe(422);
  expect(error.details[0].path).toBe('alt');
  expect(await countLibrary(site)).toBe(before);
});

// rule: media.4, break.19
test('a decorative image needs no alt text', async () => {
  const { status, data } = await importUrl(`${origin}/photos/d.jpg`, { decorative: true });
  expect([status, data?.decorative, data?.alt]).toEqual([201, true, null]);
});

// rule: media.2, endpoint.13, break.18
test('a file wins over a URL, which is not fetched', async () => {
  const before = hits;
  const { status, data } = await upload(site, photo, {
    fields: { alt: 'Mine', url: `${origin}/photos/b.jpg` },
    filename: 'mine.jpg',
  });
  expect(status).toBe(201);
  expect(data).toMatchObject({ filename: 'mine.jpg', source_url: null });
  expect(hits).toBe(before);
});

test.each([
  ['that is none', 'no url'],
  ['that is empty', ''],
  ['of more bytes than a field may have', `http://example.com/${'x'.repeat(20_000)}`],
  ['of more characters than a URL may have', `http://example.com/${'x'.repeat(9_000)}`],
  ['with NUL', 'http://example.com/\0'],
])('beside a file a URL %s is ignored too', async (_what, url) => {
  const { status, data } = await upload(site, photo, { fields: { alt: 'Mine', url } });
  expect([status, data?.source_url]).toEqual([201, null]);
  expect((await upload(site, null, { fields: { alt: 'Mine', url } })).status).toBe(422);
});

test('a file in JSON is refused with a word that tells how to send it', async () => {
  const { status, error } = await importUrl(undefined, { file: 'abc', alt: 'x' });
  expect([status, error.details]).toEqual([422, [{ path: 'file', message: 'must be sent as multipart/form-data' }]]);
});

test('a form may name a URL instead of a file', async () => {
  const { status, data } = await upload(site, null, { fields: { alt: 'By form', url: `${origin}/photos/c.jpg` } });
  expect(status).toBe(201);
  expect(data.filename).toBe('c.jpg');
});

// rule: media.2, break.18
test('a form in which no file was chosen, as browsers send it, names a URL too', async () => {
  const part = (disposition: string, text: string) =>
    `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
  const fields = part('name="alt"', 'By form') + part('name="url"', `${origin}/photos/e.jpg`);
  const body = `${part('name="file"; filename=""', '')}${fields}--b--\r\n`;
  const { status, data } = await sendRaw(site, body, 'multipart/form-data; boundary=b');
  expect([status, data?.filename]).toEqual([201, 'e.jpg']);
});

// rule: threat.15
describe('is refused with 422 and a sentence that gives nothing away:', () => {
  test.each([
    ['a server that is not there', () => closed],
    ['a private address', () => 'http://10.0.0.1/a.jpg'],
    ['loopback', () => 'http://127.0.0.1/a.jpg'],
    ['link-local metadata', () => 'http://169.254.169.254/latest/meta-data/'],
    ['a redirect to the inside', () => `${origin}/inside`],
    ['an answer other than success', () => `${origin}/gone`],
    ['an empty answer', () => `${origin}/empty`],
    ['an answer that breaks off', () => `${origin}/cut`],
    ['another scheme', () => 'ftp://example.com/a.jpg'],
    ['a file URL', () => 'file:///etc/passwd'],
    ['a relative path', () => '/etc/passwd'],
    ['words', () => 'not a url'],
    ['credentials', () => 'http://user:pass@example.com/a.jpg'],
  ])('%s', async (_what, url) => {
    const before = await countLibrary(site);
    const { status, error } = await importUrl(url());
    expect(status).toBe(422);
    expect(error.message).toMatch(/\w/);
    expect(JSON.stringify(error)).not.toMatch(/secret words|ECONN|127\.0\.0\.1:22|root:/);
    expect(await countLibrary(site)).toBe(before);
  });
});

// rule: media.7, break.18
test.each(['/announced', '/huge'])('%s: more bytes than allowed are 413', async (path) => {
  expect((await importUrl(`${origin}${path}`)).status).toBe(413);
});

describe('a JSON body', () => {
  test.each([
    ['without url', {}],
    ['with a url that is no string', { url: 7 }],
    ['with a null url', { url: null }],
    ['with a member that is none', { url: 'https://example.com/a.jpg', title: 'x' }],
    ['that claims to hold a file', { file: { stored: { sha256: 'a' } } }],
    ['with decorative as text', { url: 'https://example.com/a.jpg', decorative: 'true' }],
    ['with alt as a number', { url: 'https://example.com/a.jpg', alt: 5 }],
  ])('%s is 422', async (_what, body) => {
    const { status, error } = await site.request('POST', '/media', body);
    expect(status).toBe(422);
    expect(error.details.length).toBeGreaterThan(0);
  });

  test('of another content type is 415', async () => {
    const options = { key: site.key, raw: 'url=x', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
    expect((await request('POST', `/sites/${site.slug}/media`, options)).status).toBe(415);
  });

  test('with an idempotency key is fetched and stored once', async () => {
    const headers = { 'Idempotency-Key': `import-${Date.now()}` };
    const before = await countLibrary(site);
    const first = await site.request('POST', '/media', { url: `${origin}/photos/once.jpg`, alt: 'x' }, { headers });
    const again = await site.request('POST', '/media', { url: `${origin}/photos/once.jpg`, alt: 'x' }, { headers });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.data.id).toBe(first.data.id);
    expect(await countLibrary(site)).toBe(before + 1);
  });
});
