import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { createLogger } from '../../services/core/log.ts';
import type { Origin } from '../../services/core/tracing.ts';
import { loadWorkflowBundle } from '../../services/engines/actors/temporal/workflow-bundle.ts';
import { siteActorId } from '../../workflows/contracts/site-actor.ts';
import { traceContextHeader } from '../../workflows/contracts/trace-context.ts';
import { closeStack, eventually } from '../harness/api.ts';
import { type Collector, startCollector } from '../harness/otlp.ts';
import { type OwnService, startOwnService } from '../harness/own-service.ts';

let collector: Collector;
let service: OwnService;
beforeAll(async () => {
  collector = await startCollector();
  service = await startOwnService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
}, 200_000);
afterAll(async () => {
  await service?.stop();
  await collector?.close();
  await closeStack();
});

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const reply = await fetch(`${service.gateway}/api/v1${path}`, {
    method,
    headers: { 'X-API-Key': service.key, 'Content-Type': 'application/json', ...headers },
    body: body ? JSON.stringify(body) : null,
  });
  const { data } = (await reply.json()) as { data: { id: string; job: string; status: string } };
  return { data, requestId: reply.headers.get('x-request-id')! };
}

/** Returns the history of a site's actor in the service's own namespace. */
async function readHistory(siteId: string) {
  const { TEMPORAL_ADDRESS: address = '', TEMPORAL_NAMESPACE: namespace = '' } = service.env;
  const connection = await Connection.connect({ address });
  try {
    return await new Client({ connection, namespace }).workflow.getHandle(siteActorId(siteId)).fetchHistory();
  } finally {
    await connection.close();
  }
}

test('a publish leaves a history that says where the wake came from, and that replays', async () => {
  const { data: site } = await call('POST', '/sites', { name: 'Traced', slug: 'traced' });
  const traceId = randomBytes(16).toString('hex');
  const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
  const { data: queued, requestId } = await call('POST', '/sites/traced/publish', undefined, { traceparent });
  await eventually(
    'the site is live',
    async () => (await call('GET', `/jobs/${queued.job}`)).data.status === 'succeeded',
  );

  const history = await readHistory(site.id);
  const headers = (history.events ?? []).flatMap(
    ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.header?.fields?.[traceContextHeader] ?? [],
  );
  const origins = headers.map((payload) => defaultPayloadConverter.fromPayload<Origin>(payload));
  expect(origins).toContainEqual({ request_id: requestId, traceparent: expect.stringContaining(traceId) });
  const workflowBundle = await loadWorkflowBundle(createLogger('test', 'warn'));
  await Worker.runReplayHistory({ workflowBundle }, history);
}, 120_000);
