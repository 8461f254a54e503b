import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import path from 'node:path';
import { afterAll, describe, expect } from '@jest/globals';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { closeStack, eventually, makeSite, publish, stack } from '../harness/api.ts';
import { hasCaddy, runCaddy } from '../harness/caddy.ts';
import { testWith } from '../harness/programs.ts';

/**
 * Returns the configuration in a page, for the stack's roles and for free ports, with certificates of Caddy's own
 * authority.
 */
function configure(page: string, port: number, askPort: number): string {
  const source = readFileSync(path.join(import.meta.dirname, '../../docs', page), 'utf8');
  const documented = /```caddyfile\n([^`]*)```/.exec(source)?.[1] ?? '';
  const edge = new URL(stack.edges[0]!).host;
  const options = [
    'admin off',
    'local_certs',
    'skip_install_trust',
    'auto_https disable_redirects',
    `https_port ${port}`,
  ];
  return documented
    .replaceAll('fieldstone-edge:80', edge)
    .replaceAll('127.0.0.1:8081', edge)
    .replaceAll('127.0.0.1:8080', new URL(stack.gateways[0]!).host)
    .replaceAll('127.0.0.1:5555', `127.0.0.1:${askPort}`)
    .replace('{\n', `{\n\t${options.join('\n\t')}\n`);
}

/**
 * Visits a host by TLS: returns the status, `no certificate` when the proxy has none for it, or why the connection
 * failed.
 */
async function visit(port: number, host: string): Promise<number | string> {
  const visiting = request({ port, host: '127.0.0.1', servername: host, headers: { host }, rejectUnauthorized: false });
  visiting.end();
  try {
    const [reply] = await once(visiting, 'response');
    reply.resume();
    return reply.statusCode as number;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return /alert internal error/i.test(message) ? 'no certificate' : code;
  }
}

afterAll(closeStack);

const test = testWith('caddy', hasCaddy());
const pages = ['kubernetes.md', 'one-machine.md'];

describe.each(pages)('the proxy of docs/%s that issues certificates on demand', (page) => {
  test('issues for the domain of a live site, and for no other host', async () => {
    const domain = `www.${randomUUID()}.example`;
    const site = await makeSite({ domain });
    const [port, askPort] = [await findFreePort(), await findFreePort()];
    await using _caddy = runCaddy(configure(page, port, askPort));
    await eventually('Caddy listens', async () => (await visit(port, domain)) !== 'ECONNREFUSED');
    expect(await visit(port, domain)).toBe('no certificate');
    await publish(site);
    await eventually('the domain is served', async () => (await visit(port, domain)) === 200);
    expect(await visit(port, `www.${randomUUID()}.example`)).toBe('no certificate');
  }, 180_000);
});
