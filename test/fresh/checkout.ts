import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');

/** Links a file to a second path; copies it if the file system cannot. */
function place(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}

function placeTree(source: string, target: string): void {
  mkdirSync(target);
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const [from, to] = [path.join(source, entry.name), path.join(target, entry.name)];
    if (entry.isDirectory()) placeTree(from, to);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    else place(from, to);
  }
}

/**
 * Creates a checkout as `git clone` and `npm install` leave it: copies of the files that Git tracks or would add, and
 * the packages of this checkout, which come from the same lock.
 */
export function makeFreshCheckout(folder: string): void {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const names = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 }).split('\0');
  for (const name of names.filter((one) => one && existsSync(path.join(root, one)))) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    copyFileSync(path.join(root, name), path.join(folder, name));
  }
  placeTree(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
}

/** Returns the path of a program outside of any checkout's packages; throws when it is not on PATH. */
function locate(program: string): string {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((one) => one && !one.includes('node_modules'));
  const found = folders.map((one) => path.join(one, program)).find((file) => existsSync(file));
  if (!found) throw new Error(`There is no ${program} on PATH.`);
  return realpathSync(found);
}

/**
 * Fills a folder with all that a PATH needs, and nothing else: node, its npm, the shell that npm runs scripts with, and
 * the system program with which `fieldstone up` looks up PostgreSQL's user.
 */
export function makeBareBin(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const node = locate('node');
  const npm = process.env.npm_execpath ?? locate('npm');
  symlinkSync(node, path.join(folder, 'node'));
  for (const program of ['sh', 'id']) symlinkSync(locate(program), path.join(folder, program));
  const start = path.join(folder, 'npm');
  writeFileSync(start, `#!/bin/sh\nexec '${node}' '${npm}' "$@"\n`);
  chmodSync(start, 0o755);
}
