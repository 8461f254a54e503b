import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface SandboxSpawnOptions {
  /** The child's entry module: a TypeScript file in a checkout, a built one in a package. */
  entry: string;
  memoryMb: number;
  /** The whole environment of the child; empty by default, so that it holds no secret. */
  env?: Record<string, string>;
  /** More arguments for Node. */
  nodeArgs?: string[];
  /** What the child may read; by default the code of the package that the entry belongs to. */
  readPaths?: string[];
}

/** The child and what protects it beside its own flags. */
export interface SpawnedSandbox {
  child: ChildProcess;
  networkNamespace: boolean;
}

function parentsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...parentsOf(parent)];
}

/**
 * The folders with the code that an entry needs: its package's sources, and its dependencies wherever Node looks for them,
 * which is above the package when it is itself a dependency. A folder that is a link counts as what it leads to, since
 * modules are read from there.
 */
function findReadPaths(entry: string): string[] {
  const parents = parentsOf(dirname(entry));
  const root = parents.find((folder) => existsSync(join(folder, 'package.json')));
  if (root === undefined) return [dirname(entry)];
  const own = ['package.json', 'services', 'dist'].map((name) => join(root, name));
  const dependencies = parentsOf(root).map((folder) => join(folder, 'node_modules'));
  const found = [...own, ...dependencies].filter(existsSync);
  return [...new Set([dirname(entry), ...found, ...found.map((path) => realpathSync(path))])];
}

/**
 * Wrappers that start a program without network and bound to the life of this process, tried once.
 * `unshare` needs a privilege or user namespaces; `setpriv` needs none.
 */
let wrapper: { command: string[]; networkNamespace: boolean } | null = null;

function findWrapper(): { command: string[]; networkNamespace: boolean } {
  if (wrapper) return wrapper;
  const works = (command: string[]) => {
    const [program = '', ...args] = [...command, process.execPath, '--version'];
    return existsSync(program) && spawnSync(program, args, { env: {}, timeout: 5_000, stdio: 'ignore' }).status === 0;
  };
  if (process.platform !== 'linux') return (wrapper = { command: [], networkNamespace: false });
  const mortal = ['/usr/bin/setpriv', '--pdeathsig', 'KILL', '--no-new-privs'];
  const life = works(mortal) ? mortal : [];
  const spaces = [
    ['/usr/bin/unshare', '--net', '--'],
    ['/usr/bin/unshare', '--user', '--map-root-user', '--net', '--'],
  ];
  const space = spaces.find((command) => works([...command, ...life]));
  return (wrapper = { command: [...(space ?? []), ...life], networkNamespace: space !== undefined });
}

/**
 * Starts a sandbox process: Node's permission model with reading of code only, no other process, a heap limit, an
 * empty environment, and a network namespace of its own where the system lets us.
 */
export function spawnSandbox(options: SandboxSpawnOptions): SpawnedSandbox {
  const entry = realpathSync(options.entry);
  const { command, networkNamespace } = findWrapper();
  const [program = '', ...args] = [...command, process.execPath, ...nodeArguments(options, entry), entry];
  const child = spawn(program, args, {
    env: options.env ?? {},
    cwd: dirname(entry),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  return { child, networkNamespace };
}

function nodeArguments(options: SandboxSpawnOptions, entry: string): string[] {
  const readPaths = options.readPaths ?? findReadPaths(entry);
  return [
    '--permission',
    ...readPaths.map((path) => `--allow-fs-read=${path}`),
    // The loader of native addons looks there to tell one C library from another.
    '--allow-fs-read=/etc/alpine-release',
    // isolated-vm is an addon and cannot start from Node's snapshot.
    '--allow-addons',
    '--no-node-snapshot',
    '--disable-proto=delete',
    `--max-old-space-size=${options.memoryMb}`,
    // A regular expression that backtracks too much is finished by V8's linear engine where that can.
    '--enable-experimental-regexp-engine-on-excessive-backtracks',
    '--disable-warning=SecurityWarning',
    '--disable-warning=ExperimentalWarning',
    ...(options.nodeArgs ?? []),
  ];
}
