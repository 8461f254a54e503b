import assert from 'node:assert/strict';
import { BlockList, isIP, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { isPublicAddress } from '../../../services/engines/fetch/address.ts';
import { FetchError } from '../../../services/engines/fetch/errors.ts';
import { parseTarget } from '../../../services/engines/fetch/target.ts';
import { externalUrl, looksExternal } from '../../../services/features/mapping/images/external-url.ts';
import { parseSrcset } from '../../../services/features/mapping/images/srcset.ts';
import { anyText, attempt, pieced, target } from '../target.ts';

/**
 * IP addresses that external input must not make us connect to, from the IANA special-purpose registries, independent
 * of the product's own list.
 */
const inside = new BlockList();
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  const [net, bits] = range.split('/') as [string, string];
  inside.addSubnet(net, Number(bits), 'ipv4');
}
for (const range of [
  '::/128',
  '::1/128',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
]) {
  const [net, bits] = range.split('/') as [string, string];
  inside.addSubnet(net, Number(bits), 'ipv6');
}
const isInside = (address: string) =>
  inside.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') || /^::ffff:/i.test(address);

const octet = fc.oneof(fc.constantFrom(0, 10, 127, 169, 172, 192, 254, 255), fc.nat({ max: 255 }));
const ipv4 = fc.tuple(octet, octet, octet, octet);
const part = (notation: number) => (n: number) =>
  notation === 0 ? String(n) : notation === 1 ? `0x${n.toString(16)}` : `0${n.toString(8)}`;
/** An IP address in any spelling that resolvers have ever accepted. */
const spelledIpv4 = fc.tuple(ipv4, fc.nat({ max: 2 }), fc.nat({ max: 3 })).map(([octets, notation, dots]) => {
  const [a, b, c, d] = octets;
  const write = part(notation);
  if (dots === 0) return write(((a * 256 + b) * 256 + c) * 256 + d);
  if (dots === 1) return `${write(a)}.${write((b * 256 + c) * 256 + d)}`;
  if (dots === 2) return `${write(a)}.${write(b)}.${write(c * 256 + d)}`;
  return octets.map(write).join('.');
});
const group = fc.oneof(
  fc.constantFrom(0, 1, 0xffff, 0xfe80, 0xfc00, 0x2002, 0x64, 0xff9b, 0x7f00, 0x5efe, 0x2001, 0xdb8),
  fc.nat({ max: 0xffff }),
);
const spelledIpv6 = fc.oneof(
  fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.map((n) => n.toString(16)).join(':')),
  ipv4.map((octets) => `::ffff:${octets.join('.')}`),
  ipv4.map((octets) => `::${octets.join('.')}`),
  ipv4.map((octets) => `64:ff9b::${octets.join('.')}`),
  fc.tuple(group, group).map(([a, b]) => `${a.toString(16)}::${b.toString(16)}`),
  fc.constantFrom('::1', '::', 'fe80::1%25eth0', 'fe80::1%eth0'),
);
const host = fc.oneof(
  spelledIpv4,
  spelledIpv6.map((address) => `[${address}]`),
  fc.constantFrom(
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    'example.com',
    'ex%61mple.com',
    '１２７.0.0.1',
    '127。0。0。1',
    '①②⑦.0.0.1',
    '127.0.0.1.',
    '0',
    'x'.repeat(260),
  ),
  anyText(12),
);
const url = fc
  .tuple(
    fc.constantFrom('http://', 'https://', 'HTTP:\\\\', 'http:', '//', 'ftp://', 'file:///', 'gopher://', ''),
    fc.constantFrom('', '', '', 'user@', 'user:pass@', '@', 'example.com@', 'example.com#@', 'example.com\\@'),
    host,
    fc.constantFrom('', '', ':80', ':443', ':8080', ':22', ':0', ':65536', ':', ':080'),
    fc.constantFrom('', '/', '/a.png', '?x', '#f', '/%00', '/\n'),
  )
  .map((parts) => parts.join(''));
const allow = new Set<string>();
const base = new URL('https://example.com/somewhere/');
const srcsetPieces = [
  'a.png',
  'https://x.test/a,b.png',
  ',',
  ', ',
  ' ',
  '2x',
  '1.5x',
  '480w',
  '-1w',
  '1e9x',
  '(',
  ')',
  '\n',
  'data:,x',
];

export const networkTargets = [
  target({
    name: 'fetched url',
    inputs: fc.oneof(
      url,
      pieced(['http', 's', '://', '@', '127.0.0.1', '.', ':', '80', '/', '[', ']', '::1', '%', '\\', '\t'], 10),
      anyText(60),
    ),
    check(input) {
      for (const found of [
        attempt(() => parseTarget(input, allow), FetchError),
        attempt(() => parseTarget(input, allow, base), FetchError),
      ]) {
        if (found === null) continue;
        // the connection is made to the host that a second parser reads from the final URL
        const again = new URL(found.url.href);
        const name = again.hostname.replace(/^\[|\]$/g, '');
        assert.ok(
          /^https?:$/.test(again.protocol) && again.username === '' && again.password === '' && again.hash === '',
        );
        assert.ok([80, 443, 8080, 8443].includes(found.port));
        assert.equal(found.port, Number(again.port || (again.protocol === 'http:' ? 80 : 443)));
        assert.equal(found.address, isIP(name) ? name : null);
        if (isIP(name)) assert.ok(!isInside(name), name);
        else assert.ok(/^[a-z0-9_.-]+$/.test(name) && !/(?:^|\.)localhost$/.test(name));
      }
    },
    pump: {
      pieces: ['http://', 'a', '.', '@', ':', '/', '%41', '１'],
      parse: (text) => attempt(() => parseTarget(text.slice(0, 20_000), allow), FetchError),
    },
  }),
  target({
    name: 'ip address',
    inputs: fc.oneof(
      ipv4.map((octets) => octets.join('.')),
      spelledIpv4,
      spelledIpv6,
      anyText(30),
    ),
    check(address) {
      if (isPublicAddress(address) && isIP(address)) assert.ok(!isInside(address), address);
    },
  }),
  target({
    name: 'image reference',
    inputs: fc.oneof(url, anyText(60)),
    check(text) {
      const external = externalUrl(text);
      if (external === null) return;
      assert.ok(/^https?:\/\//.test(external) && !external.includes('#') && looksExternal(text));
      assert.equal(externalUrl(external), external);
    },
  }),
  target({
    name: 'srcset',
    inputs: fc.oneof(pieced(srcsetPieces, 14), anyText(60)),
    check(text) {
      const candidates = parseSrcset(text);
      for (const [n, { url: found, size }] of candidates.entries()) {
        assert.ok(found !== '' && !/\s/.test(found) && Number.isFinite(size) && size >= 0);
        assert.ok(n === 0 || candidates[n - 1]!.size >= size);
      }
    },
    pump: { pieces: srcsetPieces, parse: parseSrcset },
  }),
];
