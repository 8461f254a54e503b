// `npm run bench`: every comparison, one after the other, each as ratios of interleaved rounds of one run.
//   npm run bench -- edge gateway     some of them
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, '..', 'test', 'bench');
const all = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -3));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no benchmark ${unknown.join(', ')}; choose from ${all.join(', ')}.\n`);
  process.exit(2);
}
let failed = 0;
for (const name of wanted.length > 0 ? wanted : all) {
  process.stdout.write(`\n== ${name}\n`);
  const { status } = spawnSync(process.execPath, [path.join(folder, `${name}.ts`)], { stdio: 'inherit' });
  if (status !== 0) failed++;
}
process.exitCode = failed > 0 ? 1 : 0;
