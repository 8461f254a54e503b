import { describe, expect, test } from '@jest/globals';
import { refusal } from './render.ts';

const ingress = { ingress: { enabled: true } };

test.each([
  ['no public origin', { url: '' }, 'url is missing'],
  ['an origin with a path', { url: 'https://example.com/api' }, '/url'],
  ['no Temporal', { temporal: { address: '' } }, 'temporal.address is missing'],
  ['a Temporal address without a port', { temporal: { address: 'temporal' } }, '/temporal/address'],
  ['no object store', { s3: { endpoint: '' } }, 's3.endpoint is missing'],
  ['no secrets at all', { existingSecret: '' }, 'database.url is missing'],
  [
    'a secret both as a value and as a Secret',
    { database: { url: 'postgresql://a', secret: { name: 'b' } } },
    'database.url is given both',
  ],
  ['a secret key of another length', { secretKey: { value: 'c2hvcnQ=' } }, 'secretKey.value must be 32 bytes'],
  ['half of the keys for backups', { backup: { accessKey: { value: 'a' } } }, 'an access key without its secret key'],
  ['a mail server without a sender', { smtp: { url: { value: 'smtps://m.example' } } }, 'smtp has a url without from'],
  [
    'backups in the bucket of the data',
    { s3: { bucket: 'site-data' }, backup: { bucket: 'site-data' } },
    'give backups a bucket of their own',
  ],
  ['a certificate without its key', { database: { tls: { secretName: 'a', cert: 'tls.crt' } } }, 'without its key'],
  ['a certificate in no Secret', { database: { tls: { cert: 'a', key: 'b' } } }, 'give database.tls.secretName'],
  [
    'an authority for an object store without TLS',
    { s3: { endpoint: 'http://minio:9000', tls: { secretName: 'a' } } },
    's3.tls names an authority',
  ],
  [
    'an authority for a backup store that is that of s3, without TLS',
    { s3: { endpoint: 'http://minio:9000' }, backup: { tls: { secretName: 'a' } } },
    'backup.tls names an authority',
  ],
  ['an ingress without trusted proxies', ingress, 'trustedProxies is empty'],
  [
    'one host for gateway and edge',
    { ...ingress, trustedProxies: ['10.0.0.0/8'], edgeUrl: 'https://api.example.com' },
    'the same host',
  ],
  [
    'two issuers',
    {
      ...ingress,
      trustedProxies: ['10.0.0.0/8'],
      ingress: { enabled: true, certManager: { issuer: 'a', clusterIssuer: 'b' } },
    },
    'both a clusterIssuer',
  ],
  [
    'a custom domain that is the host of the gateway',
    {
      trustedProxies: ['10.0.0.0/8'],
      ingress: { enabled: true, edge: { domains: [{ host: 'api.example.com' }] } },
    },
    'ingress.edge.domains names api.example.com',
  ],
  [
    'one host for the routes of gateway and edge',
    {
      trustedProxies: ['10.0.0.0/8'],
      httpRoute: { enabled: true, parentRefs: [{ name: 'a' }], edgeHosts: ['www.example.org', 'api.example.com'] },
    },
    'httpRoute leads api.example.com both',
  ],
  [
    'routes that attach to nothing',
    { httpRoute: { enabled: true }, trustedProxies: ['10.0.0.0/8'] },
    'parentRefs is empty',
  ],
  ['a queue that nobody works on', { workerMedia: { enabled: false } }, 'No enabled worker works on the queue media'],
  ['an unknown queue', { worker: { queues: ['video'] } }, '/worker/queues/0'],
  [
    'two autoscalers at once',
    { worker: { autoscaling: { enabled: true }, keda: { enabled: true } } },
    'both by autoscaling and by keda',
  ],
  [
    'fewer pods at most than at least',
    { edge: { autoscaling: { enabled: true, minReplicas: 5, maxReplicas: 2 } } },
    'greater than maxReplicas',
  ],
  [
    'no worker at all that decides',
    { worker: { keda: { enabled: true, minReplicas: 0 } } },
    'worker.keda.minReplicas is 0',
  ],
  ['a port for pushes that is in use', { edge: { pushPort: 8081 } }, 'edge.pushPort is 8081, which another port'],
  ['one port for two things', { edge: { containerPort: 9090 } }, 'edge.containerPort and its opsPort are both 9090'],
  [
    'a ServiceMonitor without the Service that it looks at',
    { metrics: { service: { enabled: false }, serviceMonitor: { enabled: true } } },
    'metrics.service: enable that too',
  ],
  [
    'less time than draining takes',
    { gateway: { terminationGracePeriodSeconds: 10 } },
    'stopping takes up to 20 seconds',
  ],
  ['private addresses that the policy keeps closed', { fetchAllow: ['10.0.0.1:80'] }, 'networkPolicy.fetch.extra'],
  [
    'a way out to a private range',
    { networkPolicy: { fetch: { except: ['10.0.0.0/8'] } } },
    '/networkPolicy/fetch/except',
  ],
  ['a secret among the settings', { settings: { FIELDSTONE_FACT_CHECK_API_KEY: 'x' } }, 'is a secret'],
  [
    'a setting that the chart owns',
    { settings: { FIELDSTONE_PORT: '1' } },
    "settings.FIELDSTONE_PORT is the chart's own",
  ],
  ['a setting that is not ours', { settings: { NODE_OPTIONS: '' } }, '/settings'],
  ['a value that does not exist', { gatewy: {} }, 'gatewy'],
  ['a number as a word', { gateway: { replicas: 'two' } }, '/gateway/replicas'],
  ['a proxy with too long a mask', { trustedProxies: ['10.0.0.0/33'] }, '/trustedProxies/0'],
  ['a proxy that is no address', { trustedProxies: ['999.0.0.0/8'] }, '/trustedProxies/0'],
  ['a field of pods that has a value of its own', { podDefaults: { spec: { containers: [] } } }, '/podDefaults/spec'],
  [
    'a field of Services that has a value of its own',
    { edge: { service: { spec: { type: 'NodePort' } } } },
    '/edge/service/spec/type',
  ],
  ['a proxy that is no range', { trustedProxies: ['proxy.example.com'] }, '/trustedProxies/0'],
])('is refused: %s', (_what, values, sentence) => {
  expect(refusal(values)).toContain(sentence);
});

describe('an engine outside the cluster', () => {
  const outside = {
    s3: { endpoint: 'https://s3.eu-west-1.amazonaws.com' },
    temporal: { address: 'name.account.tmprl.cloud:7233' },
    database: { url: 'postgresql://me:secret@10.20.0.4:5432/x' },
    backup: { endpoint: 'http://[fd00::1]:9000' },
    tracing: { endpoint: 'https://otlp.collector.example.com' },
  };

  test.each(Object.entries(outside))('is refused while the policies lead to pods alone: %s', (name, values) => {
    const said = refusal({ [name]: values });
    expect(said).toContain(`networkPolicy.${name}.to is empty`);
    expect(said).not.toContain('secret@');
    expect(refusal({ [name]: values, networkPolicy: { enabled: false } })).toBe('');
    expect(refusal({ [name]: values, networkPolicy: { [name]: { to: [{ namespaceSelector: {} }] } } })).toBe('');
  });

  test.each([
    'http://minio:9000',
    'http://minio.storage:9000',
    'https://minio.storage.svc',
    'https://minio-0.minio.storage.svc.cluster.local:9000',
    'http://127.0.0.1:9000',
    'http://[::1]:9000',
  ])('is not what is in the cluster, or in the pod: %s', (endpoint) => {
    expect(refusal({ s3: { endpoint } })).toBe('');
  });
});

test.each(['10.0.0.0/8', '192.0.2.7', 'fd00::/8', '2001:db8::1/128', '::ffff:10.0.0.0/104'])(
  'a proxy may be %s',
  (range) => {
    expect(refusal({ trustedProxies: [range] })).toBe('');
  },
);

test('an ingress without trusted proxies is possible when asked for', () => {
  expect(refusal({ ...ingress, allowUntrustedProxies: true })).toBe('');
});
