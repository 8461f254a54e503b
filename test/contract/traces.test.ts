import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually } from '../harness/api.ts';
import { type Collector, type ReceivedSpan, startCollector } from '../harness/otlp.ts';
import { type OwnService, startOwnService } from '../harness/own-service.ts';
import { type Sent, send } from '../harness/webhooks.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies of every shape
type Any = any;

const password = randomUUID();
const marker = `marker-${randomUUID()}`;
let collector: Collector;
let service: OwnService;
let integration: { id: string; slug: string; secret: string };

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const reply = await fetch(`${service.gateway}/api/v1${path}`, {
    method,
    headers: { 'X-API-Key': service.key, 'Content-Type': 'application/json', ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const json = (await reply.json()) as Any;
  return { status: reply.status, data: json.data, requestId: reply.headers.get('x-request-id')! };
}

function makeTraceparent() {
  const traceId = randomBytes(16).toString('hex');
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
}

const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);
const named = (spans: ReceivedSpan[], name: string | RegExp) =>
  spans.filter((span) => (typeof name === 'string' ? span.name === name : name.test(span.name)));

/** Waits until the collector has a span of this trace with this name. */
async function waitForSpan(traceId: string, name: string): Promise<ReceivedSpan> {
  return eventually(`${name} arrives`, async () => named(spansOf(traceId), name)[0]);
}

/** Whether `span` is a descendant of `above` in the trace. */
function isWithin(span: ReceivedSpan, above: ReceivedSpan): boolean {
  const byId = new Map(spansOf(span.traceId).map((one) => [one.spanId, one]));
  for (let one: ReceivedSpan | undefined = span; one; one = byId.get(one.parentSpanId)) {
    if (one.spanId === above.spanId) return true;
  }
  return false;
}

beforeAll(async () => {
  collector = await startCollector();
  service = await startOwnService({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `x-collector-password=${password}`,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    FIELDSTONE_LOG_LEVEL: 'debug',
  });
  await call('POST', '/sites', { name: 'Traced', slug: 'traced' });
  const made = await call('POST', '/sites/traced/webhooks', { mapper: 'autoseo' });
  integration = made.data;
}, 200_000);

afterAll(async () => {
  await service?.stop();
  await collector?.close();
  await closeStack();
});

describe('a publish', () => {
  const { traceId, traceparent } = makeTraceparent();
  let requestId: string;
  let job: string;

  beforeAll(async () => {
    const reply = await call('POST', `/sites/traced/publish?x=${marker}`, undefined, { traceparent });
    expect(reply.status).toBe(202);
    requestId = reply.requestId;
    job = reply.data.job;
    await waitForSpan(traceId, 'build live');
    await waitForSpan(traceId, 'activity buildSite');
  }, 90_000);

  test('is one trace through gateway, workflow, activity, SQL and object store, which continues the caller’s', () => {
    const spans = spansOf(traceId);
    const [request] = named(spans, 'POST /api/v1/sites/:site/publish');
    expect(request).toMatchObject({ service: 'fieldstone-gateway', parentSpanId: traceparent.split('-')[2] });
    expect(request!.attributes).toMatchObject({
      'http.route': '/api/v1/sites/:site/publish',
      'http.response.status_code': 202,
      'fieldstone.request_id': requestId,
    });
    const [wake] = named(spans, 'wake siteActor');
    const [activity] = named(spans, 'activity buildSite');
    const [build] = named(spans, 'build live');
    expect(isWithin(wake!, request!)).toBe(true);
    expect(activity).toMatchObject({ service: 'fieldstone-worker', parentSpanId: wake!.spanId });
    expect(isWithin(build!, activity!)).toBe(true);
    const statements = named(spans, /^SQL /);
    expect(statements.some((span) => span.name === 'SQL insert jobs' && isWithin(span, request!))).toBe(true);
    expect(statements.some((span) => span.name === 'SQL insert releases' && isWithin(span, build!))).toBe(true);
    expect(named(spans, /^(files|S3) put$/).some((span) => isWithin(span, build!))).toBe(true);
    expect(request!.startMs).toBeLessThanOrEqual(wake!.startMs);
    expect(build!.startMs).toBeLessThanOrEqual(build!.endMs);
  });

  test('is named in the logs of every role that worked for it: request, job and trace', () => {
    const gateway = service.logs('gateway').filter((line) => line.request_id === requestId);
    expect(gateway.find(({ msg }) => msg === 'request')).toMatchObject({
      role: 'gateway',
      route: '/api/v1/sites/:site/publish',
      status: 202,
      trace_id: traceId,
    });
    const made = service.logs('worker').find(({ msg, jobs }) => msg === 'release made' && jobs.includes(job));
    expect(made).toMatchObject({
      role: 'worker',
      activity: 'buildSite',
      request_id: requestId,
      trace_id: traceId,
      site: 'traced',
    });
  });

  test('without a caller’s trace begins one of its own, and a malformed one is not continued', async () => {
    const replies = await Promise.all(
      [{}, { traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01` }, { traceparent: 'nonsense' }].map((headers) =>
        call('GET', '/sites/traced', undefined, headers as Record<string, string>),
      ),
    );
    const found = await Promise.all(
      replies.map(({ requestId: id }) =>
        eventually('the request’s span arrives', async () =>
          collector.spans.find((span) => span.attributes['fieldstone.request_id'] === id),
        ),
      ),
    );
    expect(new Set(found.map((span) => span.traceId)).size).toBe(3);
    for (const span of found) expect(span.parentSpanId).toBe('');
  });
});

describe('a delivery', () => {
  const { traceId, traceparent } = makeTraceparent();
  let sent: Sent;

  beforeAll(async () => {
    const article = { id: 'a-1', title: 'Traced', body_html: `<p>${marker}</p><img src="http://127.0.0.1:1/x.png">` };
    sent = await send(integration, article, { origin: service.gateway, headers: { traceparent } });
    expect(sent.status).toBe(202);
    await waitForSpan(traceId, 'delivery');
    await waitForSpan(traceId, 'activity buildSite');
  }, 90_000);

  test('is one trace from its receipt to the live page, stage by stage with the time of each', () => {
    const spans = spansOf(traceId);
    const [request] = named(spans, 'POST /webhooks/:integration');
    const [whole] = named(spans, 'delivery');
    expect(request!.attributes['http.response.status_code']).toBe(202);
    expect(whole!.parentSpanId).toBe(request!.spanId);
    const stages = named(spans, /^delivery \w+$/).filter((span) => span.parentSpanId === whole!.spanId);
    const order = ['received', 'verified', 'queued', 'mapped', 'images', 'revision', 'build', 'live'];
    const places = stages.map((span) => order.indexOf(span.name.split(' ')[1]!));
    const sorted = stages.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
    expect(places.toSorted()).toEqual(order.map((_, index) => index));
    for (let index = 1; index < sorted.length; index++) {
      const [before, after] = [sorted[index - 1]!, sorted[index]!];
      expect(before.startMs).toBeLessThanOrEqual(after.startMs);
    }
    const byName = Object.fromEntries(stages.map((span) => [span.name.split(' ')[1], span]));
    for (let index = 1; index < order.length; index++)
      expect(byName[order[index - 1]!]!.startMs).toBeLessThanOrEqual(byName[order[index]!]!.startMs);
    expect(whole!.startMs).toBeLessThanOrEqual(byName['received']!.startMs);
    expect(whole!.endMs).toBeGreaterThanOrEqual(byName['live']!.endMs);
  });

  test('has in the same trace what the worker did for it', () => {
    const spans = spansOf(traceId);
    const [map] = named(spans, 'map delivery');
    const [build] = named(spans, 'build live');
    expect(map!.service).toBe('fieldstone-worker');
    expect(named(spans, 'SQL insert content').some((span) => isWithin(span, map!))).toBe(true);
    expect(build!.service).toBe('fieldstone-worker');
    expect(named(spans, 'SQL insert releases').some((span) => isWithin(span, build!))).toBe(true);
  });

  test('is named in the logs of the worker', async () => {
    const { data } = await call('GET', `/sites/traced/webhooks/${integration.id}/deliveries`);
    const line = service.logs('worker').find(({ delivery }) => delivery === data[0].id);
    expect(line).toMatchObject({ role: 'worker', integration: integration.id, trace_id: traceId });
    expect(line.request_id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

test('a visit of the edge continues the visitor’s trace, down to the engines', async () => {
  const { traceId, traceparent } = makeTraceparent();
  const page = await fetch(`${service.env.FIELDSTONE_EDGE_URL}/sites/traced/`, { headers: { traceparent } });
  expect(page.status).toBe(200);
  const visit = await waitForSpan(traceId, 'visit');
  expect(visit).toMatchObject({ service: 'fieldstone-edge', parentSpanId: traceparent.split('-')[2] });
  expect(visit.attributes['http.response.status_code']).toBe(200);
  const lookup = await waitForSpan(traceId, 'SQL select sites');
  expect(isWithin(lookup, visit)).toBe(true);
});

describe('nothing secret leaves by spans or logs', () => {
  test('no key, secret, body, value of a query or credential of an engine', async () => {
    await fetch(`${service.gateway}/api/v1/sites?q=${marker}`, { headers: { 'X-API-Key': `fs_12345678_${marker}` } });
    await send({ slug: integration.slug, secret: marker }, { marker }, { origin: service.gateway });
    await send({ slug: integration.slug, secret: integration.secret }, marker, { origin: service.gateway });
    await waitForQuiet();
    const said = [...collector.bodies, ...Object.values(service.lines).flat()].join('\n');
    const secrets = [
      service.key,
      integration.secret,
      marker,
      password,
      service.env.S3_SECRET_KEY!,
      service.env.FIELDSTONE_SECRET_KEY!,
      new URL(service.env.DATABASE_URL!).password,
    ].filter(Boolean);
    expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
    expect(collector.headers[0]!['x-collector-password']).toBe(password);
  });

  test('paths, slugs and ids of sites are in no name of a span', () => {
    const names = [...new Set(collector.spans.map(({ name }) => name))];
    expect(names.filter((name) => name.includes('traced') || /[0-9a-f]{8}-[0-9a-f]{4}/.test(name))).toEqual([]);
  });
});

async function waitForQuiet(): Promise<void> {
  let seen = -1;
  await eventually('no more spans arrive', async () => {
    const before = seen;
    seen = collector.bodies.length;
    await new Promise((resolve) => setTimeout(resolve, 500));
    return before === seen;
  });
}
