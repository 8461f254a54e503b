import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { findSilentEngine } from '../../../services/cli/up/silent-engine.ts';
import { loadConfig } from '../../../services/core/config.ts';
import { findFreePort } from '../../../services/engines-local/ports.ts';

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server): Promise<string> {
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const silent = () => listen(createServer());
const nobody = async () => `127.0.0.1:${await findFreePort()}`;
const settings = {
  DATABASE_URL: (at: string) => `postgresql://user:secret@${at}/fieldstone`,
  TEMPORAL_ADDRESS: (at: string) => at,
  S3_ENDPOINT: (at: string) => `http://${at}`,
  BACKUP_S3_ENDPOINT: (at: string) => `http://${at}`,
};
const names = Object.keys(settings) as (keyof typeof settings)[];
const find = (env: Record<string, string>) => findSilentEngine(loadConfig(env), 300);

test.each(names)('%s that accepts connections and says nothing is named, without its password', async (name) => {
  const at = await silent();
  const told = await find({ [name]: settings[name](at) });
  expect(told).toMatch(new RegExp(`^${name}: no engine responds at .*${at} \\(no response within 0.3 seconds\\)\\.`));
  expect(told).not.toContain('secret');
});

test.each(names)('%s where nobody listens is named', async (name) => {
  const at = await nobody();
  expect(await find({ [name]: settings[name](at) })).toMatch(
    new RegExp(`^${name}: no engine responds at .*${at} \\(.+\\)\\. Start it`),
  );
});

// rule: threat.41
test('engines that respond in any way are left to their own clients', async () => {
  const postgres = await listen(createServer((socket) => socket.once('data', () => socket.end('N'))));
  const temporal = await listen(
    http2.createServer((_, reply) => reply.writeHead(200, { 'content-type': 'application/grpc' }).end()),
  );
  const refusing = await listen(http.createServer((_, reply) => reply.writeHead(403).end()));
  const closing = await listen(createServer((socket) => socket.destroy()));
  const good = {
    DATABASE_URL: `postgres://u@${postgres}/x`,
    TEMPORAL_ADDRESS: temporal,
    S3_ENDPOINT: `http://${refusing}`,
  };
  expect(await find(good)).toBeUndefined();
  for (const name of names) expect(await find({ [name]: settings[name](closing) })).toBeUndefined();
});

test('a server at the address of Temporal that does not speak gRPC is named', async () => {
  const other = await listen(http2.createServer((_, reply) => reply.writeHead(404).end()));
  expect(await find({ TEMPORAL_ADDRESS: other })).toMatch(/^TEMPORAL_ADDRESS: .*not Temporal/);
});

test('TLS is spoken where the settings want it, and a certificate that nobody signed is a response', async () => {
  const plain = await listen(createServer((socket) => socket.once('data', () => socket.end('no TLS here'))));
  expect(await find({ TEMPORAL_ADDRESS: plain, TEMPORAL_TLS: 'true' })).toBeUndefined();
  expect(await find({ S3_ENDPOINT: `https://${plain}` })).toBeUndefined();
});

test('without settings nothing is asked', async () => {
  expect(await find({})).toBeUndefined();
});
