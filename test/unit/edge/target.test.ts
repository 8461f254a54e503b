import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normaliseHost, parseTarget } from '../../../services/edge/target.ts';

const pathOf = (target: string) => {
  const parsed = parseTarget(target, 'example.com');
  return 'status' in parsed ? parsed.status : parsed.path;
};

describe('request target', () => {
  test.each<[string, string | number]>([
    ['/', '/'],
    ['/posts/a/', '/posts/a/'],
    ['/caf%C3%A9/', '/caf%C3%A9/'],
    ['/a%20b', '/a%20b'],
    ['/../../etc/passwd', '/../../etc/passwd'],
    ['/%2e%2e/', '/%2e%2e/'],
    ['/a%2Fb', '/a%252Fb'],
    ['/a%2fb', '/a%252Fb'],
    ['//evil.example/', '//evil.example/'],
    ['/?q=1', '/'],
    ['/a#b', '/a'],
    ['http://other.example/x?y', '/x'],
    ['HTTP://other.example', '/'],
    ['/%00', 400],
    ['/a%0d%0aSet-Cookie:x', 400],
    ['/%7f', 400],
    ['/%c0%ae', 400],
    ['/%ff', 400],
    ['/%', 400],
    ['/%zz', 400],
    ['/\u00e9', 400],
    ['/a b', 400],
    ['*', 400],
    ['', 400],
    ['ftp://example.com/', 400],
    ['a/b', 400],
    [`/${'a'.repeat(9000)}`, 414],
  ])('%p is read as %p', (target, result) => {
    expect(pathOf(target)).toBe(result);
  });

  test('the query is kept as sent', () => {
    expect(parseTarget('/a?x=%00&y=//b', 'h')).toMatchObject({ path: '/a', simple: true, query: '?x=%00&y=//b' });
  });

  test('the host of an absolute target counts, not the header', () => {
    expect(parseTarget('http://A.Example:8080/x', 'b.example')).toMatchObject({ host: 'a.example' });
  });

  test('no target makes it throw, and every path begins with a slash and decodes without a control character', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'/%.02ef?#:@c0') })), (text) => {
        const parsed = parseTarget(`/${text}`, text);
        if ('status' in parsed) return [400, 414].includes(parsed.status);
        return parsed.path.startsWith('/') && !/[\u0000-\u001f\u007f]/.test(decodeURIComponent(parsed.path));
      }),
    );
  });
});

describe('host', () => {
  test.each([
    ['Example.COM', 'example.com'],
    ['example.com:8080', 'example.com'],
    ['example.com.', 'example.com'],
    ['example.com.:80', 'example.com'],
    ['[::1]:8081', '[::1]'],
    ['[::1]', '[::1]'],
    ['', ''],
    [undefined, ''],
    ['x'.repeat(5000), ''],
  ])('%p is %p', (header, host) => {
    expect(normaliseHost(header)).toBe(host);
  });
});
