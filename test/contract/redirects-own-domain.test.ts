import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { closeStack, makeSite } from '../harness/api.ts';

afterAll(closeStack);

const freshDomain = () => `d${randomUUID()}.example.com`;

test('a domain on which a redirect would lead back to itself is refused, and the redirect is named', async () => {
  const [site, domain] = [await makeSite(), freshDomain()];
  const { data: redirect } = await site.request('POST', '/redirects', { from: '/a', to: `https://${domain}/a/` });
  const refused = await site.request('PATCH', '', { domain, name: 'Other' });
  expect([refused.status, refused.error.details]).toEqual([
    422,
    [
      {
        path: 'domain',
        message: `the redirect from /a to https://${domain}/a/ would lead back to itself there: change or delete it first`,
      },
    ],
  ]);
  expect((await site.request('GET', '')).data).toMatchObject({ domain: null, name: `Site ${site.slug}` });

  expect((await site.request('PATCH', `/redirects/${redirect.id}`, { to: `https://${domain}/b` })).status).toBe(200);
  expect((await site.request('PATCH', '', { domain })).data.domain).toBe(domain);
  const back = await site.request('POST', '/redirects', { from: '/b', to: '/a' });
  expect([back.status, back.error.details[0].path]).toEqual([422, 'to']);
});

test('a loop over several redirects is found as well, and one through another host is none', async () => {
  const [site, domain] = [await makeSite(), freshDomain()];
  for (const [from, to] of [
    ['/one', '/two'],
    ['/two', `http://${domain.toUpperCase()}/three`],
    ['/four', `https://www.${domain}/four`],
    ['/five', `https://${domain}:8443/five`],
  ])
    expect((await site.request('POST', '/redirects', { from, to })).status).toBe(201);
  const { data: last } = await site.request('POST', '/redirects', { from: '/three', to: '/one' });
  expect((await site.request('PATCH', '', { domain })).status).toBe(422);
  expect((await site.request('PATCH', '', { domain: `other-${domain}` })).status).toBe(200);
  await site.request('DELETE', `/redirects/${last.id}`);
  expect((await site.request('PATCH', '', { domain })).status).toBe(200);
});

test('a domain and a redirect to it that come at once do not make a loop', async () => {
  for (let round = 0; round < 10; round++) {
    const [site, domain] = [await makeSite(), freshDomain()];
    const replies = await Promise.all([
      site.request('PATCH', '', { domain }),
      site.request('POST', '/redirects', { from: '/a', to: `https://${domain}/a` }),
    ]);
    expect(replies.map(({ status }) => status)).toContain(422);
  }
});
