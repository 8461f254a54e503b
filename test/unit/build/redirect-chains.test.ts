import { expect, test } from '@jest/globals';
import { flattenRedirects } from '../../../services/build/redirects.ts';

const redirect = (from: string, to: string, status = 301) => ({ from, to, status });

test('a chain is flattened and keeps the status of its first step', () => {
  const flat = flattenRedirects([
    redirect('/a', '/b', 302),
    redirect('/b', '/c'),
    redirect('/c', 'https://host.test/'),
  ]);
  expect(flat).toEqual({
    '/a': ['https://host.test/', 302],
    '/b': ['https://host.test/', 301],
    '/c': ['https://host.test/', 301],
  });
});

test('a loop is left out', () => {
  expect(flattenRedirects([redirect('/a', '/b'), redirect('/b', '/a'), redirect('/c', '/a')])).toEqual({});
});

test('an encoded slash is part of a name', () => {
  const flat = flattenRedirects([redirect('/a%2fb', '/c'), redirect('/d', '/a%2Fb')]);
  expect(flat).toEqual({ '/a%2Fb': ['/c', 301], '/d': ['/c', 301] });
});

test('a query ends a chain, and encoded paths are found', () => {
  const flat = flattenRedirects([
    redirect('/a', '/b?x=1'),
    redirect('/b', '/c'),
    redirect('/d', '/caf%C3%A9'),
    redirect('/café', '/e'),
  ]);
  expect(flat).toEqual({ '/a': ['/b?x=1', 301], '/b': ['/c', 301], '/d': ['/e', 301], '/café': ['/e', 301] });
});

// rule: threat.26
test('a chain of any length costs its length', () => {
  const length = 30_000;
  const chain = Array.from({ length }, (_, n) => ({ from: `/${n}`, to: `/${n + 1}`, status: 301 }));
  const flat = flattenRedirects(chain);
  expect(Object.keys(flat)).toHaveLength(length);
  expect(flat['/0']).toEqual([`/${length}`, 301]);
  expect(flattenRedirects([...chain, { from: `/${length}`, to: '/5', status: 301 }])).toEqual({});
});
