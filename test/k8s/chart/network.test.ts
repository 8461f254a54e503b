import { describe, expect, test } from '@jest/globals';
import { allowedPorts } from '../../../services/engines/fetch/target.ts';
import { type KubeObject, pick, render } from './render.ts';

const policies = (values = {}) => render(values).filter(({ kind }) => kind === 'NetworkPolicy');
const reachesInternet = ({ spec }: KubeObject) => JSON.stringify(spec.egress).includes('"0.0.0.0/0"');
const egressPorts = ({ spec }: KubeObject): number[] =>
  spec.egress.flatMap(({ ports }: { ports: { port: number }[] }) => ports.map(({ port }) => port));

describe('network policies', () => {
  test('there is one for every kind of pod, in and out', () => {
    const names = policies().map(({ metadata }) => metadata.name.replace('demo-fieldstone-', ''));
    expect(names.sort()).toEqual(['edge', 'gateway', 'migrate', 'test', 'worker', 'worker-media']);
    for (const { spec } of policies()) expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
  });

  test('only the worker that fetches may go out', () => {
    expect(
      policies()
        .filter(reachesInternet)
        .map(({ metadata }) => metadata.name),
    ).toEqual(['demo-fieldstone-worker']);
    expect(policies({ networkPolicy: { fetch: { enabled: false } } }).filter(reachesInternet)).toEqual([]);
  });

  test('the way out never leads to private, link-local or special ranges', () => {
    const worker = pick(policies(), 'NetworkPolicy', '-worker');
    const out = worker.spec.egress.find(({ to }: { to: { ipBlock?: unknown }[] }) => to.some(({ ipBlock }) => ipBlock));
    const [v4, v6] = out.to;
    for (const range of [
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      '169.254.0.0/16',
      '127.0.0.0/8',
      '100.64.0.0/10',
    ]) {
      expect(v4.ipBlock.except).toContain(range);
    }
    // unique local and link-local addresses are outside the globally routed range
    expect(v6.ipBlock.cidr).toBe('2000::/3');
    expect(out.ports.map(({ port }: { port: number }) => port)).toEqual([...allowedPorts]);
  });

  test('only workers reach the mail server, and nobody without one', () => {
    const smtp = { url: { value: 'smtps://mail.example.com' }, from: 'post@example.com' };
    const reaching = (values: object) =>
      policies(values)
        .filter((policy) => egressPorts(policy).includes(465))
        .map(({ metadata }) => metadata.name);
    expect(reaching({ smtp })).toEqual(['demo-fieldstone-worker', 'demo-fieldstone-worker-media']);
    expect(reaching({})).toEqual([]);
  });

  test('gateways and the workers that build tell edges of releases, and nothing else reaches that port', () => {
    const all = policies({ edge: { pushPort: 8765 } });
    const component = ({ podSelector }: { podSelector: { matchLabels: Record<string, string> } }) =>
      podSelector.matchLabels['app.kubernetes.io/component'];
    const push = pick(all, 'NetworkPolicy', '-edge').spec.ingress.find(
      ({ ports }: { ports: { port: string }[] }) => ports[0]!.port === 'push',
    );
    expect(push.from.map(component)).toEqual(['gateway', 'worker']);
    const tellers = all.filter((policy) => egressPorts(policy).includes(8765));
    expect(tellers.map(({ metadata }) => metadata.name)).toEqual(['demo-fieldstone-gateway', 'demo-fieldstone-worker']);
    for (const { spec } of tellers) {
      const rule = spec.egress.find(({ ports }: { ports: { port: number }[] }) => ports[0]!.port === 8765);
      expect(rule.to.map(component)).toEqual(['edge']);
    }
  });

  test('the edge reaches the database and the objects, not Temporal', () => {
    const edge = pick(policies({ temporal: { address: 'temporal:7999' } }), 'NetworkPolicy', '-edge');
    expect(egressPorts(edge)).not.toContain(7999);
    expect(egressPorts(edge)).toEqual(expect.arrayContaining([53, 26257, 9000]));
  });

  test('engines are pods of this cluster unless their addresses are given', () => {
    const database = (values: object) => pick(policies(values), 'NetworkPolicy', '-edge').spec.egress[1];
    expect(database({})).toEqual({
      to: [{ namespaceSelector: {} }],
      ports: [
        { port: 26257, protocol: 'TCP' },
        { port: 5432, protocol: 'TCP' },
      ],
    });
    const to = [{ ipBlock: { cidr: '10.20.0.0/24' } }];
    expect(database({ networkPolicy: { database: { to, ports: [5432] } } })).toEqual({
      to,
      ports: [{ port: 5432, protocol: 'TCP' }],
    });
  });

  test('ports follow the addresses of the engines', () => {
    const worker = pick(
      policies({ temporal: { address: 't:7999' }, s3: { endpoint: 'https://minio.storage.svc' } }),
      'NetworkPolicy',
      '-worker-media',
    );
    expect(egressPorts(worker)).toEqual(expect.arrayContaining([7999, 443]));
  });

  test('gateways and workers, in which `fieldstone backups` runs, and the doctor reach another store for backups', () => {
    const open = policies({ backup: { endpoint: 'https://minio.backups.svc:9443' } }).filter((policy) =>
      egressPorts(policy).includes(9443),
    );
    expect(open.map(({ metadata }) => metadata.name)).toEqual([
      'demo-fieldstone-gateway',
      'demo-fieldstone-worker',
      'demo-fieldstone-worker-media',
      'demo-fieldstone-test',
    ]);
  });

  test('a collector of traces is reached when there is one', () => {
    const reaching = (values: object) => policies(values).filter((policy) => egressPorts(policy).includes(4318)).length;
    expect(reaching({})).toBe(0);
    expect(reaching({ tracing: { endpoint: 'http://collector.monitoring:4318' } })).toBe(policies().length);
  });

  test('workers take no traffic but on the operations port', () => {
    const { spec } = pick(policies(), 'NetworkPolicy', '-worker');
    expect(spec.ingress.map(({ ports }: { ports: unknown }) => ports)).toEqual([[{ port: 'ops', protocol: 'TCP' }]]);
  });

  test('who reaches the gateway can be narrowed, and helm test still may', () => {
    const from = [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }];
    const { spec } = pick(policies({ networkPolicy: { from } }), 'NetworkPolicy', '-gateway');
    expect(spec.ingress[0].from[0]).toEqual(from[0]);
    expect(spec.ingress[0].from[1].podSelector.matchLabels['app.kubernetes.io/component']).toBe('test');
  });
});

describe('ways in', () => {
  const objects = render({}, 'ingress-values.yaml');

  test('gateway and edge have an ingress each, on their own host', () => {
    const hosts = objects
      .filter(({ kind }) => kind === 'Ingress')
      .map(({ spec }) => spec.rules.map(({ host }: { host: string }) => host));
    expect(hosts).toEqual([['api.example.com'], ['sites.example.com', 'www.example.org']]);
  });

  test('every host gets a certificate of its own from the issuer', () => {
    const edge = pick(objects, 'Ingress', '-edge');
    expect(edge.metadata.annotations?.['cert-manager.io/cluster-issuer']).toBe('letsencrypt');
    expect(edge.spec.tls).toEqual([
      { hosts: ['sites.example.com'], secretName: 'sites-example-com-tls' },
      { hosts: ['www.example.org'], secretName: 'www-example-org-tls' },
    ]);
  });

  test('a Service that the outside reaches keeps the addresses of clients, by which limits count', () => {
    const specOf = (service: object) => pick(render({ gateway: { service } }), 'Service', '-gateway').spec;
    expect(specOf({})).not.toHaveProperty('externalTrafficPolicy');
    expect(specOf({ type: 'LoadBalancer' }).externalTrafficPolicy).toBe('Local');
    expect(specOf({ type: 'NodePort' }).externalTrafficPolicy).toBe('Local');
    const spec = { externalTrafficPolicy: 'Cluster', loadBalancerClass: 'example.com/lb' };
    expect(specOf({ type: 'LoadBalancer', spec })).toMatchObject({ type: 'LoadBalancer', ...spec });
  });

  test('no way in leads to the operations port', () => {
    for (const { kind, spec } of objects) {
      if (kind === 'Ingress') expect(JSON.stringify(spec)).not.toContain('ops');
      if (kind === 'Service' && spec.clusterIP !== 'None')
        expect(spec.ports.map(({ name }: { name: string }) => name)).toEqual(['http']);
    }
  });

  test('routes of the Gateway API lead to the same services', () => {
    const all = render({}, 'production-values.yaml');
    const routes = all.filter(({ kind }) => kind === 'HTTPRoute');
    expect(all.filter(({ kind }) => kind === 'Ingress')).toEqual([]);
    expect(routes.map(({ spec }) => spec.hostnames)).toEqual([
      ['api.example.com'],
      ['sites.example.com', 'www.example.org'],
    ]);
    expect(routes.map(({ spec }) => spec.rules[0].backendRefs[0].name)).toEqual([
      'demo-fieldstone-gateway',
      'demo-fieldstone-edge',
    ]);
  });
});
