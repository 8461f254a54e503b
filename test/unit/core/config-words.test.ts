import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { ConfigError, loadConfig } from '../../../services/core/config.ts';

describe.each([
  ['FIELDSTONE_LOG_LEVEL', 'loud'],
  ['FIELDSTONE_WORKER_QUEUES', 'general,mail'],
  ['FIELDSTONE_FACT_CHECK_PROVIDER', 'oracle'],
  ['FIELDSTONE_COCKROACHDB_TUNING', 'yes'],
])('%s', (name, value) => {
  test('is refused by its name where its word means nothing', () => {
    expect(() => loadConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`^${name} must `));
  });
});

test.each(['0x10', '1e3', '5abc', '-1', '1.5', '1_000', ' ', '65536'])(
  'a number is a number from its first to its last digit, within its bounds: %j is not',
  (value) => {
    expect(() => loadConfig({ FIELDSTONE_PORT: value })).toThrow(
      new ConfigError(`FIELDSTONE_PORT must be a whole number from 0 to 65535, not "${value}".`),
    );
  },
);

test('why settings are not read by the conversions of zod: they read other numbers and flags than were written', () => {
  const numbers = ['', '0x10', '1e3'].map((text) => z.coerce.number().int().parse(text));
  expect(numbers).toEqual([0, 16, 1000]);
  expect(z.coerce.boolean().parse('false')).toBe(true);
});

test.each([
  ['FIELDSTONE_TRUSTED_PROXIES', '10.0.0.0/8, bogus', 'CIDRs such as 10.0.0.0/8, not "bogus"'],
  ['FIELDSTONE_TRUSTED_PROXIES', '10.0.0.0/33', 'CIDRs such as 10.0.0.0/8, not "10.0.0.0/33"'],
  ['FIELDSTONE_FETCH_ALLOW', 'images.internal', 'host:port pairs such as 127.0.0.1:9000, not "images.internal"'],
  ['FIELDSTONE_FETCH_ALLOW', '127.0.0.1:99999', 'host:port pairs such as 127.0.0.1:9000, not "127.0.0.1:99999"'],
  [
    'FIELDSTONE_DNS_SERVERS',
    'dns.example.com',
    'IP addresses such as 10.0.0.53 or 127.0.0.1:5353, not "dns.example.com"',
  ],
  ['FIELDSTONE_DNS_SERVERS', '10.0.0.53:0', 'IP addresses such as 10.0.0.53 or 127.0.0.1:5353, not "10.0.0.53:0"'],
])('%s=%s is refused by what is wrong with it', (name, value, message) => {
  expect(() => loadConfig({ [name]: value })).toThrow(new ConfigError(`${name} must list ${message}.`));
});

test('lists of addresses are taken as they are written', () => {
  const { trustedProxies, fetchAllow, dnsServers } = loadConfig({
    FIELDSTONE_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1, 2001:db8::/32, ::1',
    FIELDSTONE_FETCH_ALLOW: 'images.internal:9000, [::1]:80',
    FIELDSTONE_DNS_SERVERS: '10.0.0.53, 127.0.0.1:5353, ::1, [2001:db8::1]:53',
  });
  expect(trustedProxies).toEqual(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', '::1']);
  expect(fetchAllow).toEqual(['images.internal:9000', '[::1]:80']);
  expect(dnsServers).toEqual(['10.0.0.53', '127.0.0.1:5353', '::1', '[2001:db8::1]:53']);
});
