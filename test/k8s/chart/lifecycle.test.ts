import { describe, expect, test } from '@jest/globals';
import { taskQueues } from '../../../workflows/policies/index.ts';
import { pick, render } from './render.ts';

const hookOf = (annotations: Record<string, string> | undefined) => annotations?.['helm.sh/hook'];

describe('migration', () => {
  test('runs before everything else, with what it needs coming as earlier hooks', () => {
    const hooks = render({}, 'values-values.yaml').filter(
      ({ metadata }) => hookOf(metadata.annotations) === 'pre-install,pre-upgrade',
    );
    const weights = hooks.map(({ kind, metadata }) => [kind, Number(metadata.annotations?.['helm.sh/hook-weight'])]);
    expect(weights).toEqual(
      expect.arrayContaining([
        ['Secret', -10],
        ['ServiceAccount', -10],
        ['Job', 0],
      ]),
    );
    const job = pick(hooks, 'Job').spec.template.spec;
    expect(job.containers[0].args).toEqual(['migrate']);
    expect(hooks.map(({ metadata }) => metadata.name)).toContain(job.serviceAccountName);
    expect(job.volumes[0].projected.sources[0].secret.name).toBe(pick(hooks, 'Secret').metadata.name);
  });

  test('leaves nothing behind once it has succeeded', () => {
    for (const { metadata } of render().filter(({ metadata }) => hookOf(metadata.annotations))) {
      expect(metadata.annotations?.['helm.sh/hook-delete-policy']).toBe('before-hook-creation,hook-succeeded');
    }
  });

  test('can be left to others', () => {
    expect(render({ migration: { enabled: false } }).filter(({ kind }) => kind === 'Job')).toEqual([]);
  });
});

describe('scaling', () => {
  test('an autoscaled Deployment does not fix its replicas', () => {
    const objects = render({ gateway: { autoscaling: { enabled: true, maxReplicas: 7 } } });
    expect(pick(objects, 'Deployment', '-gateway').spec).not.toHaveProperty('replicas');
    expect(pick(objects, 'HorizontalPodAutoscaler', '-gateway').spec).toMatchObject({
      minReplicas: 2,
      maxReplicas: 7,
      scaleTargetRef: { kind: 'Deployment', name: 'demo-fieldstone-gateway' },
    });
    expect(pick(objects, 'Deployment', '-edge').spec.replicas).toBe(2);
  });

  test('workers scale by the backlog of each of their task queues', () => {
    const objects = render({ worker: { keda: { enabled: true } } });
    const { triggers } = pick(objects, 'ScaledObject', '-worker').spec;
    expect(triggers.map(({ metadata }: { metadata: object }) => metadata)).toEqual([
      expect.objectContaining({ taskQueue: 'fieldstone', queueTypes: 'workflow,activity', targetQueueSize: '20' }),
      expect.objectContaining({ taskQueue: 'fieldstone-suspects', queueTypes: 'activity' }),
      expect.objectContaining({ taskQueue: 'fieldstone-fetch', queueTypes: 'activity' }),
      expect.objectContaining({ taskQueue: 'fieldstone-inbox', queueTypes: 'activity' }),
      expect.objectContaining({ taskQueue: 'fieldstone-outbox', queueTypes: 'activity' }),
    ]);
    expect(pick(objects, 'Deployment', '-worker').spec).not.toHaveProperty('replicas');
  });

  test('the queues of every worker are those of the program', () => {
    const objects = render({ worker: { keda: { enabled: true } }, workerMedia: { keda: { enabled: true } } });
    const scaled = objects.filter(({ kind }) => kind === 'ScaledObject').flatMap(({ spec }) => spec.triggers);
    const names = scaled.map(({ metadata }: { metadata: { taskQueue: string } }) => metadata.taskQueue);
    expect(names.sort()).toEqual(Object.values(taskQueues).sort());
  });

  test('every kind of pod has a disruption budget', () => {
    const budgets = render().filter(({ kind }) => kind === 'PodDisruptionBudget');
    expect(budgets.map(({ spec }) => spec.maxUnavailable)).toEqual([1, 1, 1, 1]);
  });
});

describe('watching', () => {
  const objects = render({}, 'production-values.yaml');

  test('is off until asked for', () => {
    const kinds = render().map(({ kind }) => kind);
    expect(kinds).not.toEqual(expect.arrayContaining(['ServiceMonitor']));
    expect(kinds).not.toEqual(expect.arrayContaining(['PrometheusRule']));
  });

  test('the ServiceMonitor finds the Service of the operations ports', () => {
    const service = pick(objects, 'Service', '-metrics');
    const monitor = pick(objects, 'ServiceMonitor');
    expect(service.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels);
    expect(service.spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
    expect(service.spec.ports[0].name).toBe(monitor.spec.endpoints[0].port);
  });

  test('alerts look at this release alone', () => {
    const rules = pick(objects, 'PrometheusRule').spec.groups[0].rules as { expr: string }[];
    expect(rules.length).toBeGreaterThan(2);
    for (const { expr } of rules) expect(expr).toContain('namespace="space", job="demo-fieldstone-metrics"');
  });

  test('the alert about a role that is gone knows which roles there have to be', () => {
    const watched = (values: object) => {
      const rules = pick(render(values, 'production-values.yaml'), 'PrometheusRule').spec.groups[0].rules;
      const { expr } = rules.find(({ alert }: { alert: string }) => alert === 'FieldstoneRoleGone');
      return [...expr.matchAll(/absent\(up{[^}]*component="([^"]+)"}/g)].map(([, component]) => component);
    };
    expect(watched({})).toEqual(['gateway', 'worker', 'worker-media', 'edge']);
    const fewer = {
      edge: { enabled: false },
      gateway: { autoscaling: { enabled: false }, replicas: 0 },
      workerMedia: { autoscaling: { enabled: false }, keda: { enabled: true, minReplicas: 0 } },
    };
    expect(watched(fewer)).toEqual(['worker']);
  });

  test('the dashboard is found by Grafana’s sidecar', () => {
    const map = pick(objects, 'ConfigMap', '-dashboard');
    expect(map.metadata.labels.grafana_dashboard).toBe('1');
    expect(Object.keys(map.data!)).toEqual(['fieldstone.json']);
  });
});

describe('names and secrets', () => {
  test('stay within what Kubernetes allows, however long the release is called', () => {
    const objects = render({ fullnameOverride: 'x'.repeat(80) });
    for (const { metadata } of objects) expect(metadata.name.length).toBeLessThanOrEqual(63);
  });

  test('the chart makes no Secret when all of them exist already', () => {
    expect(render().filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });

  test('existing Secrets are used key by key', () => {
    const { spec } = pick(render({}, 'production-values.yaml'), 'Deployment', '-gateway').spec.template;
    const sources = spec.volumes[0].projected.sources.map(
      ({ secret }: { secret: { name: string; items: object[] } }) => [secret.name, secret.items[0]],
    );
    expect(sources).toEqual(
      expect.arrayContaining([
        ['fieldstone-database', { key: 'uri', path: 'DATABASE_URL' }],
        ['cockroachdb-client', { key: 'tls.key', path: 'DATABASE_KEY' }],
        ['temporal-client', { key: 'tls.crt', path: 'TEMPORAL_CERT' }],
        ['s3-ca', { key: 'ca.crt', path: 'S3_CA' }],
      ]),
    );
  });

  test('service accounts carry no token', () => {
    for (const account of render().filter(({ kind }) => kind === 'ServiceAccount'))
      expect(account.automountServiceAccountToken).toBe(false);
  });

  test('extra objects are templates', () => {
    expect(pick(render({}, 'ingress-values.yaml'), 'ConfigMap', 'demo-extra').data).toEqual({
      host: 'api.example.com',
    });
  });
});

describe('the end of a pod', () => {
  const drainOf = (values: object, suffix: string) =>
    pick(render(values), 'Deployment', suffix).spec.template.spec.containers[0].env.filter(
      ({ name }: { name: string }) => name === 'FIELDSTONE_DRAIN_FINISH_MS',
    );

  test('requests under way have what the kubelet leaves them', () => {
    const values = { gateway: { preStopSeconds: 10, terminationGracePeriodSeconds: 615 } };
    expect(drainOf(values, '-gateway')).toEqual([{ name: 'FIELDSTONE_DRAIN_FINISH_MS', value: '600000' }]);
    expect(drainOf(values, '-edge')).toEqual([{ name: 'FIELDSTONE_DRAIN_FINISH_MS', value: '20000' }]);
    expect(drainOf(values, '-worker')).toEqual([]);
  });

  test('a setting of the same name counts instead, once', () => {
    const settings = { FIELDSTONE_DRAIN_FINISH_MS: '7000' };
    expect(drainOf({ settings }, '-gateway')).toEqual([{ name: 'FIELDSTONE_DRAIN_FINISH_MS', value: '7000' }]);
  });
});
