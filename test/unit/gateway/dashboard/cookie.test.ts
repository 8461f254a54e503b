import { expect, test } from '@jest/globals';
import { createSessionCookie } from '../../../../services/gateway/dashboard/cookie.ts';

test('under HTTPS it is a __Host- cookie that only the browser reads, and only this host sets', () => {
  const cookie = createSessionCookie({ url: 'https://publish.example.com' });
  expect(cookie.set('abc')).toBe(
    '__Host-fieldstone_session=abc; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax',
  );
  expect(cookie.clear()).toMatch(/^__Host-fieldstone_session=; Max-Age=0; Path=\/; HttpOnly; Secure/);
  expect(cookie.read('a=b; __Host-fieldstone_session=abc')).toBe('abc');
  expect(cookie.read('fieldstone_session_443=abc')).toBeUndefined();
});

test('on loopback HTTP it is strict, for the dashboard alone, and named after the port, which cookies ignore', () => {
  const cookie = createSessionCookie({ url: 'http://localhost:8080' });
  expect(cookie.set('abc')).toBe(
    'fieldstone_session_8080=abc; Max-Age=2592000; Path=/dashboard; HttpOnly; SameSite=Strict',
  );
  expect(cookie.read('fieldstone_session_8081=other; fieldstone_session_8080=abc')).toBe('abc');
  expect(cookie.read(undefined)).toBeUndefined();
});
