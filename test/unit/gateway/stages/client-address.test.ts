import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { createAddressReader } from '../../../../services/gateway/client-address.ts';

const proxies = ['10.0.0.0/8', 'fd00::/8', '192.0.2.7'];

function read(peer: string | undefined, forwarded?: string | string[], trusted = proxies): string {
  const req = {
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  };
  return createAddressReader(trusted)(req as unknown as IncomingMessage);
}

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  [undefined, 'unknown'],
])('the client at %s counts as %s', (peer, address) => {
  expect(read(peer)).toBe(address);
});

test('what a stranger forwards is not believed', () => {
  expect(read('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9');
  expect(read('10.0.0.1', '198.51.100.1', [])).toBe('10.0.0.1');
  expect(read('unknown', '198.51.100.1')).toBe('unknown');
  expect(read('192.0.2.8', '198.51.100.1')).toBe('192.0.2.8');
});

test.each([
  ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['fd00::1', '198.51.100.1', '198.51.100.1'],
  ['192.0.2.7', '198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', '6.6.6.6, 198.51.100.1', '198.51.100.1'],
  ['10.0.0.1', '6.6.6.6, 198.51.100.1 , 10.9.9.9', '198.51.100.1'],
  ['10.0.0.1', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
  ['10.0.0.1', '198.51.100.1, nonsense', '10.0.0.1'],
  ['10.0.0.1', '198.51.100.1, nonsense, 10.3.3.3', '10.3.3.3'],
  ['10.0.0.1', '', '10.0.0.1'],
  ['10.0.0.1', '2001:db8::1', '2001:db8:0:0::/64'],
  ['10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['10.0.0.1', '6.6.6.6, [2001:db8::1]:4711 , 10.9.9.9:80', '2001:db8:0:0::/64'],
  ['10.0.0.1', '[2001:db8::1]', '2001:db8:0:0::/64'],
  ['10.0.0.1', '198.51.100.1:', '10.0.0.1'],
  ['10.0.0.1', '198.51.100.1:4711x', '10.0.0.1'],
  ['10.0.0.1', 'x:198.51.100.1:4711', '10.0.0.1'],
])('behind the proxy %s, "%s" is %s', (peer, forwarded, address) => {
  expect(read(peer, forwarded)).toBe(address);
});

test('several headers are one list', () => {
  expect(read('10.0.0.1', ['6.6.6.6', '198.51.100.1'])).toBe('198.51.100.1');
  expect(read('10.0.0.1')).toBe('10.0.0.1');
});

test.each(['10.0.0.0/33', 'proxy', '10.0.0.0/'])('the proxy list %s is refused with a sentence', (text) => {
  expect(() => createAddressReader([text])).toThrow(/FIELDSTONE_TRUSTED_PROXIES must list CIDRs/);
});
