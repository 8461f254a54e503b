import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { requireHelm } from '../harness/helm.ts';
import type { Cluster } from './cluster.ts';

export const project = path.join(import.meta.dirname, '../..');
export const chart = path.join(project, 'charts/fieldstone');

/** Builds the programs and returns their folder; prints a message and returns null without Go. */
export function buildTools(kind: 'cluster' | 'node'): string | null {
  if (spawnSync('go', ['version']).status !== 0) {
    process.stdout.write('SKIPPED: Go, which builds Kubernetes for this proof, is not installed. Nothing was shown.\n');
    return null;
  }
  const script = path.join(import.meta.dirname, 'tools/build.sh');
  return execFileSync(script, [kind], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

export function makeFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'fieldstone-kubernetes-'));
}

/** Runs a step and prints that it passed; if it fails, throws with its name. */
export async function step<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    const result = await work();
    process.stdout.write(`ok: ${what}\n`);
    return result;
  } catch (error) {
    const { stderr, stdout } = error as { stderr?: string; stdout?: string };
    const said = stderr || stdout || (error as Error).message;
    throw new Error(`Not so: ${what}.\n${said}`, { cause: error });
  }
}

/** Creates a helm for this cluster; a warning of the API server, which helm only prints, is an error here. */
export function createHelm({ kubeconfig }: Cluster) {
  const { program, version } = requireHelm();
  process.stdout.write(`helm ${version}\n`);
  return function helm(...args: string[]): string {
    const result = spawnSync(program, ['--kubeconfig', kubeconfig, ...args], {
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    });
    const said = `${result.stdout}${result.stderr}`;
    if (result.status !== 0 || /^W\d{4} |[Ww]arning: /m.test(result.stderr))
      throw Object.assign(new Error(`helm ${args[0]} failed`), { stderr: said });
    return result.stdout;
  };
}

/** Creates a namespace that enforces a pod standard (`restricted` by default). */
export async function makeNamespace(cluster: Cluster, name: string, labels?: Record<string, string>): Promise<void> {
  const standard = {
    'pod-security.kubernetes.io/enforce': 'restricted',
    'pod-security.kubernetes.io/warn': 'restricted',
  };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: labels ?? standard } };
  cluster.kubectl(['create', '-f', '-'], JSON.stringify(namespace));
  await cluster.waitFor(`namespace ${name}`, () => cluster.kubectl(['get', 'serviceaccount', 'default', '-n', name]));
}

/** Returns every object of a namespace except those that Kubernetes itself keeps in each. */
export function listObjects(cluster: Cluster, namespace: string): string[] {
  const kinds = cluster
    .kubectl(['api-resources', '--namespaced', '--verbs=list', '--output=name'])
    .split('\n')
    .filter((kind) => kind && !/^(events(\.|$)|leases\.)/.test(kind) && !kind.endsWith('.metrics.k8s.io'));
  return cluster
    .kubectl(['get', kinds.join(','), '-n', namespace, '--ignore-not-found', '--output=name'])
    .split('\n')
    .filter((name) => name && !['configmap/kube-root-ca.crt', 'serviceaccount/default'].includes(name));
}
