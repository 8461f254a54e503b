import { execFile } from 'node:child_process';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectAgent } from '../harness/agents.ts';
import { closeStack, stack } from '../harness/api.ts';
import { root } from '../harness/pages.ts';

/**
 * The scenarios of the official suite that need no tools of their own. The others call tools, resources and prompts that
 * only the suite's reference server has, or streams and sampling, which an endpoint without sessions does not offer.
 */
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];

const program = path.join(root, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
let token: string;

/** The suite signs in nowhere, so a proxy adds the token; it changes nothing else. */
const proxy = createServer((req, res) => {
  const { port } = new URL(stack.gateways[0]!);
  const headers = { ...req.headers, authorization: `Bearer ${token}` };
  const onward = forward({ port, host: '127.0.0.1', method: req.method, path: req.url, headers }, (reply) => {
    res.writeHead(reply.statusCode!, reply.headers);
    reply.pipe(res);
  });
  onward.on('error', (error) => res.destroy(error));
  req.pipe(onward);
});

beforeAll(async () => {
  token = (await connectAgent()).access;
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => proxy.close(resolve));
  await closeStack();
});

test.each(scenarios)('passes the scenario %s of the official conformance suite', async (scenario) => {
  const { port } = proxy.address() as AddressInfo;
  const url = `http://localhost:${port}/mcp`;
  const run = promisify(execFile)(process.execPath, [program, 'server', '--url', url, '--scenario', scenario], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  expect(stdout).toMatch(/Passed: (\d+)\/\1, 0 failed/);
});
