import { describe, expect, test } from '@jest/globals';
import { createPathRouter, siteSlugOf, splitTarget } from '../../../services/gateway/target.ts';

describe('a request target', () => {
  test.each([
    ['/a/b?c=d?e', '/a/b', '?c=d?e'],
    ['/%61%2D%2f', '/a-%2f', ''],
    ['http://host.example/a?b', '/a', '?b'],
    ['HTTPS://host.example', '/', ''],
    ['//host.example/a', '//host.example/a', ''],
    ['*', '*', ''],
  ])('%s', (sent, path, search) => {
    expect(splitTarget(sent)).toEqual({ path, search });
  });
});

describe('what the router sees', () => {
  const route = createPathRouter([
    '/api/v1/sites',
    '/api/v1/sites/:site/shell/file/*',
    '/api/v1/sites/:site/shell/file/*',
  ]);

  test('of most paths it is the path', () => {
    expect(route('/api/v1/sites/a')).toEqual({ pathname: '/api/v1/sites/a', rest: undefined });
  });

  test('what a wildcard stands for is hidden from it, and kept as sent', () => {
    const rest = '../%2e%2e/%zz\n/b.css';
    expect(route(`/api/v1/sites/a/shell/file/${rest}`)).toEqual({ pathname: '/api/v1/sites/a/shell/file/_', rest });
  });

  test('segments that cannot be decoded are NUL', () => {
    expect(route('/api/v1/sites/%ff/x%2').pathname).toBe('/api/v1/sites/%00/%00');
  });
});

describe('the site in a path, before it is routed', () => {
  test.each([
    ['/api/v1/sites/my-site', 'my-site'],
    ['/api/v1/sites/my-site/content/1', 'my-site'],
    ['/api/v1/sites', null],
    ['/api/v1/sites/', null],
    ['/api/v1/sites/%6dy/content', null],
    ['/api/v1/sites/My-Site/content', null],
    ['/api/v1/sites/..%2f/content', null],
    ['/api/v1/jobs/sites/a', null],
    ['/uploads/sites/a', null],
  ])('of %s is %s', (path, slug) => {
    expect(siteSlugOf(path)).toBe(slug);
  });
});
