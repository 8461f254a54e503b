import { describe, expect, test } from '@jest/globals';
import { type Config, loadConfig } from '../../../services/core/config.ts';
import { envOf, listPodSpecs, pick, render } from './render.ts';

const everyCi = ['minimal-values.yaml', 'values-values.yaml', 'production-values.yaml', 'ingress-values.yaml'];

describe('every pod', () => {
  test.each(everyCi)('meets the restricted pod standard and mounts no token: %s', (ci) => {
    const pods = listPodSpecs(render({}, ci));
    expect(pods.length).toBeGreaterThan(4);
    for (const { spec } of pods) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const container of spec.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources.requests).toHaveProperty('memory');
        expect(container.volumeMounts).toContainEqual({ name: 'tmp', mountPath: '/tmp' });
      }
    }
  });

  test('gets secrets as files, never as environment variables', () => {
    for (const { spec } of listPodSpecs(render({}, 'values-values.yaml'))) {
      expect(JSON.stringify(spec)).not.toContain('example-secret');
      for (const name of Object.keys(envOf(spec)))
        expect(name).not.toMatch(/^(DATABASE_URL|S3_(ACCESS|SECRET)_KEY|FIELDSTONE_SECRET_KEY)$/);
    }
  });

  test('has a file behind every setting that names one', () => {
    for (const ci of everyCi) {
      for (const { spec } of listPodSpecs(render({}, ci))) {
        const files = (
          spec.volumes.find(({ name }: { name: string }) => name === 'secrets')?.projected.sources ?? []
        ).map((source: { secret: { items: { path: string }[] } }) => `/etc/fieldstone/${source.secret.items[0]!.path}`);
        const named = Object.entries(envOf(spec)).filter(([name]) => name.endsWith('_FILE'));
        expect(named.map(([, file]) => file).sort()).toEqual([...files].sort());
      }
    }
  });

  test('knows where backups go when told', () => {
    const env = envOf(pick(render({}, 'production-values.yaml'), 'Deployment', '-worker').spec.template.spec);
    expect(env).toMatchObject({
      BACKUP_S3_ENDPOINT: 'https://backups.example.com:9443',
      BACKUP_S3_ACCESS_KEY_FILE: '/etc/fieldstone/BACKUP_S3_ACCESS_KEY',
      FIELDSTONE_BACKUP_EVERY_HOURS: '24',
    });
    expect(envOf(pick(render(), 'Deployment', '-worker').spec.template.spec)).not.toHaveProperty('BACKUP_S3_ENDPOINT');
  });

  test('traces when a collector is named, the share of requests that is asked for', () => {
    const traced = (values: object) => {
      const env = envOf(pick(render(values), 'Deployment', '-edge').spec.template.spec);
      return loadConfig(Object.fromEntries(Object.entries(env).filter(([name]) => !name.endsWith('_FILE')))).tracing;
    };
    expect(traced({})).toBeUndefined();
    const endpoint = 'http://collector.monitoring:4318';
    expect(traced({ tracing: { endpoint } })).toMatchObject({
      url: `${endpoint}/v1/traces`,
      sampler: 'parentbased_always_on',
    });
    expect(traced({ tracing: { endpoint, ratio: 0.25 } })).toMatchObject({
      sampler: 'parentbased_traceidratio',
      ratio: 0.25,
    });
    const production = envOf(pick(render({}, 'production-values.yaml'), 'Deployment', '-worker').spec.template.spec);
    expect(production.OTEL_EXPORTER_OTLP_HEADERS_FILE).toBe('/etc/fieldstone/OTEL_EXPORTER_OTLP_HEADERS');
  });

  test('carries settings that the program itself reads', () => {
    const spec = pick(
      render({ settings: { FIELDSTONE_RETRY_ATTEMPTS: '8' }, trustedProxies: ['10.0.0.0/8'] }),
      'Deployment',
      '-worker-media',
    ).spec.template.spec;
    const env = Object.fromEntries(Object.entries(envOf(spec)).filter(([name]) => !name.endsWith('_FILE')));
    const config: Config = loadConfig(env);
    expect(config).toMatchObject({
      url: 'https://api.example.com',
      edgeUrl: 'https://sites.example.com',
      temporalAddress: 'temporal-frontend.temporal.svc:7233',
      temporalNamespace: 'default',
      retryAttempts: 8,
      workerQueues: ['media'],
      trustedProxies: ['10.0.0.0/8'],
      s3: { endpoint: 'https://minio.storage.svc:9000', bucket: 'fieldstone' },
    });
  });
});

describe('roles', () => {
  const deployments = () => render().filter(({ kind }) => kind === 'Deployment');

  test('are a gateway, a general worker, a media worker and an edge', () => {
    const roles = deployments().map(({ metadata, spec }) => [metadata.name, spec.template.spec.containers[0].args]);
    expect(Object.fromEntries(roles)).toEqual({
      'demo-fieldstone-gateway': ['gateway'],
      'demo-fieldstone-worker': ['worker'],
      'demo-fieldstone-worker-media': ['worker'],
      'demo-fieldstone-edge': ['edge'],
    });
  });

  test('share the task queues out', () => {
    const queues = deployments()
      .map(({ spec }) => envOf(spec.template.spec).FIELDSTONE_WORKER_QUEUES)
      .filter(Boolean);
    expect(queues.sort()).toEqual(['general,inbox', 'media']);
  });

  test('are probed on the operations port alone', () => {
    for (const { spec } of deployments()) {
      const container = spec.template.spec.containers[0];
      expect(container.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'ops' });
      expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'ops' });
      expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'ops' });
      expect(container.ports).toContainEqual({ name: 'ops', containerPort: 9090, protocol: 'TCP' });
    }
  });

  test('are given the time to drain that they take', () => {
    for (const name of ['-gateway', '-edge']) {
      const spec = pick(deployments(), 'Deployment', name).spec.template.spec;
      expect(spec.containers[0].lifecycle.preStop).toEqual({ sleep: { seconds: 5 } });
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(20);
    }
  });

  test('are replaced without a pod fewer, and spread over zones and nodes', () => {
    for (const { spec } of deployments()) {
      expect(spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
      const keys = spec.template.spec.topologySpreadConstraints.map(
        ({ topologyKey }: { topologyKey: string }) => topologyKey,
      );
      expect(keys).toEqual(['topology.kubernetes.io/zone', 'kubernetes.io/hostname']);
    }
  });

  test('select by labels that no upgrade changes', () => {
    const [before, after] = [render(), render({ image: { tag: '9.9.9' }, commonLabels: { team: 'a' } })].map(
      (objects) => objects.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.selector),
    );
    expect(after).toEqual(before);
  });

  test('take labels, annotations, variables, volumes and containers of the platform', () => {
    const pod = {
      podLabels: { team: 'a' },
      podAnnotations: { scan: 'yes' },
      extraEnv: [{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }],
      extraVolumes: [{ name: 'more', emptyDir: {} }],
      extraVolumeMounts: [{ name: 'more', mountPath: '/more' }],
      sidecars: [{ name: 'side', image: 'side:1' }],
      nodeSelector: { pool: 'a' },
    };
    const { template } = pick(
      render({ podDefaults: pod, gateway: { pod: { nodeSelector: { pool: 'b' } } } }),
      'Deployment',
      '-gateway',
    ).spec;
    expect(template.metadata.labels).toMatchObject({ team: 'a', 'app.kubernetes.io/component': 'gateway' });
    expect(template.metadata.annotations).toMatchObject({ scan: 'yes' });
    expect(envOf(template.spec).HTTPS_PROXY).toBe('http://proxy:3128');
    expect(template.spec.volumes).toContainEqual({ name: 'more', emptyDir: {} });
    expect(template.spec.containers[0].volumeMounts).toContainEqual({ name: 'more', mountPath: '/more' });
    expect(template.spec.containers[1]).toEqual({ name: 'side', image: 'side:1' });
    expect(template.spec.nodeSelector).toEqual({ pool: 'b' });
  });

  test('take what a kind says otherwise: maps merged, lists and words replaced, null taken away', () => {
    const podDefaults = {
      nodeSelector: { pool: 'a' },
      tolerations: [{ key: 'x', operator: 'Exists' }],
      priorityClassName: 'high',
      affinity: { nodeAffinity: {} },
      spec: { dnsConfig: { options: [{ name: 'ndots', value: '2' }] } },
    };
    const pod = { nodeSelector: null, tolerations: [], priorityClassName: '', affinity: { podAffinity: {} } };
    const objects = render({ podDefaults, gateway: { pod } });
    const { spec } = pick(objects, 'Deployment', '-gateway').spec.template;
    for (const name of ['nodeSelector', 'tolerations', 'priorityClassName']) expect(spec).not.toHaveProperty(name);
    expect(spec.affinity).toEqual({ nodeAffinity: {}, podAffinity: {} });
    for (const one of listPodSpecs(objects)) expect(one.spec.dnsConfig).toEqual(podDefaults.spec.dnsConfig);
    expect(pick(objects, 'Deployment', '-edge').spec.template.spec).toMatchObject({ priorityClassName: 'high' });
  });

  test('that end by themselves have no container beside them that does not', () => {
    const sidecar = { name: 'side', image: 'side:1' };
    const proxy = { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' };
    for (const { name, spec } of listPodSpecs(
      render({ podDefaults: { sidecars: [sidecar], initContainers: [proxy] } }),
    )) {
      const ends = spec.restartPolicy === 'Never';
      expect({ name, count: spec.containers.length }).toEqual({ name, count: ends ? 1 : 2 });
      expect(spec.initContainers).toEqual([proxy]);
    }
  });

  test('of helm test have resources and places of their own', () => {
    const resources = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } };
    const tests = { resources, pod: { nodeSelector: { pool: 'b' } } };
    const pods = render({ tests }).filter(({ kind }) => kind === 'Pod');
    expect(pods).toHaveLength(2);
    for (const { spec } of pods) {
      expect(spec.containers[0].resources).toEqual(resources);
      expect(spec.nodeSelector).toEqual({ pool: 'b' });
    }
  });

  test('leave their ids to the platform when told to', () => {
    const podSecurityContext = { runAsUser: null, runAsGroup: null, fsGroup: null };
    for (const { spec } of listPodSpecs(render({ podDefaults: { podSecurityContext } }))) {
      expect(spec.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    }
  });

  test('start anew when a secret in the values changes', () => {
    const checksum = (key: string) =>
      pick(render({ s3: { secretKey: { value: key } } }), 'Deployment', '-edge').spec.template.metadata.annotations[
        'checksum/secret'
      ];
    expect(checksum('a')).not.toBe(checksum('b'));
  });
});

describe('image', () => {
  const imageOf = (values: object) =>
    pick(render(values), 'Deployment', '-edge').spec.template.spec.containers[0].image;
  test('goes by the version of the application', () => expect(imageOf({})).toBe('fieldstone:0.1.0'));
  test('goes by a digest before a tag', () => {
    const digest = `sha256:${'a'.repeat(64)}`;
    expect(imageOf({ image: { repository: 'r/f', tag: '1', digest } })).toBe(`r/f@${digest}`);
  });
  test('is fetched with the secrets given', () => {
    const { spec } = pick(render({ imagePullSecrets: ['one', { name: 'two' }] }), 'Deployment', '-edge').spec.template;
    expect(spec.imagePullSecrets).toEqual([{ name: 'one' }, { name: 'two' }]);
  });
});
