// npm run test:k8s:node: runs the image with a kubelet and containerd, installed by the chart (docs/kubernetes.md).
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findFreePort } from '../../services/engines-local/ports.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { makePauseImage, removeControlGroups, startKubelet, unpackRuntime } from './node/kubelet.ts';
import { startEngines } from './node/local-engines.ts';
import { createCaller, makePicture, uploadMedia, waitForPage } from './node/visit.ts';
import { buildTools, chart, createHelm, listObjects, makeFolder, makeNamespace, step } from './proof.ts';

const space = 'real';
const roles = ['gateway', 'worker', 'worker-media', 'edge'];

/** Returns the image as an archive: the one that FIELDSTONE_IMAGE names, else a new one. */
function makeImage(folder: string): string {
  if (process.env.FIELDSTONE_IMAGE) return process.env.FIELDSTONE_IMAGE;
  const out = path.join(folder, 'fieldstone.tar');
  execFileSync(path.join(import.meta.dirname, 'image.sh'), [out], { stdio: ['ignore', 'inherit', 'inherit'] });
  return out;
}

type Engines = Awaited<ReturnType<typeof startEngines>>;

/** Returns values for one machine: every pod has its own ports, and only one of a kind runs at a time. */
async function chooseValues({ settings, secretKey }: Engines) {
  const [api, sites, ...ops] = await Promise.all(Array.from({ length: 6 }, () => findFreePort()));
  const gateway = `http://127.0.0.1:${api}`;
  const edge = `http://127.0.0.1:${sites}`;
  const kind = (index: number, more: object = {}) => ({
    replicas: 1,
    preStopSeconds: 0,
    pod: { opsPort: ops[index] },
    ...more,
  });
  const values = {
    image: { repository: 'localhost/fieldstone', tag: 'test', pullPolicy: 'Never' },
    url: gateway,
    edgeUrl: edge,
    secretKey: { value: secretKey },
    database: { url: settings.DATABASE_URL },
    temporal: { address: settings.TEMPORAL_ADDRESS, namespace: settings.TEMPORAL_NAMESPACE ?? 'default' },
    s3: {
      endpoint: settings.S3_ENDPOINT,
      bucket: settings.S3_BUCKET,
      accessKey: { value: settings.S3_ACCESS_KEY },
      secretKey: { value: settings.S3_SECRET_KEY },
    },
    podDefaults: { strategy: { type: 'Recreate', rollingUpdate: null } },
    gateway: kind(0, { containerPort: api }),
    worker: kind(1),
    workerMedia: kind(2),
    edge: kind(3, { containerPort: sites }),
    tests: { gatewayUrl: gateway, edgeUrl: edge },
  };
  return { gateway, edge, values };
}

/** Runs a line of JavaScript in a role's container and returns its output. */
function evaluate(cluster: Cluster, role: string, script: string): string {
  return cluster
    .kubectl(['exec', '-n', space, `deployment/demo-fieldstone-${role}`, '--', 'node', '--eval', script])
    .trim();
}

async function proveConfinement(cluster: Cluster): Promise<void> {
  for (const role of roles) {
    await step(`${role} runs without root, without privileges, and cannot write but to /tmp`, () => {
      const script = `
        const { readFileSync, writeFileSync } = require('node:fs');
        const status = readFileSync('/proc/1/status', 'utf8');
        const refused = ['/app/x', '/x', '/etc/fieldstone/x'].every((file) => { try { writeFileSync(file, ''); return false; } catch { return true; } });
        writeFileSync('/tmp/x', '');
        console.log([process.getuid(), /CapEff:\\s*0+\\n/.test(status), /NoNewPrivs:\\s*1/.test(status), /Seccomp:\\s*2/.test(status), refused].join());`;
      const found = evaluate(cluster, role, script);
      if (found !== '10001,true,true,true,true') throw new Error(`It said ${found}.`);
    });
  }
}

async function proveWork(cluster: Cluster, gateway: string, edge: string): Promise<void> {
  const create = ['exec', '-n', space, 'deployment/demo-fieldstone-gateway', '--', 'fieldstone', 'keys', 'create'];
  const { key } = JSON.parse(
    cluster.kubectl([...create, '--name', 'proof', '--scopes', 'admin', '--sites', '*', '--json']),
  ) as { key: string };
  const call = createCaller(gateway, key);
  await step('an article goes live: gateway, worker and edge work together', async () => {
    await call('POST', '/sites', { name: 'Proof', slug: 'proof' });
    await call('POST', '/sites/proof/content', {
      title: 'From a pod',
      body_html: '<p>Really run.</p>',
      status: 'published',
    });
    await call('POST', '/sites/proof/publish');
    await waitForPage(`${edge}/sites/proof/posts/from-a-pod/`, 'Really run.');
  });
  await step('the media worker decodes a picture in its confined process', async () => {
    if ((await uploadMedia(call, 'proof', 'orange.jpg', await makePicture())) === 0)
      throw new Error('There is no rendition.');
  });
  await step('the media worker makes renditions of a video with the ffmpeg of the image', async () => {
    const video = Buffer.from(evaluate(cluster, 'worker-media', makeVideo), 'base64');
    if ((await uploadMedia(call, 'proof', 'film.mp4', video)) === 0) throw new Error('There is no rendition.');
  });
}

/** Runs in the container: makes a video of a second, in base64. */
const makeVideo = `
  const { execFileSync } = require('node:child_process');
  execFileSync('ffmpeg', '-v error -y -f lavfi -i testsrc=duration=1:size=640x360:rate=12 -pix_fmt yuv420p /tmp/film.mp4'.split(' '));
  process.stdout.write(require('node:fs').readFileSync('/tmp/film.mp4', 'base64'));`;

/** Returns the logs and states of pods, for the analysis of a failure. */
function describePods(cluster: Cluster): string {
  const ask = (...args: string[]) => {
    try {
      return cluster.kubectl([...args, '-n', space]);
    } catch (error) {
      return (error as Error).message;
    }
  };
  const pods = ask('get', 'pods', '-o', 'name').split('\n').filter(Boolean);
  return [
    ask('get', 'pods,events'),
    ...pods.map((pod) => `${pod}\n${ask('logs', pod, '--tail=15', '--all-containers')}`),
  ].join('\n');
}

async function prove(cluster: Cluster, engines: Engines): Promise<void> {
  const { gateway, edge, values } = await chooseValues(engines);
  const helm = createHelm(cluster);
  const file = path.join(cluster.folder, 'values.json');
  writeFileSync(file, JSON.stringify(values), { mode: 0o600 });
  const wait = ['--namespace', space, '--wait', '--wait-for-jobs', '--timeout', '300s'];
  await makeNamespace(cluster, space, { 'machine-network': 'true' });
  await step('helm installs: the migration runs, and every role becomes ready', () =>
    helm('install', 'demo', chart, '--values', file, ...wait),
  );
  await proveConfinement(cluster);
  await step('helm test passes: the engines and both services answer from inside pods', () =>
    helm('test', 'demo', '--namespace', space, '--timeout', '120s'),
  );
  await proveWork(cluster, gateway, edge);
  await step(
    'helm upgrades: the migration runs again, every pod is replaced, and the site is still there',
    async () => {
      helm('upgrade', 'demo', chart, '--values', file, '--set', 'logLevel=debug', ...wait);
      await waitForPage(`${edge}/sites/proof/posts/from-a-pod/`, 'Really run.');
    },
  );
  await step('no container was killed or restarted', () => {
    const restarts = cluster.kubectl([
      'get',
      'pods',
      '-n',
      space,
      '-o',
      'jsonpath={.items[*].status.containerStatuses[*].restartCount}',
    ]);
    if (/[1-9]/.test(restarts)) throw new Error(`Restarts: ${restarts}`);
  });
  await step('helm uninstalls, and nothing is left', async () => {
    helm('uninstall', 'demo', '--namespace', space, '--wait', '--timeout', '120s');
    await cluster.waitFor('an empty namespace', () => listObjects(cluster, space).length === 0);
  });
}

const bin = buildTools('node');
if (bin && process.getuid?.() !== 0) {
  process.stdout.write('SKIPPED: containerd needs root here. Nothing was shown.\n');
} else if (bin) {
  const folder = makeFolder();
  let cluster: Cluster | undefined;
  let engines: Engines | undefined;
  try {
    const images = [await makePauseImage(bin, folder), makeImage(folder)];
    const runtime = unpackRuntime();
    engines = await startEngines(folder);
    cluster = await startCluster({
      bin,
      folder: path.join(folder, 'cluster'),
      startNode: (fresh) => startKubelet(fresh, runtime, images),
    });
    await prove(cluster, engines);
    process.stdout.write('The image runs.\n');
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${cluster ? describePods(cluster) : ''}\n`);
    process.exitCode = 1;
  } finally {
    await cluster?.stop();
    await engines?.stop();
    removeControlGroups();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
}
