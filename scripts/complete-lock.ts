// Adds the platform packages that npm left out to package-lock.json: `node scripts/complete-lock.ts` after an
// `npm install`. With `--check`, it only reports whether something is missing. npm leaves out packages that the
// registry in use does not have (builds for other systems, in a partial mirror), and `npm ci` then rejects the lock
// with any registry. The packages that depend on them pin their versions, and their names say for which system they
// are. The digest is omitted, which npm accepts as unknown.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface Locked {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];

/** Returns the system that a package is for, from the words of its name; null if the name contains none. */
function readPlatform(name: string): Pick<Locked, 'os' | 'cpu' | 'libc'> | null {
  const words = name.split(/[^a-z0-9]+/i);
  const wasm = words.some((word) => word.startsWith('wasm'));
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  if (wasm) return { cpu: ['wasm32'] };
  if (os.length === 0) return null;
  const isMusl = words.some((word) => word.startsWith('musl') || word.includes('linuxmusl'));
  const isGlibc = words.some((word) => word.startsWith('gnu'));
  return {
    os,
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(isMusl ? { libc: ['musl'] } : isGlibc ? { libc: ['glibc'] } : {}),
  };
}

/** Returns where Node looks for a dependency of a package: first inside it, then further out. */
function places(from: string, name: string): string[] {
  const found = [`${from}/node_modules/${name}`];
  for (let at = from.lastIndexOf('/node_modules/'); at >= 0; at = from.lastIndexOf('/node_modules/', at - 1))
    found.push(`${from.slice(0, at)}/node_modules/${name}`);
  return [...found, `node_modules/${name}`];
}

const file = path.join(import.meta.dirname, '..', 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> };
const added: string[] = [];
const unknown: string[] = [];
for (const [from, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (places(from, name).some((place) => lock.packages[place])) continue;
    const platform = readPlatform(name);
    if (!platform || !/^\d+\.\d+\.\d+/.test(version)) {
      unknown.push(`${name}@${version}`);
      continue;
    }
    const { os, cpu, libc } = platform;
    // members in npm's order, so that the next install does not change them
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(cpu ? { cpu } : {}),
      ...(dev ? { dev } : {}),
      ...(libc ? { libc } : {}),
      optional: true,
      ...(os ? { os } : {}),
    };
    added.push(name);
  }
}
const [[root, own], ...others] = Object.entries(lock.packages) as [[string, Locked], ...[string, Locked][]];
const sorted = others.sort(([a], [b]) => a.localeCompare(b, 'en'));
const isCheck = process.argv.includes('--check');
if (added.length > 0 && !isCheck) {
  lock.packages = Object.fromEntries([[root, own], ...sorted]);
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
process.stdout.write(
  `${added.length} ${isCheck ? 'missing' : 'added'}${unknown.length > 0 ? `, unknown: ${unknown.join(', ')}` : ''}\n`,
);
process.exitCode = unknown.length > 0 || (isCheck && added.length > 0) ? 1 : 0;
