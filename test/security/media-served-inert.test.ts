import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, makeSite, stack, type TestSite } from '../harness/api.ts';
import { jpeg, upload } from '../harness/media.ts';

let site: TestSite;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

const script = '<script>document.title="ran"</script>';
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="alert(1)">${script}</svg>`;

async function serve(bytes: Buffer | string, filename: string) {
  const { status, data } = await upload(site, Buffer.from(bytes), { filename });
  expect(status).toBe(201);
  return fetch(data.url);
}

describe('what could run script is served so that it cannot:', () => {
  test.each([
    ['SVG', svg, 'a.svg'],
    ['SVG called .jpg', svg, 'a.jpg'],
    ['SVG after a long comment', `<!--${'x'.repeat(2000)}-->${svg}`, 'a.svg'],
    ['SVG with a doctype that declares entities', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg}`, 'a.svg'],
    ['SVG in UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(svg, 'utf16le')]), 'a.svg'],
    ['SVG with a prefix', `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>1</s:script></s:svg>`, 'a.svg'],
    ['HTML', `<!doctype html><title>x</title>${script}`, 'a.html'],
    ['HTML called .png', `<html>${script}`, 'a.png'],
    ['HTML after white space and a comment', `\n\t <!-- c --><body>${script}`, 'a.txt'],
    ['XHTML', `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`, 'a.xhtml'],
    ['XML with a style sheet', `<?xml version="1.0"?><?xml-stylesheet href="x.xsl" type="text/xsl"?><a/>`, 'a.xml'],
  ])('%s', async (_what, bytes, filename) => {
    const response = await serve(bytes, filename);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain('sandbox');
    expect(policy).not.toContain('allow-scripts');
    if (!response.headers.get('content-type')!.startsWith('image/svg')) {
      expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
    }
  });

  test.each([
    ['JavaScript', 'alert(1)', 'a.js'],
    ['a module', 'export default 1', 'a.mjs'],
    ['a style sheet', 'body{}', 'a.css'],
    ['markup that begins with words', `hello ${script}`, 'a.html'],
    ['JSON', '{"a":"<script>"}', 'a.json'],
    ['a web app manifest', '{"name":"x"}', 'a.webmanifest'],
    ['WebAssembly', Buffer.from('0061736d01000000', 'hex'), 'a.wasm'],
  ])('%s has a type that no browser runs', async (_what, bytes, filename) => {
    const response = await serve(bytes, filename);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-type')).not.toMatch(/javascript|ecmascript|css|html|svg|xml|wasm/);
  });

  // rule: media.5, threat.13
  test('bytes that nobody knows are a download', async () => {
    const response = await serve(Buffer.from([1, 0, 2, 0, 3]), 'a.html');
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
  });
});

// rule: media.5
test.each([
  ['an archive', Buffer.from([0x50, 0x4b, 5, 6, ...Array(18).fill(0)]), 'a.zip'],
  ['a table', 'a,b\n1,2\n', 'a.csv'],
])('%s is a download', async (_what, bytes, filename) => {
  const response = await serve(bytes, filename);
  expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
  expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
});

test('files of libraries answer ranges, conditions and HEAD, from both edges', async () => {
  const photo = await jpeg(200, 200);
  const { data } = await upload(site, photo);
  for (const edge of stack.edges) {
    const url = edge + new URL(data.url).pathname;
    const part = await fetch(url, { headers: { Range: 'bytes=10-19' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(photo.subarray(10, 20))).toBe(true);
    const whole = await fetch(url, { method: 'HEAD' });
    expect(whole.headers.get('content-length')).toBe(String(photo.length));
    const known = await fetch(url, { headers: { 'If-None-Match': whole.headers.get('etag')! } });
    expect(known.status).toBe(304);
  }
});

test('addresses that name no file are 404', async () => {
  const { data } = await upload(site, await jpeg());
  const { origin, pathname } = new URL(data.url);
  const [, prefix, id, file] = pathname.split('/');
  const [hash] = file!.split('.');
  for (const path of [
    `/${prefix}/`,
    `/${prefix}/${id}`,
    `/${prefix}/${id}/`,
    `/${prefix}/${id}/${hash}`,
    `/${prefix}/${id}/${'0'.repeat(32)}.jpg`,
    `/${prefix}/${hash}/${file}`,
    `/${prefix}/${id}/../${id}/${file}`,
    `/${prefix}/${id!.toUpperCase()}/${file}`,
    `/${prefix}/%2e%2e/${file}`,
  ]) {
    expect((await fetch(origin + path, { redirect: 'manual' })).status).toBe(
      path.includes('..') && !path.includes('%') ? 200 : 404,
    );
  }
});
