import { expect, test } from '@jest/globals';
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
  ['a certificate without its key', { database: { tls: { secretName: 'a', cert: 'tls.crt' } } }, 'without its key'],
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
  ['a proxy that is no range', { trustedProxies: ['proxy.example.com'] }, '/trustedProxies/0'],
])('is refused: %s', (_what, values, sentence) => {
  expect(refusal(values)).toContain(sentence);
});

test('an ingress without trusted proxies is possible when asked for', () => {
  expect(refusal({ ...ingress, allowUntrustedProxies: true })).toBe('');
});
