// npm run test:k8s: checks that a real API server accepts every object of the chart and of k8s/; pods are simulated
// (docs/kubernetes.md).
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Cluster, startCluster } from './cluster.ts';
import { buildTools, chart, createHelm, listObjects, makeFolder, makeNamespace, project, step } from './proof.ts';

const strict = ['--validate=strict', '--warnings-as-errors'];
const values = (name: string) => path.join(chart, 'ci', name);

async function proveRefusals(cluster: Cluster): Promise<void> {
  await makeNamespace(cluster, 'refusals');
  const refuses = (object: object, reason: RegExp) => {
    try {
      cluster.kubectl(['apply', '-n', 'refusals', '--dry-run=server', ...strict, '-f', '-'], JSON.stringify(object));
    } catch (error) {
      if (reason.test((error as { stderr: string }).stderr)) return;
      throw error;
    }
    throw new Error('It was taken.');
  };
  const metadata = { name: 'wrong' };
  await step('an object with a field that does not exist is refused', () =>
    refuses(
      { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 80 }], colour: 'red' } },
      /unknown field "spec.colour"/,
    ),
  );
  await step('a pod that may run as root is refused', () =>
    refuses(
      { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [{ name: 'a', image: 'a' }] } },
      /violates PodSecurity "restricted/,
    ),
  );
}

async function proveObjects(cluster: Cluster, helm: ReturnType<typeof createHelm>, version: string): Promise<void> {
  await makeNamespace(cluster, 'objects');
  // bare pods, such as those of helm test, are rejected even in a dry run while their account is missing
  cluster.kubectl(['create', 'serviceaccount', 'demo-fieldstone', '-n', 'objects']);
  for (const name of readdirSync(path.join(chart, 'ci'))) {
    await step(`every object of ${name} is taken, strictly and without a warning`, () => {
      const objects = helm(
        'template',
        'demo',
        chart,
        '--namespace',
        'objects',
        '--kube-version',
        version,
        '--values',
        values(name),
      );
      cluster.kubectl(['apply', '-n', 'objects', '--dry-run=server', ...strict, '-f', '-'], objects);
    });
  }
}

/** Returns the chart of the last commit with another version of it; null if there has been only one. */
function findPreviousChart(folder: string, version: string): { path: string; version: string } | null {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: project, encoding: 'utf8' }).stdout ?? '';
  for (const commit of git('log', '--format=%H', '--', 'charts/fieldstone/Chart.yaml').split('\n').filter(Boolean)) {
    const found = /^version: (.*)$/m.exec(git('show', `${commit}:charts/fieldstone/Chart.yaml`))?.[1];
    if (!found || found === version) continue;
    mkdirSync(folder, { recursive: true });
    execFileSync('sh', ['-c', `git archive ${commit} charts/fieldstone | tar -x -C "$1"`, 'sh', folder], {
      cwd: project,
    });
    return { path: path.join(folder, 'charts/fieldstone'), version: found };
  }
  return null;
}

async function proveLifecycle(cluster: Cluster, helm: ReturnType<typeof createHelm>): Promise<void> {
  await makeNamespace(cluster, 'life');
  const version = /^version: (.*)$/m.exec(helm('show', 'chart', chart))?.[1] ?? '';
  const previous = findPreviousChart(path.join(cluster.folder, 'previous'), version);
  const common = [
    '--namespace',
    'life',
    '--values',
    values('values-values.yaml'),
    '--wait',
    '--wait-for-jobs',
    '--timeout',
    '180s',
  ];
  const image = () =>
    cluster.kubectl([
      'get',
      'deployment',
      'demo-fieldstone-gateway',
      '-n',
      'life',
      '-o',
      'jsonpath={.spec.template.spec.containers[0].image}',
    ]);
  const expectImage = (tag: string) => {
    if (image() !== `fieldstone:${tag}`) throw new Error(`The gateway runs ${image()}.`);
  };
  await step(
    `helm installs ${previous ? `the previous chart ${previous.version}` : 'the chart (there is no earlier version yet)'}`,
    () => {
      helm('install', 'demo', previous?.path ?? chart, ...common, '--set', 'image.tag=before');
      expectImage('before');
    },
  );
  await step('helm upgrades it, with another image, more pods and an ingress', () => {
    helm(
      'upgrade',
      'demo',
      chart,
      ...common,
      '--set',
      'image.tag=after,gateway.replicas=3,ingress.enabled=true,trustedProxies={10.0.0.0/8}',
    );
    expectImage('after');
  });
  await step('helm test passes', () => helm('test', 'demo', '--namespace', 'life', '--timeout', '120s'));
  await step('helm rolls back', () => {
    helm('rollback', 'demo', '1', '--namespace', 'life', '--wait', '--timeout', '180s');
    expectImage('before');
  });
  await step('helm uninstalls, and nothing is left', async () => {
    helm('uninstall', 'demo', '--namespace', 'life', '--wait', '--timeout', '120s');
    let left: string[] = [];
    await cluster
      .waitFor('an empty namespace', () => (left = listObjects(cluster, 'life')).length === 0, 60)
      .catch(() => {
        throw new Error(`Left behind: ${left.join(', ')}`);
      });
  });
}

/** Creates volumes that claims can bind to, as there is no provisioner. */
function offerVolumes(cluster: Cluster): void {
  const storageClass = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'offered', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'kubernetes.io/no-provisioner',
  };
  const volumes = Array.from({ length: 24 }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `offered-${index}` },
    spec: {
      capacity: { storage: '1Ti' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'offered',
      hostPath: { path: `/offered/${index}` },
    },
  }));
  cluster.kubectl(
    ['create', '-f', '-'],
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [storageClass, ...volumes] }),
  );
}

async function proveOverlays(cluster: Cluster): Promise<void> {
  offerVolumes(cluster);
  for (const name of ['laptop', 'production']) {
    const copy = path.join(cluster.folder, `k8s-${name}`);
    cpSync(path.join(project, 'k8s'), copy, { recursive: true, filter: (file) => path.basename(file) !== 'secrets' });
    const overlay = path.join(copy, 'overlays', name);
    execFileSync(path.join(copy, 'make-secrets.sh'), [overlay], { stdio: ['ignore', 'ignore', 'inherit'] });
    await step(`every object of k8s/overlays/${name} is applied, strictly and without a warning`, () =>
      cluster.kubectl(['apply', '-k', overlay, ...strict]),
    );
    await step(`every pod of k8s/overlays/${name} finds a node and its disks`, async () => {
      const workloads = cluster
        .kubectl(['get', 'deployment,statefulset', '-n', 'fieldstone', '-o', 'name'])
        .split('\n')
        .filter(Boolean);
      for (const workload of workloads)
        cluster.kubectl(['rollout', 'status', workload, '-n', 'fieldstone', '--timeout=120s']);
    });
    cluster.kubectl(['delete', '-k', overlay, '--timeout=120s']);
  }
}

const bin = buildTools('cluster');
if (bin) {
  const folder = makeFolder();
  let cluster: Cluster | undefined;
  try {
    cluster = await startCluster({ bin, folder: path.join(folder, 'cluster') });
    const version = (JSON.parse(cluster.kubectl(['get', '--raw', '/version'])) as { gitVersion: string }).gitVersion;
    process.stdout.write(`Kubernetes ${version} on this machine, with pods that are pretended\n`);
    cluster.kubectl(['create', '-f', path.join(bin, 'crds.yaml')]);
    cluster.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
    const helm = createHelm(cluster);
    await proveRefusals(cluster);
    await proveObjects(cluster, helm, version);
    await proveLifecycle(cluster, helm);
    await proveOverlays(cluster);
    process.stdout.write('The chart and k8s/ hold.\n');
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  } finally {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
