// Simulates three nodes in three zones that are always ready, and pods on them that become ready, end and disappear as
// their specs say, without containers. Runs as a separate program next to a cluster:
//
//   node pretence.ts KUBECONFIG         (as cluster.ts writes it)
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { describeNode, describePod, type Pod } from './pretended-status.ts';

const nodeNames = ['node-a', 'node-b', 'node-c'];
const pollMs = 300;
/** The node controller considers a node lost after 40 seconds without a heartbeat. */
const heartbeatMs = 8000;

const config = JSON.parse(readFileSync(process.argv[2]!, 'utf8'));
const { server, 'certificate-authority': authority } = config.clusters[0].cluster;
const dispatcher = new Agent({ connect: { ca: readFileSync(authority, 'utf8') } });

/**
 * Sends one request to the API server. Returns the parsed reply, null if the object is gone or exists already; throws
 * for other errors.
 */
async function call(method: string, target: string, body?: object, contentType = 'application/json') {
  const response = await fetch(`${server}${target}`, {
    method,
    dispatcher,
    headers: { Authorization: `Bearer ${config.users[0].user.token}`, 'Content-Type': contentType },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  if (response.status === 404 || response.status === 409) return null;
  throw new Error(`${method} ${target}: ${response.status} ${text}`);
}

const patchStatus = (target: string, status: object) =>
  call('PATCH', `${target}/status`, { status }, 'application/merge-patch+json');

async function makeNodes(): Promise<void> {
  for (const name of nodeNames) {
    const labels = { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': name.slice(-1) };
    await call('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } });
  }
}

/**
 * Advances one pod by one step: removes it if it is being deleted, starts it if it waits, completes it if it runs and
 * may end.
 */
async function move(pod: Pod): Promise<void> {
  const { name, namespace, deletionTimestamp } = pod.metadata;
  const target = `/api/v1/namespaces/${namespace}/pods/${name}`;
  if (deletionTimestamp) {
    await call('DELETE', target, { gracePeriodSeconds: 0 });
    return;
  }
  const phase = pod.status?.phase;
  if (phase === 'Pending' && pod.spec.nodeName) await patchStatus(target, describePod(pod, 'Running', new Date()));
  if (phase === 'Running' && pod.spec.restartPolicy !== 'Always')
    await patchStatus(target, describePod(pod, 'Succeeded', new Date()));
}

await makeNodes();
let beatAtMs = Number.NEGATIVE_INFINITY;
for (;;) {
  if (performance.now() - beatAtMs > heartbeatMs) {
    beatAtMs = performance.now();
    for (const name of nodeNames) await patchStatus(`/api/v1/nodes/${name}`, describeNode(new Date()));
  }
  const { items } = (await call('GET', '/api/v1/pods')) as { items: Pod[] };
  for (const pod of items) await move(pod);
  await sleep(pollMs);
}
