import { afterAll, expect, test } from '@jest/globals';
import { closeStack, makeSite, request } from '../harness/api.ts';
import { signInByLink } from '../harness/dashboard.ts';
import { makeMember } from '../harness/people.ts';

afterAll(closeStack);

test('/ redirects browsers, and no other client, to the dashboard', async () => {
  const browser = await request('GET', '//', { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
  expect([browser.status, browser.headers.get('location')]).toEqual([302, '/dashboard']);
  const program = await request('GET', '//', { headers: { Accept: '*/*' } });
  expect([program.status, program.error.code]).toEqual([404, 'not_found']);
});

test.each(['/dashboard', '/dashboard/', '/dashboard/link', '/dashboard/key-request', '/dashboard/sites/a/content'])(
  '%s is a page that runs our own script alone, and in no frame',
  async (path) => {
    const { status, headers, text } = await request('GET', `/${path}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/(?:^|; )script-src 'self'(?:;|$)/);
    expect(policy).toMatch(/(?:^|; )connect-src 'self'(?:;|$)/);
    expect(policy).not.toMatch(/unsafe|\*/);
    expect([headers.get('referrer-policy'), headers.get('x-content-type-options')]).toEqual(['no-referrer', 'nosniff']);
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|style=/);
    for (const [, file] of text.matchAll(/(?:src|href)="(\/[^"]+)"/g))
      expect((await request('GET', `/${file}`)).status).toBe(200);
  },
);

test('a file of the page is cached for a year, and compressed as the browser asks', async () => {
  const { text } = await request('GET', '//dashboard');
  const [, script] = /<script type="module" src="([^"]+)"/.exec(text)!;
  for (const [accepted, used] of [
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const { status, headers } = await request('GET', `/${script}`, { headers: { 'Accept-Encoding': accepted } });
    expect([status, headers.get('content-encoding'), headers.get('vary')]).toEqual([200, used, 'Accept-Encoding']);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
  expect((await request('GET', '//dashboard/assets/index.json')).status).toBe(404);
  expect((await request('GET', '//dashboard/assets/..%2findex.ts')).status).toBe(404);
});

test('the page of a user differs from that of a stranger only by the reads that it names, and is stored nowhere', async () => {
  const { slug } = await makeSite();
  const { id, email } = await makeMember(slug, 'editor');
  const { cookie } = await signInByLink(id);
  const read = async (headers: Record<string, string>) => {
    const reply = await request('GET', `//dashboard/sites/${slug}`, { headers });
    expect(reply.headers.get('cache-control')).toBe('private, no-cache');
    return reply.text.replaceAll(/nonce="[^"]+"/g, '').split('\n');
  };
  const [stranger, member] = [await read({}), await read({ Cookie: cookie })];
  const added = member.filter((line) => !stranger.includes(line));
  expect(added.length).toBeGreaterThan(2);
  for (const line of added)
    expect(line).toMatch(/^<link rel="preload" as="fetch" crossorigin href="\/dashboard\/api\//);
  expect(member.filter((line) => !added.includes(line))).toEqual(stranger);
  expect(member.join()).not.toContain(email);
  expect(member.join()).not.toContain(id);
});

test('every page has its own nonce for styles', async () => {
  const nonceOf = async () => {
    const { headers, text } = await request('GET', '//dashboard');
    const [, nonce] = /'nonce-([^']+)'/.exec(headers.get('content-security-policy')!)!;
    expect(text).toContain(`nonce="${nonce}"`);
    return nonce;
  };
  expect(await nonceOf()).not.toBe(await nonceOf());
});

test('a path of the dashboard that is not there is 404, another method 405', async () => {
  expect((await request('GET', '//dashboard/api/nothing')).status).toBe(404);
  const { status, headers } = await request('PUT', '//dashboard/api/sign-in', { body: {} });
  expect([status, headers.get('allow')]).toEqual([405, 'POST']);
});
