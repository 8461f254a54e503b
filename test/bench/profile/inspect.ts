import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The members of V8's CPU profile that are used here; times are in microseconds. */
interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
}

/** The name of some code, and its share of the thread's busy time. */
export interface Cost {
  name: string;
  share: number;
}

/** Returns the URL at which a process started with `--inspect=127.0.0.1:0` serves the debugger's protocol. */
export function findInspector(child: ChildProcess): Promise<string> {
  const address = /ws:\/\/127\.0\.0\.1:\d+\/\S+/;
  return new Promise((resolve, reject) => {
    let heard = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      heard += chunk;
      const [url] = address.exec(heard) ?? [];
      if (url) resolve(url);
    });
    child.once('exit', () => reject(new Error(`The process ended before it could be profiled: ${heard}`)));
  });
}

/** Profiles the main thread of a process while `work` runs. */
export async function profile(inspector: string, work: () => Promise<void>): Promise<CpuProfile> {
  const socket = new WebSocket(inspector);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  const calls = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    calls.get(id)?.(result);
  });
  const call = (method: string) =>
    new Promise<unknown>((resolve) => {
      calls.set(calls.size + 1, resolve);
      socket.send(JSON.stringify({ id: calls.size, method }));
    });
  try {
    await call('Profiler.enable');
    await call('Profiler.start');
    await work();
    return ((await call('Profiler.stop')) as { profile: CpuProfile }).profile;
  } finally {
    socket.close(); // a process does not end while a debugger is attached
  }
}

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Returns our source file of a frame; undefined for libraries and Node. */
function ownFile(url: string): string | undefined {
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  return file.startsWith(root) && !file.includes('node_modules') ? file.slice(root.length) : undefined;
}

/** Returns what a frame's own time is attributed to: our file, the package, or a function of Node. */
function moduleOf(functionName: string, url: string): string {
  const [, dependency] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  return ownFile(url) ?? dependency ?? (url || functionName);
}

function shares(times: Map<string, number>, totalUs: number, count: number): Cost[] {
  const sorted = [...times].filter(([name]) => name !== '(idle)').sort(([, a], [, b]) => b - a);
  return sorted.slice(0, count).map(([name, us]) => ({ name, share: us / totalUs }));
}

/**
 * Returns the largest costs of a profile in two ways: each sample attributed to the module that ran, and to the
 * innermost function of ours on the stack. Shares are of the thread's busy time, which is `activeMs`.
 */
export function readCosts({ nodes, samples, timeDeltas }: CpuProfile, count = 12) {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const modules = new Map<string, number>();
  const functions = new Map<string, number>();
  const add = (times: Map<string, number>, name: string, us: number) => times.set(name, (times.get(name) ?? 0) + us);

  function causeOf(id: number): string {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const { functionName, url } = byId.get(at)!.callFrame;
      const file = ownFile(url);
      if (file) return `${functionName || '(anonymous)'} in ${file}`;
    }
    return byId.get(id)!.callFrame.functionName === '(idle)' ? '(idle)' : '(libraries and Node alone)';
  }

  for (const [index, id] of samples.entries()) {
    const { functionName, url } = byId.get(id)!.callFrame;
    add(modules, moduleOf(functionName, url), timeDeltas[index]!);
    add(functions, causeOf(id), timeDeltas[index]!);
  }
  const totalUs = timeDeltas.reduce((sum, us) => sum + us, 0) - (modules.get('(idle)') ?? 0);
  return {
    activeMs: totalUs / 1000,
    modules: shares(modules, totalUs, count),
    functions: shares(functions, totalUs, count),
  };
}
