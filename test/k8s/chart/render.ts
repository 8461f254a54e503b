import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { kubeVersion, requireHelm } from '../../harness/helm.ts';

export const project = path.join(import.meta.dirname, '../../..');
export const chart = path.join(project, 'charts/fieldstone');

/** What tests look at of a Kubernetes object; the rest is reached by `get`. */
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

/** Renders a chart, this one unless another is named, with these values on top of files of values. */
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

/** The objects that the chart makes of these values on top of ci/minimal-values.yaml (or of `ci` instead). Throws what helm says. */
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

/** What helm says against these values; empty when it takes them. */
export function refusal(values: object): string {
  return template(values, base).error;
}

/** The one object of a kind whose name ends so; throws when there is none. */
export function pick(objects: KubeObject[], kind: string, nameEnd = ''): KubeObject {
  const found = objects.find((object) => object.kind === kind && object.metadata.name.endsWith(nameEnd));
  if (!found) throw new Error(`There is no ${kind} whose name ends with "${nameEnd}".`);
  return found;
}

/** Every pod spec among the objects, with the name of the object it belongs to. */
export function listPodSpecs(objects: KubeObject[]): { name: string; spec: KubeObject['spec'] }[] {
  return objects.flatMap(({ kind, metadata, spec }) => {
    if (kind === 'Pod') return [{ name: metadata.name, spec }];
    if (kind === 'Deployment' || kind === 'Job') return [{ name: metadata.name, spec: spec.template.spec }];
    return [];
  });
}

/** Environment of a pod's first container as a map. */
export function envOf(spec: KubeObject['spec']): Record<string, string> {
  const list = (spec.containers[0].env ?? []) as { name: string; value: string }[];
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}
