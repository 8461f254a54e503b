import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface SandboxSpawnOptions {
  /** The child's entry module: a TypeScript file in a checkout, a compiled one in a package. */
  entry: string;
  memoryMb: number;
  /** The whole environment of the child; empty by default, so that it contains no secret. */
  env?: Record<string, string>;
  /** Additional arguments for Node. */
  nodeArgs?: string[];
  /** Paths that the child may read; by default the code of the entry's package. */
  readPaths?: string[];
}

/** The child and its additional protection. */
export interface SpawnedSandbox {
  child: ChildProcess;
  networkNamespace: boolean;
}

function parentsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...parentsOf(parent)];
}

/**
 * Returns the folders with the code that an entry needs: its package's sources, and its dependencies wherever Node
 * resolves them, which is above the package if it is itself a dependency. Symbolic links are resolved, since modules
 * are read from their targets.
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
 * The wrapper that starts a program without network and ends it with this process, tried once. `unshare` needs a
 * privilege or user namespaces; `setpriv` needs none.
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
 * Starts a sandbox process: Node's permission model with read access to code only, no child processes, a heap limit, an
 * empty environment, and a network namespace of its own where the system allows it.
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
    // The loader of native addons reads it to detect the C library.
    '--allow-fs-read=/etc/alpine-release',
    // isolated-vm is an addon and cannot start from Node's snapshot.
    '--allow-addons',
    '--no-node-snapshot',
    '--disable-proto=delete',
    `--max-old-space-size=${options.memoryMb}`,
    // V8 switches to its linear engine for regular expressions that backtrack too much, if possible.
    '--enable-experimental-regexp-engine-on-excessive-backtracks',
    '--disable-warning=SecurityWarning',
    '--disable-warning=ExperimentalWarning',
    ...(options.nodeArgs ?? []),
  ];
}
