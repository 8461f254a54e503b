#!/usr/bin/env node
// Plain JavaScript for any Node from 20 on: starts the program with Node 24 of the npm package `node`, whatever the
// machine's version is.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const wantedMajor = 24;
const main = fileURLToPath(new URL('./main.ts', import.meta.url));

function findNode() {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const require = createRequire(import.meta.url);
  for (const name of [
    'node',
    `node-bin-${process.platform}-${process.arch}`,
    `node-${process.platform}-${process.arch}`,
  ]) {
    try {
      const file = path.join(path.dirname(require.resolve(`${name}/package.json`)), 'bin', `node${suffix}`);
      if (existsSync(file)) return file;
    } catch {
      // not installed under this name
    }
  }
  return undefined;
}

function runUnder(node) {
  const child = spawn(node, [main, ...process.argv.slice(2)], {
    stdio: 'inherit',
    // The program stops when this process has ended, because nothing else passes signals on.
    env: { ...process.env, FIELDSTONE_LAUNCHER_PID: String(process.pid) },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 1 : (code ?? 1);
  });
}

// The compile cache for every process started from here halves their start time and saves each the compiler's memory.
process.env.NODE_COMPILE_CACHE ??= path.join(
  process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
  'fieldstone',
  'node',
);

if (Number(process.versions.node.split('.')[0]) === wantedMajor) {
  module.enableCompileCache();
  await import('./main.ts');
} else {
  const node = findNode();
  if (node) {
    runUnder(node);
  } else {
    const message = `Fieldstone needs Node ${wantedMajor}, which npm install brings along: run npm install again.`;
    const isJson = process.argv.includes('--json');
    process.stderr.write(`${isJson ? JSON.stringify({ error: { code: 'failed', message } }) : message}\n`);
    process.exitCode = 1;
  }
}
