// `npm test -- fresh`: in a fresh checkout after `npm install`, with an empty home, a PATH with only node, npm, sh and
// id, and (as root on Linux) no network but loopback, `npm start` brings up the live demo site, and a second start
// finds everything unchanged (visit.ts).
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeBareBin, makeFreshCheckout } from './checkout.ts';
import { findIsolation } from './isolation.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'fieldstone-fresh-'));
try {
  const [checkout, home, bin] = ['checkout', 'home', 'bin'].map((name) => path.join(folder, name));
  makeFreshCheckout(checkout!);
  makeBareBin(bin!);
  mkdirSync(home!);
  const isolation = findIsolation();
  const isIsolated = 'command' in isolation;
  if (!isIsolated) process.stdout.write(`SKIPPED: the network was there, for ${isolation.missing}\n`);
  const visit = [process.execPath, '--no-warnings', path.join(import.meta.dirname, 'visit.ts')];
  const [program = '', ...args] = [...(isIsolated ? isolation.command : []), ...visit];
  const env = { ...process.env, FRESH_CHECKOUT: checkout, FRESH_HOME: home, FRESH_BIN: bin };
  const { status } = spawnSync(program, [...args, isIsolated ? 'isolated' : 'open'], { stdio: 'inherit', env });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
