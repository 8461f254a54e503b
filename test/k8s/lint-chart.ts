// Runs `helm lint --strict` with every set of values in charts/fieldstone/ci. `npm run test:k8s` checks the objects
// with an API server.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { kubeVersion, requireHelm } from '../harness/helm.ts';

const chart = path.join(import.meta.dirname, '../../charts/fieldstone');
const { program, version } = requireHelm();
process.stdout.write(`helm ${version}, for Kubernetes ${kubeVersion}\n`);
for (const name of readdirSync(path.join(chart, 'ci'))) {
  const options = ['lint', '--strict', '--quiet', '--kube-version', kubeVersion];
  const { status } = spawnSync(program, [...options, '--values', path.join(chart, 'ci', name), chart], {
    stdio: 'inherit',
  });
  process.stdout.write(`helm lint ${name}: ${status === 0 ? 'ok' : 'failed'}\n`);
  if (status !== 0) process.exitCode = 1;
}
