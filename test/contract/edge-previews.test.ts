import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createPreviewToken } from '../../services/core/preview-token.ts';
import { closeStack, stackConfig } from '../harness/api.ts';
import { type EdgeSite, makeEdgeSite, visit } from '../harness/edge.ts';

let site: EdgeSite;
let releaseId: string;

const inMs = (ms: number) => new Date(Date.now() + ms);
const token = (siteId = site.id, expiresAt = inMs(60_000), keys = stackConfig().secretKeys) =>
  createPreviewToken(keys, { siteId, releaseId, expiresAt });

beforeAll(async () => {
  site = await makeEdgeSite({ files: { '/': { body: 'live' } } });
  releaseId = await site.release(
    {
      files: { '/': { body: 'preview' }, '/_assets/a.1.css': { body: 'p{}', type: 'text/css' } },
      redirects: { '/old': ['/new/', 301] },
    },
    'preview',
  );
});
afterAll(closeStack);

describe('a preview', () => {
  test('is served under its token, not to be indexed or kept, and does not touch the live site', async () => {
    const reply = await visit(`/previews/${token()}/`);
    expect([reply.status, reply.text]).toEqual([200, 'preview']);
    expect(reply.headers['cache-control']).toBe('private, no-store');
    expect(reply.headers['x-robots-tag']).toBe('noindex');
    expect(reply.headers['referrer-policy']).toBe('no-referrer');
    expect((await visit(`${site.base}/`)).text).toBe('live');
  });

  test('assets are served with it and are not cached for ever', async () => {
    const reply = await visit(`/previews/${token()}/_assets/a.1.css`);
    expect(reply.status).toBe(200);
    expect(reply.headers['cache-control']).toBe('private, no-store');
  });

  test('redirects stay within it', async () => {
    const base = `/previews/${token()}`;
    expect((await visit(`${base}/old?x=1`)).headers.location).toBe(`${base}/new/?x=1`);
    expect((await visit(base)).headers.location).toBe(`${base}/`);
  });

  // rule: threat.32
  test('an expired, forged, foreign or mangled token opens nothing', async () => {
    const other = await makeEdgeSite({ files: { '/': { body: 'other' } } });
    const valid = token();
    const tokens = [
      token(site.id, inMs(-1000)),
      token(site.id, inMs(60_000), [Buffer.alloc(32, 9)]),
      token(other.id),
      valid.slice(0, -1),
      `${valid}A`,
      `${valid}=`,
      valid.toLowerCase(),
      '%00',
      'x',
    ];
    for (const bad of tokens) {
      const reply = await visit(`/previews/${bad}/`);
      expect([400, 404]).toContain(reply.status);
      expect(reply.text).not.toContain('preview<');
    }
  });

  test("a site's domain has no previews", async () => {
    expect((await visit(`/previews/${token()}/`, { headers: { host: site.domain } })).status).toBe(404);
  });
});
