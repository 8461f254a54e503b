import { Connection, isGrpcServiceError } from '@temporalio/client';
import { taskQueues } from '../../../workflows/policies/index.ts';
import type { TemporalSettings } from '../../engines/actors/temporal/client.ts';
import { explainTemporal, temporalSubject, temporalTls } from '../../engines/actors/temporal/tls.ts';
import { bad, examine, explain, type Finding, good, note } from './finding.ts';

const callTimeoutMs = 5000;
/** Values of `temporal.api.enums.v1.TaskQueueType`. */
const workflowType = 1;
const activityType = 2;
/** Status codes of gRPC. */
const notFound = 5;
const refused = [7, 16];

interface Queue {
  name: string;
  type: typeof workflowType | typeof activityType;
  /** The work that stops without a worker, and the word of FIELDSTONE_WORKER_QUEUES that starts one. */
  work: string;
  word: string;
  /** Without a vital queue nothing goes live; the workers of the others may scale to zero. */
  vital: boolean;
}

const queues: readonly Queue[] = [
  { name: taskQueues.general, type: workflowType, work: 'publishing', word: 'general', vital: true },
  {
    name: taskQueues.suspects,
    type: activityType,
    work: 'builds that may end a worker',
    word: 'general',
    vital: false,
  },
  {
    name: taskQueues.fetch,
    type: activityType,
    work: 'imports, fact checks and operations on backups',
    word: 'general',
    vital: false,
  },
  { name: taskQueues.inbox, type: activityType, work: 'deliveries', word: 'inbox', vital: true },
  { name: taskQueues.outbox, type: activityType, work: 'events', word: 'inbox', vital: false },
  { name: taskQueues.media, type: activityType, work: 'images', word: 'media', vital: false },
  { name: taskQueues.video, type: activityType, work: 'video', word: 'media', vital: false },
];

/** Describes an error of Temporal as part of a sentence. */
function tell(error: unknown, config: TemporalSettings): string {
  const code = isGrpcServiceError(error) ? Number(error.code) : 0;
  if (code === notFound) return `it has no namespace ${config.temporalNamespace}`;
  if (refused.includes(code)) return 'it refuses the API key or the certificate';
  return isGrpcServiceError(error) ? 'it does not respond' : explain(error);
}

async function checkQueues(connection: Connection, namespace: string): Promise<Finding> {
  const found = await Promise.all(
    queues.map(async ({ name, type, ...queue }) => {
      const request = { namespace, taskQueue: { name }, taskQueueType: type };
      const { pollers } = await connection.workflowService.describeTaskQueue(request);
      return { ...queue, served: (pollers?.length ?? 0) > 0 };
    }),
  );
  const idle = found.filter(({ served }) => !served);
  if (idle.length === 0) return good('workers', 'poll every queue');
  const works = idle.map(({ work }) => work).join(', ');
  const words = [...new Set(idle.map(({ word }) => word))].join(',');
  const message = `No worker has polled lately for this work: ${works}. Start a worker with FIELDSTONE_WORKER_QUEUES=${words}.`;
  return idle.some(({ vital }) => vital) ? bad('workers', message) : note('workers', message);
}

/** Checks Temporal, its namespace, and whether a worker polls each queue. */
export async function checkWorkflows(config: TemporalSettings): Promise<Finding[]> {
  const { temporalAddress: address, temporalNamespace: namespace } = config;
  const connection = Connection.lazy({
    address,
    tls: temporalTls(config),
    ...(config.temporalApiKey ? { apiKey: config.temporalApiKey } : {}),
  });
  const inTime = <T>(ask: () => Promise<T>) => connection.withDeadline(Date.now() + callTimeoutMs, ask);
  const where = {
    subject: `Temporal at ${address}`,
    remedy: 'Check TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and its TLS settings.',
    tls: temporalSubject,
  };
  try {
    const findings = await examine('workflows', where, async () => {
      try {
        await inTime(() => connection.workflowService.describeNamespace({ namespace }));
      } catch (error) {
        // its cause would only repeat this in gRPC's words
        throw (await explainTemporal(config)) ?? new Error(tell(error, config));
      }
      return good('workflows', `Temporal responds at ${address} with the namespace ${namespace}`);
    });
    if (findings.some(({ ok }) => !ok)) return findings;
    return [...findings, ...(await examine('workers', where, () => inTime(() => checkQueues(connection, namespace))))];
  } finally {
    await connection.close();
  }
}
