import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestFetcher, serveHttp, type TestServer } from './servers.ts';

// Every spelling of a private IP address or name, with the canary's port for PORT.
const addresses = [
  // loopback, IPv4, in every notation that URL parsers or C libraries know
  '127.0.0.1',
  '127.0.0.2',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7F.0.0.1',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '0177.1',
  '0x7f.0.0x0.01',
  '0177.0x0.0.1',
  '127.0.0.1.',
  '127.1.',
  '0',
  '0.0.0.0',
  '0x0',
  '00.0.0.0',
  '１２７.０.０.１',
  '127。0。0。1',
  '127．0．0．1',
  '①②⑦.0.0.1',
  '%31%32%37.0.0.1',
  '127%2e0%2e0%2e1',
  '0x7f%2E1',
  '127.0.0.1%2e',
  // private, shared, link-local, metadata
  '10.0.0.1',
  '10.255.255.255',
  '012.0.0.1',
  '167772161',
  '172.16.0.1',
  '172.31.255.255',
  '2886729729',
  '192.168.0.1',
  '0xc0a80001',
  '192.168.257',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '169.254.43518',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  // reserved
  '0.1.2.3',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '4294967295',
  // IPv6: loopback, unspecified, mapped, compatible, translated, tunnelled
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::FFFF:10.0.0.1]',
  '[::ffff:8.8.8.8]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[::a00:1]',
  '[::ffff:0:127.0.0.1]',
  '[::ffff:0:7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2002:0a00:0001::1]',
  '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
  '[2001:4860:0:1:0:5efe:127.0.0.1]',
  '[2001:4860:0:1:200:5efe:a00:1]',
  // IPv6: local and reserved
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[2001:2::1]',
  '[2001:10::1]',
  '[2001:20::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[4000::1]',
  '[8000::1]',
  '[::2]',
  '[1::]',
  // names that are loopback by their own rule
  'localhost',
  'LOCALHOST',
  'localhost.',
  'LocalHost.',
  'a.localhost',
  'a.b.localhost.',
  'ｌｏｃａｌｈｏｓｔ',
  'ⓛocalhost',
  'local%68ost',
];

const malformed = [
  ['http://[fe80::1%25lo]:PORT/', 'invalid_url'],
  ['http://[fe80::1%lo]:PORT/', 'invalid_url'],
  ['http://[::1:PORT/', 'invalid_url'],
  ['http://::1:PORT/', 'invalid_url'],
  ['http://127.0.0.256:PORT/', 'invalid_url'],
  ['http://127.0.0.08:PORT/', 'invalid_url'],
  ['http://0x100000000:PORT/', 'invalid_url'],
  ['http://127.0.0.1:99999/', 'invalid_url'],
  ['http://127.0.0.1..:PORT/', 'invalid_url'],
  ['http://loc alhost:PORT/', 'invalid_url'],
  ['http://local\u0000host:PORT/', 'invalid_url'],
  ['http://exa$mple:PORT/', 'invalid_url'],
  ['http://a..b:PORT/', 'invalid_url'],
  [`http://${'a.'.repeat(140)}test:PORT/`, 'invalid_url'],
  [`http://127.0.0.1:PORT/${'a'.repeat(9000)}`, 'invalid_url'],
  ['http://', 'invalid_url'],
  ['', 'invalid_url'],
  ['//127.0.0.1:PORT/', 'invalid_url'],
  ['/etc/passwd', 'invalid_url'],
  ['127.0.0.1:PORT/x', 'invalid_url'],
  ['localhost:PORT/x', 'refused_scheme'],
  ['file:///etc/passwd', 'refused_scheme'],
  ['file://127.0.0.1/etc/passwd', 'refused_scheme'],
  ['ftp://127.0.0.1:PORT/', 'refused_scheme'],
  ['gopher://127.0.0.1:PORT/_GET%20/', 'refused_scheme'],
  ['dict://127.0.0.1:PORT/', 'refused_scheme'],
  ['ws://127.0.0.1:PORT/', 'refused_scheme'],
  ['unix:/var/run/docker.sock', 'refused_scheme'],
  ['data:text/plain,inside', 'refused_scheme'],
  ['javascript:alert(1)', 'refused_scheme'],
  ['blob:http://127.0.0.1:PORT/1', 'refused_scheme'],
  ['view-source:http://127.0.0.1:PORT/', 'refused_scheme'],
  ['http://user@127.0.0.1:PORT/', 'refused_credentials'],
  ['http://user:secret@127.0.0.1:PORT/', 'refused_credentials'],
  ['http://:secret@127.0.0.1:PORT/', 'refused_credentials'],
  ['http://example.com@127.0.0.1:PORT/', 'refused_credentials'],
  ['http://example.com%40127.0.0.1:PORT/', 'invalid_url'],
  ['http://127.0.0.1:PORT\\@example.com/', 'refused_address'],
  ['http://127.0.0.1:PORT#@example.com/', 'refused_address'],
  ['http:127.0.0.1:PORT/', 'refused_address'],
  ['http:\\\\127.0.0.1:PORT/', 'refused_address'],
  ['http:///127.0.0.1:PORT/', 'refused_address'],
  ['ht\ntp://127.0.\t0.1:PORT/', 'refused_address'],
  ['  http://127.0.0.1:PORT/  ', 'refused_address'],
  ['HTTP://127.0.0.1:PORT/', 'refused_address'],
] as const;

const ports = [
  '1',
  '21',
  '22',
  '25',
  '53',
  '81',
  '3306',
  '5432',
  '6379',
  '7233',
  '9000',
  '9090',
  '11211',
  '26257',
  '65535',
  '0',
];

let canary: TestServer;
let dialled = 0;
beforeAll(async () => {
  canary = await serveHttp((_request, response) => response.end('inside'));
});
afterAll(() => canary.close());

async function refusalOf(url: string): Promise<{ code: string; message: string }> {
  const fetcher = createTestFetcher({
    resolve: async () => ['8.8.8.8'],
    dial: () => {
      dialled++;
      throw new Error('dialled');
    },
  });
  return fetcher.fetchBytes(url.replaceAll('PORT', String(canary.port)), { maxBytes: 1000 }).then(
    () => ({ code: 'answered', message: '' }),
    (error) => ({ code: error.code, message: error.message }),
  );
}

// rule: break.12
describe('URLs that lead inside are refused before anything is connected', () => {
  test.each(addresses)('%s', async (host) => {
    for (const url of [`http://${host}:PORT/`, `http://${host}/`, `https://${host}/`]) {
      expect((await refusalOf(url)).code).toBe('refused_address');
    }
  });

  test.each(malformed)('%j is %s', async (url, code) => {
    expect((await refusalOf(url)).code).toBe(code);
  });

  test.each(ports)('port %s of a public host', async (port) => {
    expect((await refusalOf(`http://93.184.215.14:${port}/`)).code).toBe('refused_port');
    expect((await refusalOf(`http://public.example:${port}/`)).code).toBe('refused_port');
  });

  // rule: threat.15
  test('a private address reads the same on every port, open or closed', async () => {
    const messages = new Set<string>();
    for (const port of [canary.port, 1, 80, 9000]) messages.add((await refusalOf(`http://127.0.0.1:${port}/`)).message);
    expect([...messages]).toEqual(['The URL does not lead to a public address.']);
  });
});

// rule: media.7
test('the canary, reachable when allowed, saw none of them', async () => {
  const allowed = createTestFetcher({ allow: [canary.pair] });
  const before = canary.connections();
  const answer = await allowed.fetchBytes(`${canary.url}/`, { maxBytes: 1000 });
  expect(answer.bytes.toString()).toBe('inside');
  expect([before, canary.connections(), dialled]).toEqual([0, 1, 0]);
});
