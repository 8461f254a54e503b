import { networkInterfaces } from 'node:os';
import { describe, expect, test } from '@jest/globals';
import { isPublicAddress } from '../../../services/engines/fetch/address.ts';

describe('public', () => {
  test.each([
    ...[
      '1.1.1.1',
      '8.8.8.8',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
    ],
    ...['168.63.129.15', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0', '223.255.255.255'],
    ...['2001:4860:4860::8888', '2606:4700::1111', '2a00::', '3ffd::1'],
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each(['2001:4860:0:1:100:5efe:808:808', '2001:4860:0:1:0:5eff:7f00:1', '2001:4860:0:1:5efe:0:7f00:1'])(
    '%s, which only looks like an inner IPv4 address',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe('not public', () => {
  test.each([
    ...[
      '0.0.0.0',
      '10.0.0.0',
      '100.64.0.0',
      '127.0.0.1',
      '168.63.129.16',
      '169.254.169.254',
      '172.16.0.0',
      '192.168.0.1',
    ],
    ...['224.0.0.1', '255.255.255.255', '::', '::1', '::ffff:8.8.8.8', '64:ff9b::808:808', '1fff::1', '4000::1'],
    ...[
      'fc00::1',
      'fe80::1',
      'ff02::1',
      '2001:db8::1',
      '2001:4860:0:1:0:5efe:808:808',
      '2001:4860:0:1:200:5efe:808:808',
    ],
    ...['2001:4860:4860::8888%eth0', '', 'example.com', '8.8.8.8:80', '8.8.8.8 '],
  ])('%j', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test("any of this machine's own", () => {
    const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(({ address }) => isPublicAddress(address))).toEqual([]);
  });
});
