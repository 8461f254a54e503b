/**
 * Measures deliveries on embedded engines: how many are mapped per second, from the first request until the last has
 * succeeded, while requests come in at a constant rate above the aim, and the p99 of their 202 meanwhile. One
 * `fieldstone up`, limits off; each round has its own endpoint. Run: node test/bench/deliveries.ts
 */
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { freshPorts, startInstallation } from '../harness/installation.ts';
import { figure } from './report/figure.ts';

const rounds = 3;
const deliveries = Number(process.env.BENCH_DELIVERIES ?? 4000);
const perSecond = 400;
const connections = 16;
const slug = 'bench';
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const installation = await startInstallation(await freshPorts(), {});
try {
  const { key } = await installation.run('keys', 'create', '--name', 'bench', '--scopes', 'admin', '--sites', '*');
  await installation.request('POST', '/sites', { key, body: { name: 'Bench', slug } });

  /** Sends the deliveries to the endpoint at the constant rate; returns the p99 of the replies in milliseconds. */
  async function send(endpoint: { slug: string; secret: string }, round: number): Promise<number> {
    let number = 0;
    const { latency, non2xx, errors } = await autocannon({
      url: `${installation.origin}/webhooks/${endpoint.slug}`,
      connections,
      amount: deliveries,
      overallRate: perSecond,
      requests: [
        {
          method: 'POST',
          setupRequest(request) {
            const body = JSON.stringify({
              title: `Mapped ${round}.${number++}`,
              body_html: '<p>Text</p>',
              status: 'draft',
            });
            const t = Math.floor(Date.now() / 1000);
            const v1 = createHmac('sha256', endpoint.secret).update(`${t}.${body}`).digest('hex');
            const headers = { 'x-service-signature': `t=${t},v1=${v1}`, 'x-delivery-id': randomUUID() };
            return { ...request, body, headers };
          },
        },
      ],
    });
    if (non2xx + errors > 0) throw new Error(`${non2xx} deliveries were refused, ${errors} failed.`);
    return latency.p99;
  }

  /** Resolves when the site has this many drafts. */
  async function untilMapped(count: number): Promise<void> {
    for (;;) {
      const reply = await fetch(`${installation.origin}/api/v1/sites/${slug}/content?status=draft&per_page=1`, {
        headers: { 'X-API-Key': key },
      });
      if (((await reply.json()) as { pagination: { total: number } }).pagination.total >= count) return;
      await sleep(200);
    }
  }

  const rates: number[] = [];
  const p99: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { data } = await installation.request('POST', `/sites/${slug}/webhooks`, {
      key,
      body: { mapper: 'create_post', slug: `bench-${round}` },
    });
    const startedAt = performance.now();
    p99.push(await send(data, round));
    await untilMapped(deliveries * (round + 1));
    rates.push(deliveries / ((performance.now() - startedAt) / 1000));
  }
  figure(
    `deliveries mapped a second, embedded, of ${perSecond} sent a second`,
    `median ${median(rates).toFixed(0)} of ${rounds} rounds (${rates.map((rate) => rate.toFixed(0)).join(', ')})`,
    '≥ 300',
  );
  figure('their 202, p99', `median ${median(p99)} ms (${p99.join(', ')})`, '< 40 ms');
} finally {
  await installation.destroy();
}
