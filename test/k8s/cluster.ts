import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../services/engines-local/ports.ts';

export interface ClusterOptions {
  /** Folder of the programs (tools/build.sh). */
  bin: string;
  /** An empty folder for data and logs. */
  folder: string;
  /** Starts what runs pods, once the API responds; by default pods are simulated on three nodes. */
  startNode?: (cluster: Cluster) => Promise<void>;
}

export interface Cluster {
  folder: string;
  bin: string;
  kubeconfig: string;
  /** Starts a program of this cluster, with its output in `NAME.log`; it ends with the cluster. */
  start(name: string, program: string, args: string[], env?: Record<string, string>): ChildProcess;
  /** Runs kubectl and returns its output; throws its error. */
  kubectl(args: string[], input?: string): string;
  waitFor(what: string, done: () => unknown, seconds?: number): Promise<void>;
  stop(): Promise<void>;
}

/** Creates a token for the administrator, a key for service accounts, and an authority for connections to kubelets. */
function makeCredentials(folder: string): string {
  const token = randomBytes(24).toString('hex');
  writeFileSync(path.join(folder, 'tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  openssl('genrsa', '-out', 'accounts.key', '2048');
  const subject = '/O=system:masters/CN=kube-apiserver';
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    subject,
    '-keyout',
    'kubelet-client.key',
    '-out',
    'kubelet-client.crt',
  );
  return token;
}

function writeKubeconfig(file: string, port: number, authority: string, token: string): void {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority': authority } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
    'current-context': 'test',
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
}

/** Simulates nodes, and pods without containers (pretence.ts). */
async function startPretence({ kubeconfig, start, kubectl, waitFor }: Cluster): Promise<void> {
  start('pretence', process.execPath, ['--no-warnings', path.join(import.meta.dirname, 'pretence.ts'), kubeconfig]);
  await waitFor('the third node', () => kubectl(['get', 'node', 'node-c']));
}

/**
 * Starts a separate Kubernetes on loopback: etcd, API server, controllers, scheduler, and what runs pods. Throws, with
 * the end of the log, when one of its programs exits.
 */
export async function startCluster({ bin, folder, startNode = startPretence }: ClusterOptions): Promise<Cluster> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const children: { name: string; child: ChildProcess }[] = [];
  const kubeconfig = path.join(folder, 'kubeconfig');
  const logOf = (name: string) => path.join(folder, `${name}.log`);

  const cluster: Cluster = {
    folder,
    bin,
    kubeconfig,
    start(name, program, args, env = {}) {
      const log = openSync(logOf(name), 'a');
      const command = program.includes('/') ? program : path.join(bin, program);
      const child = spawn(command, args, { cwd: folder, stdio: ['ignore', log, log], env: { ...process.env, ...env } });
      child.once('error', (error) => appendFileSync(logOf(name), `${error.message}\n`));
      children.push({ name, child });
      return child;
    },
    kubectl(args, input) {
      const options = { encoding: 'utf8' as const, maxBuffer: 64 << 20, ...(input === undefined ? {} : { input }) };
      return execFileSync(path.join(bin, 'kubectl'), ['--kubeconfig', kubeconfig, ...args], {
        ...options,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
    },
    async waitFor(what, done, seconds = 90) {
      const deadline = performance.now() + seconds * 1000;
      let last: unknown;
      while (performance.now() < deadline) {
        const dead = children.find(({ child }) => child.exitCode !== null || child.signalCode !== null);
        if (dead)
          throw new Error(
            `${dead.name} ended while waiting for ${what}: ${execFileSync('tail', ['-n', '5', logOf(dead.name)])}`,
          );
        try {
          if (done() !== false) return;
        } catch (error) {
          last = error;
        }
        await sleep(250);
      }
      throw new Error(`${what} did not come within ${seconds} seconds; logs are in ${folder}.`, { cause: last });
    },
    async stop() {
      for (const { child } of children.toReversed()) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGKILL');
        await ended;
      }
    },
  };

  try {
    await startControlPlane(cluster);
    await startNode(cluster);
    const everyNode = ['wait', '--for=condition=Ready', 'node', '--all', '--timeout=1s'];
    await cluster.waitFor('the node', () => cluster.kubectl(everyNode));
    await cluster.waitFor('the default service account', () => cluster.kubectl(['get', 'serviceaccount', 'default']));
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function startControlPlane({ folder, kubeconfig, start, kubectl, waitFor }: Cluster): Promise<void> {
  const [etcdPort, apiPort] = [await findFreePort(), await findFreePort()];
  const etcd = `http://127.0.0.1:${etcdPort}`;
  const token = makeCredentials(folder);
  // the data does not outlive the run, so it need not be synced to disk
  start('etcd', 'etcd', [
    '--data-dir',
    'etcd',
    '--unsafe-no-fsync',
    '--listen-client-urls',
    etcd,
    '--advertise-client-urls',
    etcd,
    '--listen-peer-urls',
    'http://127.0.0.1:0',
    '--log-level',
    'warn',
  ]);
  start('api-server', 'kube-apiserver', [
    `--etcd-servers=${etcd}`,
    `--secure-port=${apiPort}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    // 127.0.0.1 cannot be the endpoint of a Service
    '--endpoint-reconciler-type=none',
    `--cert-dir=${folder}`,
    '--token-auth-file=tokens.csv',
    '--anonymous-auth=false',
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    '--service-cluster-ip-range=10.96.0.0/16',
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-account-key-file=accounts.key',
    '--service-account-signing-key-file=accounts.key',
    '--kubelet-client-certificate=kubelet-client.crt',
    '--kubelet-client-key=kubelet-client.key',
    '--kubelet-preferred-address-types=InternalIP',
    '--profiling=false',
  ]);
  const certificate = path.join(folder, 'apiserver.crt');
  await waitFor('the certificate of the API server', () => existsSync(certificate));
  writeKubeconfig(kubeconfig, apiPort, certificate, token);
  await waitFor('the API server', () => kubectl(['get', '--raw', '/readyz']), 180);
  const client = [`--kubeconfig=${kubeconfig}`, '--bind-address=127.0.0.1', '--secure-port=0', '--leader-elect=false'];
  start('controllers', 'kube-controller-manager', [
    ...client,
    '--use-service-account-credentials',
    '--service-account-private-key-file=accounts.key',
    `--root-ca-file=${certificate}`,
    `--flex-volume-plugin-dir=${path.join(folder, 'flex')}`,
  ]);
  start('scheduler', 'kube-scheduler', client);
}
