import { describe, expect, test } from '@jest/globals';
import type { Context } from '../../../../services/gateway/context.ts';
import { requireOwnOrigin } from '../../../../services/gateway/dashboard/origin.ts';

function ask(url: string, method: string, headers: Record<string, string>): string {
  const ctx = { method, app: { config: { url } }, req: { headers } } as unknown as Context;
  try {
    requireOwnOrigin(ctx);
    return 'accepted';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const site = 'https://publish.example.com';
const local = 'http://localhost:8080';

describe('a call that changes something', () => {
  test.each([
    ['names our origin', site, { origin: site }, 'accepted'],
    ['comes from our page', site, { origin: site, 'sec-fetch-site': 'same-origin' }, 'accepted'],
    ['names no origin', site, {}, 'forbidden'],
    ['names another host', site, { origin: 'https://evil.example.com' }, 'forbidden'],
    ['names no origin that can be read', site, { origin: 'null' }, 'forbidden'],
    ['names our host without HTTPS', site, { origin: 'http://publish.example.com' }, 'forbidden'],
    ['names another port', site, { origin: `${site}:8443` }, 'forbidden'],
    ['names loopback although we are not there', site, { origin: local, host: 'localhost:8080' }, 'forbidden'],
    [
      'comes from a page of our domain, not of our host',
      site,
      { origin: site, 'sec-fetch-site': 'same-site' },
      'forbidden',
    ],
    ['comes from elsewhere', site, { origin: site, 'sec-fetch-site': 'cross-site' }, 'forbidden'],
    ['comes from no page', site, { origin: site, 'sec-fetch-site': 'none' }, 'forbidden'],
    ['names loopback as it was called', local, { origin: 'http://127.0.0.1:8080', host: '127.0.0.1:8080' }, 'accepted'],
    [
      'comes from another port of loopback',
      local,
      { origin: 'http://localhost:8081', host: 'localhost:8080' },
      'forbidden',
    ],
    [
      'comes from a name that leads to loopback',
      local,
      { origin: 'http://evil.example:8080', host: 'evil.example:8080' },
      'forbidden',
    ],
  ])('and %s', (_what, url, headers, expected) => {
    expect(ask(url, 'POST', headers as Record<string, string>)).toBe(expected);
  });
});

describe('a call that reads', () => {
  test.each([
    ['from our page', { 'sec-fetch-site': 'same-origin' }, 'accepted'],
    ['from a program', {}, 'accepted'],
    ['from the address bar', { 'sec-fetch-site': 'none' }, 'accepted'],
    ['from elsewhere', { 'sec-fetch-site': 'cross-site' }, 'forbidden'],
    ['from another origin', { origin: 'https://evil.example.com' }, 'forbidden'],
  ])('%s', (_what, headers, expected) => {
    expect(ask(site, 'GET', headers as Record<string, string>)).toBe(expected);
  });
});

test('plain HTTP on a host that is not loopback is refused: the password would be readable on the way', () => {
  const url = 'http://192.168.1.5:8080';
  expect(ask(url, 'POST', { origin: url })).toBe('forbidden');
});
