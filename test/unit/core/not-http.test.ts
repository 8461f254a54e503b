import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { replyToInvalidHttp } from '../../../services/core/not-http.ts';

let server: Server;
beforeAll(async () => {
  server = createServer((req, res) => (req.url === '/slow' ? res.write('beginning') : res.end('ok')));
  replyToInvalidHttp(server, 'GET');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
});

test('CONNECT is answered in the envelope: nothing is tunnelled', async () => {
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.write('CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n');
  let text = '';
  for await (const chunk of client) text += chunk;
  client.destroy();
  expect(text).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
  expect(text).toContain('\r\nAllow: GET\r\n');
  expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).error.code).toBe('method_not_allowed');
});

test('what is not HTTP behind a request that is being answered ends the connection, and gets into no body', async () => {
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  client.on('error', () => undefined);
  client.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  let text = '';
  client.on('data', (chunk) => {
    if (text === '') client.write('NONSENSE\r\n\r\n');
    text += chunk;
  });
  await new Promise((resolve) => client.once('close', resolve));
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(text).toContain('beginning');
  expect(text).not.toContain('400');
});

// rule: threat.7
test('what is not HTTP is answered in the envelope, and its connection ends although the client does not end it', async () => {
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.write('NONSENSE\r\n\r\n');
  let text = '';
  for await (const chunk of client) text += chunk;
  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toMatchObject({ success: false });
  const count = () => new Promise<number>((resolve) => server.getConnections((_error, n) => resolve(n)));
  while ((await count()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  client.destroy();
});
