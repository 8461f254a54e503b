import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalHost, isHostName, isLoopback, ownHosts } from '../../../services/core/hosts.ts';

describe('one spelling', () => {
  test.each([
    ['Edge.Example.COM', 'edge.example.com'],
    ['edge.example.com.', 'edge.example.com'],
    ['edge.example.com:8443', 'edge.example.com'],
    ['edge.example.com.:80', 'edge.example.com'],
    ['%65dge.example%2Ecom', 'edge.example.com'],
    ['ｅdge．example。com', 'edge.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['127.0.0.1', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['[::ffff:127.0.0.1]:8081', '127.0.0.1'],
    ['[::FFFF:7f00:1]', '127.0.0.1'],
    ['[0:0:0:0:0:0:0:1]', '[::1]'],
  ])('%s is %s', (spelling, host) => {
    expect(canonicalHost(spelling)).toBe(host);
  });

  test.each([
    '',
    'a b',
    'user@a.example',
    'a.example/x',
    'a.example\\x',
    'a.example?x',
    'a.example:99999',
    '[::1',
    '1.2.3.4.5',
  ])('%j is no host', (text) => {
    expect(canonicalHost(text)).toBeNull();
  });

  test('of a spelling is itself, and nothing makes it throw', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webAuthority(), fc.ipV6(), fc.domain()), (text) => {
        const host = canonicalHost(text);
        return host === null || canonicalHost(host) === host;
      }),
    );
  });
});

test.each([
  ['www.example.com', true],
  ['xn--bcher-kva.example', true],
  ['a-b.example', true],
  ['WWW.example.com', false],
  ['www.example.com.', false],
  ['www.example.com:443', false],
  ['bücher.example', false],
  ['%77ww.example.com', false],
  ['localhost', false],
  ['127.0.0.1', false],
  ['0x7f.1', false],
  ['127.0.0.0x1', false],
  ['[::1]', false],
  ['a_b.example', false],
  ['https://www.example.com', false],
  [`${'a.'.repeat(126)}com`, false],
])('%s as a host name: %s', (text, expected) => {
  expect(isHostName(text)).toBe(expected);
});

test('own hosts are those of both origins, in their one spelling', () => {
  const config = { url: 'https://CMS.example.com:8443', edgeUrl: 'http://0x7f.1:8081' };
  expect([...ownHosts(config)]).toEqual(['cms.example.com', '127.0.0.1']);
});

test.each([
  ['http://127.0.0.1:8080', true],
  ['http://127.1', true],
  ['http://[::1]', true],
  ['http://app.localhost', true],
  ['http://127.evil.example', false],
  ['http://localhost.example', false],
])('%s is on loopback: %s', (url, expected) => {
  expect(isLoopback(new URL(url))).toBe(expected);
});
