import { serveSandbox } from '../../../services/engines/sandbox/serve.ts';
import { createTwigEnvironment } from '../../../services/twig/index.ts';

async function outcome(run: () => unknown): Promise<string> {
  try {
    await run();
    return 'allowed';
  } catch (error) {
    return (error as { code?: string }).code ?? (error as Error).message;
  }
}

serveSandbox({
  echo: (payload: unknown) => payload,
  pid: () => process.pid,
  env: () => ({ ...process.env }),
  spin: () => {
    for (;;);
  },
  rest: ({ ms }: { ms: number }) => new Promise((resolve) => setTimeout(resolve, ms)),
  /** Uses this much processor time, however long that takes. */
  compute: ({ ms }: { ms: number }) => {
    const before = process.cpuUsage();
    const used = () => {
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    while (used() < ms);
  },
  eat: () => {
    const kept: unknown[] = [];
    for (;;) kept.push(Array.from({ length: 10_000 }, (_item, index) => ({ index })));
  },
  die: () => process.kill(process.pid, 'SIGKILL'),
  fail: () => {
    throw Object.assign(new Error('no'), { details: { why: 'because' } });
  },
  render: ({ source }: { source: string }) =>
    createTwigEnvironment({ getSource: (name) => (name === 'page' ? { source, hash: source } : null) }).render(
      'page',
      {},
    ),
  readFile: async ({ path }: { path: string }) => {
    const fs = await import('node:fs');
    return outcome(() => fs.readFileSync(path));
  },
  writeFile: async ({ path }: { path: string }) => {
    const fs = await import('node:fs');
    return outcome(() => fs.writeFileSync(path, 'x'));
  },
  connect: async ({ port }: { port: number }) => {
    const net = await import('node:net');
    return outcome(() => net.connect(port, '127.0.0.1'));
  },
  spawnProcess: async () => {
    const { spawnSync } = await import('node:child_process');
    return outcome(() => spawnSync('/bin/true'));
  },
  startThread: async () => {
    const { Worker } = await import('node:worker_threads');
    return outcome(() => new Worker('1', { eval: true }));
  },
  fetchPage: ({ url }: { url: string }) => outcome(() => fetch(url)),
  interfaces: async () => Object.keys((await import('node:os')).networkInterfaces()),
  isolate: async () => {
    const { default: isolated } = await import('isolated-vm');
    return new isolated.Isolate({ memoryLimit: 16 }).createContextSync().evalSync('6 * 7');
  },
});
