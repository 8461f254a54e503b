import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack } from '../harness/api.ts';
import { type EdgeSite, makeEdgeSite, visit } from '../harness/edge.ts';

const script = '<script>alert(1)</script>';
const uploads: Record<string, [name: string, type: string, body: string]> = {
  svg: ['x.1.svg', 'image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`],
  html: ['x.1.html', 'text/html; charset=utf-8', script],
  xhtml: ['x.1.xhtml', 'application/xhtml+xml', script],
  xml: ['x.1.xml', 'text/xml', '<?xml-stylesheet href="x"?><x/>'],
};
let site: EdgeSite;

beforeAll(async () => {
  const files = Object.values(uploads).map(([name, type, body]) => [`/_assets/${name}`, { body, type }]);
  site = await makeEdgeSite({
    files: {
      '/': { body: 'page', csp: "script-src 'self'" },
      '/plain/': { body: 'page without a policy' },
      '/_assets/x.1.bin': { body: 'bytes', type: 'application/octet-stream' },
      '/_assets/x.1.png': { body: 'png', type: 'image/png' },
      ...Object.fromEntries(files),
    },
  });
});
afterAll(closeStack);

describe('uploaded documents', () => {
  // rule: threat.13
  test.each(Object.keys(uploads))('%s can run no script', async (kind) => {
    const path = `/_assets/${uploads[kind]![0]}`;
    for (const reply of [await visit(site.base + path), await visit(path, { headers: { host: site.domain } })]) {
      expect(reply.status).toBe(200);
      const policy = reply.headers['content-security-policy'];
      expect(policy).toMatch(/^sandbox;/);
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/allow-|script-src/);
      expect(reply.headers['x-content-type-options']).toBe('nosniff');
    }
  });

  test.each(['html', 'xhtml', 'xml'])('%s is a download', async (kind) => {
    const reply = await visit(`${site.base}/_assets/${uploads[kind]![0]}`);
    expect(reply.headers['content-disposition']).toBe('attachment');
  });

  test('unknown bytes are a download, pictures are shown', async () => {
    expect((await visit(`${site.base}/_assets/x.1.bin`)).headers['content-disposition']).toBe('attachment');
    expect((await visit(`${site.base}/_assets/x.1.png`)).headers['content-disposition']).toBeUndefined();
  });

  test('a part and a 304 keep the policy', async () => {
    const path = `${site.base}/_assets/x.1.svg`;
    const { etag } = (await visit(path)).headers;
    for (const [name, value] of [
      ['Range', 'bytes=0-5'],
      ['If-None-Match', etag!],
    ] as const) {
      expect((await visit(path, { headers: { [name]: value } })).headers['content-security-policy']).toMatch(
        /^sandbox;/,
      );
    }
  });
});

describe('pages', () => {
  // rule: threat.12
  test("carry their release's policy, or a strict one", async () => {
    expect((await visit(`${site.base}/`)).headers['content-security-policy']).toBe("script-src 'self'");
    const policy = (await visit(`${site.base}/plain/`)).headers['content-security-policy'];
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("object-src 'none'");
    expect(policy).toContain("frame-ancestors 'self'");
  });

  // rule: threat.34
  test('set no cookie and name no server', async () => {
    const { headers } = await visit(`${site.base}/`);
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers.server).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin');
  });
});
