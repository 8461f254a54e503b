// `helm lint --strict` with every set of values in charts/fieldstone/ci.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const chart = path.join(import.meta.dirname, '../../charts/fieldstone');
const tools = execFileSync(path.join(import.meta.dirname, 'tools/build.sh'), ['helm'], { encoding: 'utf8' }).trim();
for (const name of readdirSync(path.join(chart, 'ci'))) {
  const options = ['lint', '--strict', '--quiet', '--kube-version', '1.36.3', '--values', path.join(chart, 'ci', name)];
  const { status } = spawnSync(path.join(tools, 'helm'), [...options, chart], { stdio: 'inherit' });
  process.stdout.write(`helm lint ${name}: ${status === 0 ? 'ok' : 'failed'}\n`);
  if (status !== 0) process.exitCode = 1;
}
