import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { closeStack, eventually, stack } from '../harness/api.ts';

// what Kubernetes does to a pod at its start and end; behaviour under load is in replicas.test.ts
const program = path.join(import.meta.dirname, '../../services/cli/fieldstone.js');
const children: ChildProcess[] = [];

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await closeStack();
});

/** Starts a role as the image does, with its own ports and without a home folder. */
async function start(role: string, env: Record<string, string>) {
  const [port, ops] = await Promise.all([findFreePort(), findFreePort()]);
  const ports = { FIELDSTONE_PORT: port, FIELDSTONE_EDGE_PORT: port, FIELDSTONE_OPS_PORT: ops };
  const { HOME: _home, ...inherited } = stack.env;
  const all = {
    ...inherited,
    XDG_CACHE_HOME: '/nonexistent',
    ...Object.fromEntries(Object.entries(ports).map(([name, value]) => [name, String(value)])),
    ...env,
  };
  const child = spawn(process.execPath, [program, role], { env: all, stdio: ['ignore', 'ignore', 'pipe'] });
  children.push(child);
  let said = '';
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const ask = (what: string) =>
    fetch(`http://127.0.0.1:${ops}/${what}`).then(
      ({ status }) => status,
      () => 0,
    );
  return { child, exit, ask, said: () => said };
}

const away = async () => `127.0.0.1:${await findFreePort()}`;

describe.each(['gateway', 'worker', 'edge'])('a %s', (role) => {
  test('that starts before its engines waits for them: it lives, is not ready, and ends when it is told to', async () => {
    const pod = await start(role, {
      DATABASE_URL: `postgresql://nobody:nothing@${await away()}/nowhere`,
      S3_ENDPOINT: `http://${await away()}`,
      TEMPORAL_ADDRESS: await away(),
    });
    await eventually('it lives', async () => (await pod.ask('healthz')) === 200, 170_000);
    expect(await pod.ask('readyz')).toBe(503);
    expect(await pod.ask('metrics')).toBe(200);
    expect(pod.child.exitCode).toBeNull();
    pod.child.kill('SIGTERM');
    expect(await pod.exit).toEqual([0, null]);
  }, 180_000);

  test('that is told to end while it starts ends', async () => {
    const pod = await start(role, {});
    pod.child.kill('SIGTERM');
    const [code, signal] = await pod.exit;
    expect([0, 'SIGTERM']).toContain(code ?? signal);
  }, 180_000);

  test('that cannot have its port says so, and ends with 1', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const setting = { gateway: 'FIELDSTONE_PORT', worker: 'FIELDSTONE_OPS_PORT', edge: 'FIELDSTONE_EDGE_PORT' }[role]!;
    const pod = await start(role, { [setting]: String(port) });
    expect(await pod.exit).toEqual([1, null]);
    expect(pod.said()).toContain(`EADDRINUSE: address already in use 127.0.0.1:${port}`);
    expect(pod.said()).not.toContain('Unhandled');
    taken.close();
  }, 180_000);
});
