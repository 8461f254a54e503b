import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { kubeVersion, requireHelm } from '../../harness/helm.ts';

export const project = path.join(import.meta.dirname, '../../..');
export const chart = path.join(project, 'charts/fieldstone');

/** The members of a Kubernetes object that tests use; `get` reaches the others. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels: Record<string, string>; annotations?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: objects of every kind, whose fields the API server itself checks in test:k8s
  spec: any;
  data?: Record<string, string>;
  automountServiceAccountToken?: boolean;
}

export const helm = requireHelm().program;

const base = ['--values', path.join(chart, 'ci/minimal-values.yaml')];
const rendered = new Map<string, string>();

/** Renders a chart, by default this one, with these values overriding files of values. */
export function template(values: object, files: string[], of = chart): { text: string; error: string } {
  const args = [
    'template',
    'demo',
    of,
    '--namespace',
    'space',
    '--kube-version',
    kubeVersion,
    ...files,
    '--values',
    '-',
  ];
  const result = spawnSync(helm, args, { encoding: 'utf8', input: JSON.stringify(values), maxBuffer: 64 << 20 });
  return { text: result.stdout, error: result.status === 0 ? '' : result.stderr };
}

/**
 * Returns the chart's objects for these values on top of ci/minimal-values.yaml (or of `ci` instead). Throws helm's
 * message.
 */
export function render(values: object = {}, ci?: string): KubeObject[] {
  const key = JSON.stringify([values, ci]);
  let text = rendered.get(key);
  if (text === undefined) {
    const answer = template(values, ci ? ['--values', path.join(chart, 'ci', ci)] : base);
    if (answer.error) throw new Error(answer.error);
    text = answer.text;
    rendered.set(key, text);
  }
  return parseAllDocuments(text)
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object) => object !== null);
}

/** Returns helm's error for these values; empty if it accepts them. */
export function refusal(values: object): string {
  return template(values, base).error;
}

/** Returns the one object of a kind whose name has this ending; throws if it is not found. */
export function pick(objects: KubeObject[], kind: string, nameEnd = ''): KubeObject {
  const found = objects.find((object) => object.kind === kind && object.metadata.name.endsWith(nameEnd));
  if (!found) throw new Error(`There is no ${kind} whose name ends with "${nameEnd}".`);
  return found;
}

/** Returns every pod spec among the objects, with the name of its object. */
export function listPodSpecs(objects: KubeObject[]): { name: string; spec: KubeObject['spec'] }[] {
  return objects.flatMap(({ kind, metadata, spec }) => {
    if (kind === 'Pod') return [{ name: metadata.name, spec }];
    if (kind === 'Deployment' || kind === 'Job') return [{ name: metadata.name, spec: spec.template.spec }];
    return [];
  });
}

/** Returns the environment of a pod's first container as a map. */
export function envOf(spec: KubeObject['spec']): Record<string, string> {
  const list = (spec.containers[0].env ?? []) as { name: string; value: string }[];
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}
