import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeStack, eventually, makeKey, makeSite, publish, request, stack, type TestSite } from '../harness/api.ts';
import { visit } from '../harness/edge.ts';
import { makeEndpoint, startReceiver } from '../harness/events.ts';
import { type DocumentedMetric, readDocumentedMetrics } from '../harness/metrics-doc.ts';
import { deliver, makeIntegration, send } from '../harness/webhooks.ts';

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const names = Object.keys(stack.ops);
const workers = names.filter((name) => name.startsWith('worker'));
const roleOf = (name: string) => name.split('-')[0]!;

/** Returns a process's metrics; other tests kill workers of this stack, which are then missing for a moment. */
async function readMetrics(name: string): Promise<string> {
  const read = () =>
    fetch(`${stack.ops[name]}/metrics`).then(
      (reply) => (reply.ok ? reply.text() : ''),
      () => '',
    );
  let text = '';
  await eventually(`${name} tells its metrics`, async () => {
    text = await read();
    return text !== '';
  });
  return text;
}

function parseSamples(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (!name) return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map((match) => [match[1]!, match[2]!]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/** Returns the sum of a metric with these labels over all processes. */
async function total(name: string, labels: Record<string, string> = {}): Promise<number> {
  const texts = await Promise.all(names.map(readMetrics));
  return texts
    .flatMap(parseSamples)
    .filter((one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

/**
 * Runs `work` and waits until the sum of a metric has grown by at least `by`. A killed process counts from 0 again: if
 * the sum is smaller than before, the work is repeated.
 */
async function expectGrowth(name: string, labels: Record<string, string>, work: () => Promise<unknown>, by = 1) {
  for (;;) {
    const before = await total(name, labels);
    await work();
    let now = before;
    await eventually(`${name} grows`, async () => {
      now = await total(name, labels);
      return now >= before + by || now < before;
    });
    if (now >= before + by) return;
  }
}

let site: TestSite;

beforeAll(async () => {
  site = await makeSite();
});
afterAll(closeStack);

describe('docs/observability.md and /metrics tell the same', () => {
  const documented = readDocumentedMetrics();

  test.each(names)('every metric of %s by name, type, meaning and labels', async (name) => {
    await site.request('GET', '/content');
    const text = await readMetrics(name);
    const told = new Map<string, { type?: string; help?: string }>();
    for (const [, kind, metric, said] of text.matchAll(/^# (HELP|TYPE) (\w+) (.*)$/gm)) {
      const known = told.get(metric!) ?? {};
      told.set(metric!, kind === 'TYPE' ? { ...known, type: said! } : { ...known, help: said! });
    }
    const pick = ({ name, type, help }: DocumentedMetric) => ({ name, type, help });
    const expected = documented.filter(({ roles }) => roles.includes(roleOf(name))).map(pick);
    const found = [...told].map(([metric, { type, help }]) => ({ name: metric, type, help }));
    const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
    expect(found.toSorted(byName)).toEqual(expected.toSorted(byName));
    for (const { name: series, labels } of parseSamples(text)) {
      const metric = documented.find(
        (one) => one.name === series || series.replace(/_(bucket|sum|count)$/, '') === one.name,
      );
      const unknown = Object.keys(labels).filter((label) => label !== 'le' && !metric!.labels.includes(label));
      expect({ series, unknown }).toEqual({ series, unknown: [] });
    }
  });
});

describe('the gateway counts', () => {
  test('requests by the pattern of their route, method and status, and how long they took', async () => {
    const route = '/api/v1/sites/:site/content/:id';
    const work = () => site.request('GET', `/content/${randomUUID()}`);
    await expectGrowth('fieldstone_http_requests_total', { route, method: 'GET', status: '404' }, work);
    await expectGrowth('fieldstone_http_request_duration_seconds_count', { route, method: 'GET' }, work);
  });

  test('what has no route as none', async () => {
    const labels = { route: 'none', method: 'GET', status: '404' };
    await expectGrowth('fieldstone_http_requests_total', labels, () => request('GET', `//nothing/${randomUUID()}`));
  });

  test('refused keys', async () => {
    await expectGrowth('fieldstone_key_refusals_total', {}, () =>
      request('GET', '/sites', { key: 'fs_00000000_wrong' }),
    );
  });

  test('idempotency: the first, the replayed, another body', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const create = (title: string) => site.request('POST', '/content', { title, body_html: '' }, { headers });
    const metric = 'fieldstone_idempotency_total';
    await expectGrowth(metric, { result: 'first' }, () => create('One'));
    await expectGrowth(metric, { result: 'replayed' }, () => create('One'));
    await expectGrowth(metric, { result: 'other_body' }, () => create('Two'));
  });

  test('webhooks by what became of them', async () => {
    const integration = await makeIntegration(site, 'create_post');
    const metric = 'fieldstone_webhook_requests_total';
    const deliveryId = randomUUID();
    const payload = { title: 'Counted', body_html: '' };
    await expectGrowth(metric, { result: 'recorded' }, () => send(integration, payload, { deliveryId }));
    await expectGrowth(metric, { result: 'duplicate' }, () => send(integration, payload, { deliveryId }));
    await expectGrowth(metric, { result: 'not_signed' }, () => send(integration, payload, { secret: 'wrong' }));
    await expectGrowth(metric, { result: 'no_delivery_id' }, () => send(integration, payload, { deliveryId: null }));
    await expectGrowth(metric, { result: 'unknown' }, () => send({ slug: randomUUID(), secret: 'x' }, payload));
  });
});

describe('workers count', () => {
  test('deliveries by outcome, and the time from receipt to live', async () => {
    const integration = await makeIntegration(site, 'create_post');
    await expectGrowth('fieldstone_delivery_live_duration_seconds_count', {}, () =>
      expectGrowth('fieldstone_deliveries_total', { outcome: 'live' }, () =>
        deliver(integration, { title: 'Live', body_html: '' }),
      ),
    );
    await expectGrowth('fieldstone_deliveries_total', { outcome: 'skipped' }, () => deliver(integration, { title: 1 }));
  });

  test('builds, their pages and jobs', async () => {
    await expectGrowth('fieldstone_builds_total', { target: 'live', result: 'succeeded' }, () =>
      expectGrowth('fieldstone_build_duration_seconds_count', { target: 'live' }, () =>
        expectGrowth('fieldstone_jobs_total', { kind: 'publish', result: 'succeeded' }, () =>
          expectGrowth('fieldstone_build_pages_total', {}, () => publish(site)),
        ),
      ),
    );
  });

  test('a failed publish', async () => {
    const broken = await makeSite();
    await broken.request('PUT', '/shell/file/home.twig', undefined, { raw: '{% if %}' });
    await expectGrowth('fieldstone_builds_total', { target: 'live', result: 'failed' }, async () => {
      await broken.request('POST', '/publish');
    });
  });

  test('activities', async () => {
    await expectGrowth('fieldstone_activity_duration_seconds_count', { activity: 'buildSite' }, () => publish(site));
  });

  test('attempts to send events by outcome', async () => {
    const receiver = await startReceiver((_event, n) => (n === 1 ? { status: 500 } : {}));
    try {
      await makeEndpoint(site, receiver.url);
      const metric = 'fieldstone_events_total';
      await expectGrowth(metric, { outcome: 'delivered' }, () =>
        expectGrowth(metric, { outcome: 'retried' }, () => publish(site)),
      );
    } finally {
      await receiver.close();
    }
  });

  test('the actors and calls of the embedded runtime, and no such series with Temporal', async () => {
    const samples = (await Promise.all(workers.map(readMetrics))).flatMap(parseSamples);
    const queues = samples
      .filter(({ name }) => name === 'fieldstone_embedded_calls')
      .map(({ labels }) => labels['queue']);
    const actors = samples.filter(({ name }) => name === 'fieldstone_embedded_actors');
    if (stack.engines === 'cluster') expect([queues, actors]).toEqual([[], []]);
    else {
      expect(queues).toEqual(expect.arrayContaining(['general', 'inbox', 'media']));
      expect(actors).toHaveLength(1);
    }
  });

  test('what waits, each the same', async () => {
    const waiting = await Promise.all(
      workers.map(async (name) => {
        const samples = parseSamples(await readMetrics(name)).filter((one) => one.name === 'fieldstone_backlog');
        return samples.map(({ labels }) => labels['queue']).toSorted();
      }),
    );
    expect(waiting).toEqual(workers.map(() => ['deliveries', 'events', 'jobs', 'jobs_retried', 'media']));
  });
});

describe('the edge counts', () => {
  test('replies by their time', async () => {
    const bucket = { le: '+Inf' };
    await expectGrowth('fieldstone_edge_reply_duration_seconds_bucket', bucket, () => visit('/', { edge: 0 }));
  });

  test('pushes of swaps, which the pushing process measures', async () => {
    await expectGrowth('fieldstone_edge_push_duration_seconds_count', {}, () => publish(site));
  });

  test('bytes sent, and releases that replaced another', async () => {
    await publish(site);
    await visit(`/sites/${site.slug}/`, { edge: 0 });
    await expectGrowth('fieldstone_edge_sent_bytes_total', {}, () => visit(`/sites/${site.slug}/`, { edge: 0 }), 100);
    await expectGrowth('fieldstone_edge_release_swaps_total', {}, async () => {
      await site.request('POST', '/content', { title: 'Newer', body_html: '', status: 'published' });
      await publish(site);
      await eventually('the new page', async () =>
        (await visit(`/sites/${site.slug}/`, { edge: 0 })).text.includes('Newer'),
      );
    });
  });
});

describe('engines are measured', () => {
  test.each([
    ['sql', 'select'],
    ['sql', 'commit'],
    ['objects', 'put'],
    stack.engines === 'cluster' ? ['temporal', 'signal'] : ['actors', 'wake'],
  ])('%s: %s', async (engine, operation) => {
    const labels = { engine, operation };
    await expectGrowth('fieldstone_engine_request_duration_seconds_count', labels, async () => {
      await site.request('POST', '/content', { title: randomUUID(), body_html: '', status: 'published' });
      await publish(site);
    });
  });

  test('transactions that were run again', async () => {
    // in the second process of each role, every transaction fails once
    await expectGrowth('fieldstone_sql_reruns_total', {}, () => site.request('GET', '', undefined, { gateway: 1 }));
  });
});

test('labels have few values: no site, id, key or path of a request is one', async () => {
  const key = await makeKey();
  await request('GET', `/sites/${site.slug}/content?q=${randomUUID()}`, { key });
  const values = (await Promise.all(names.map(readMetrics)))
    .flatMap(parseSamples)
    .filter(({ name }) => name.startsWith('fieldstone_'))
    .flatMap(({ labels }) => Object.values(labels));
  const telling = values.filter(
    (value) => value.includes(site.slug) || value.includes(key) || /[0-9a-f]{8}-/.test(value),
  );
  expect(telling).toEqual([]);
});
