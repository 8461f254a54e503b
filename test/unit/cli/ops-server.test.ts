import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serveOps } from '../../../services/cli/up/ops-server.ts';
import { localOrigin } from '../../../services/cli/up/roles.ts';

let server: Server;
beforeAll(async () => {
  server = await serveOps({}, '127.0.0.1', 0);
});
afterAll(() => {
  server.close();
});

async function ask(target: string): Promise<string> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  let text = '';
  for await (const chunk of client) text += chunk;
  return text.split('\r\n', 1)[0]!;
}

// rule: threat.7
test.each(['//', 'http://', '/%', '/nothing'])('%s is not found, and `up` lives on', async (target) => {
  expect(await ask(target)).toBe('HTTP/1.1 404 Not Found');
  expect(await ask('/healthz?x=1')).toBe('HTTP/1.1 200 OK');
});

test.each([
  [undefined, 'http://127.0.0.1:1'],
  ['0.0.0.0', 'http://127.0.0.1:1'],
  ['::', 'http://127.0.0.1:1'],
  ['10.0.0.7', 'http://10.0.0.7:1'],
  ['fd00::7', 'http://[fd00::7]:1'],
])('what listens on %s is asked at %s', (host, origin) => {
  expect(localOrigin(host, 1)).toBe(origin);
});
