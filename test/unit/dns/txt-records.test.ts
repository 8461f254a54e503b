import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { createTxtReader } from '../../../services/engines/dns/txt-records.ts';
import { type DnsResponse, startDnsServer } from '../../harness/dns-server.ts';

const name = '_fieldstone.www.example.com';

/** Queries a server that has this response for the name. */
async function ask(response?: DnsResponse, asked = name) {
  await using server = await startDnsServer();
  if (response) server.zone.set(asked, response);
  const read = createTxtReader({ dnsServers: [server.address] });
  const result = await read(asked).catch((error: NodeJS.ErrnoException) => ({ code: error.code }));
  return { result, asked: server.asked };
}

test('every record is one text, however many strings it is of', async () => {
  const { result, asked } = await ask([['v=spf1 -all'], ['fieldstone-site=', '123', '-456'], ['']]);
  expect(result).toEqual(['v=spf1 -all', 'fieldstone-site=123-456', '']);
  expect(asked).toEqual({ udp: [name], tcp: [] });
});

test('records that do not fit into a datagram are read over TCP', async () => {
  const long = Array.from({ length: 12 }, (_item, index) => ['x'.repeat(200), String(index)]);
  const { result, asked } = await ask([...long, ['the last']]);
  expect(result).toEqual([...long.map((strings) => strings.join('')), 'the last']);
  expect(asked.tcp).toEqual([name]);
});

test('a name without records, and one that is not there, have none', async () => {
  expect((await ask([])).result).toEqual([]);
  expect((await ask('NXDOMAIN')).result).toEqual([]);
});

test.each([
  ['SERVFAIL', 'ESERVFAIL'],
  ['REFUSED', 'EREFUSED'],
] as const)('%s is a failure, not "no records"', async (response, code) => {
  expect((await ask(response)).result).toEqual({ code });
});

test('a server that stays silent is a failure, after more than one question', async () => {
  const { result, asked } = await ask('silence');
  expect(result).toEqual({ code: 'ETIMEOUT' });
  expect(asked.udp.length).toBeGreaterThan(1);
});

test('a server that is not there is a failure', async () => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  const read = createTxtReader({ dnsServers: [`127.0.0.1:${port}`] });
  await expect(read(name)).rejects.toMatchObject({ code: expect.stringMatching(/^E(CONNREFUSED|TIMEOUT)$/) });
});

test('the second server is asked when the first stays silent', async () => {
  await using first = await startDnsServer();
  await using second = await startDnsServer();
  first.zone.set(name, 'silence');
  second.zone.set(name, [['found']]);
  expect(await createTxtReader({ dnsServers: [first.address, second.address] })(name)).toEqual(['found']);
});

test('names in ASCII form are asked for as they are', async () => {
  const idn = '_fieldstone.xn--bcher-kva.example';
  const { result, asked } = await ask([['here']], idn);
  expect(result).toEqual(['here']);
  expect(asked.udp).toEqual([idn]);
});
