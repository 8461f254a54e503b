import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Report } from '../report.ts';
import {
  deliver,
  deliveryEnd,
  eventually,
  jobEnd,
  makeIntegration,
  makeSite,
  publish,
  visit,
  world,
} from '../world.ts';

/** The process that listens on a port of this stack. */
function listenerOf(origin: string): number | undefined {
  const { port } = new URL(origin);
  const found = execFileSync('ss', ['-ltnpH', `sport = :${port}`], { encoding: 'utf8' });
  const pid = /pid=(\d+)/.exec(found)?.[1];
  return pid ? Number(pid) : undefined;
}

/** Workers of this stack: they listen on the ports of their own health checks. */
function workers(): number[] {
  const ops = (world as unknown as { ops: Record<string, string> }).ops;
  return Object.entries(ops)
    .filter(([name]) => name.startsWith('worker'))
    .map(([, origin]) => listenerOf(origin))
    .filter((pid) => pid !== undefined);
}

const kill = (pid: number | undefined) => {
  if (pid) process.kill(pid, 'SIGKILL');
};

const back = (origin: string) =>
  eventually(`${origin} is back`, () =>
    fetch(`${origin}/healthz`).then(
      (reply) => reply.ok,
      () => false,
    ),
  );
const patient = <T>(run: () => Promise<T>): Promise<T> =>
  eventually('an answer', () => run().catch(() => undefined)) as Promise<T>;

/** kill -9 right after a 2xx: what was answered stands. */
export async function check(t: Report): Promise<void> {
  const [one, two] = world.gateways as [string, string];
  await t.part('gateway', async () => {
    const site = await makeSite();
    const made = await site.call('POST', '/content', { title: 'Survives' }, { gateway: 0 });
    kill(listenerOf(one));
    t.replies('content answered 201', made, 201);
    t.replies('is there', await site.call('GET', `/content/${made.data.id}`, undefined, { origin: two }), 200);
    await back(one);
    const to = await makeIntegration(site, 'create_post');
    const id = randomUUID();
    let accepted = 0;
    while (accepted !== 202)
      accepted = await patient(
        async () => (await deliver(to, { title: 'Hook survives', body_html: 'x' }, { id })).status,
      );
    kill(listenerOf(one));
    kill(listenerOf(two));
    await Promise.all([back(one), back(two)]);
    t.is('a delivery answered 202 survives both gateways', (await deliveryEnd(to, id)).status, 'succeeded');
    const key = randomUUID();
    const first = site
      .call(
        'POST',
        '/content',
        { title: `Cut ${key}`, body_html: '<p>x</p>'.repeat(100_000) },
        { gateway: 0, headers: { 'Idempotency-Key': key } },
      )
      .catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 15));
    kill(listenerOf(one));
    await first;
    await back(one);
    const retried = await eventually(
      'a retry gets its answer',
      async () => {
        const reply = await site.call(
          'POST',
          '/content',
          { title: `Cut ${key}`, body_html: '<p>x</p>'.repeat(100_000) },
          { headers: { 'Idempotency-Key': key } },
        );
        return reply.status === 201 ? reply : undefined;
      },
      240_000,
    );
    t.replies('a crashed holder’s lock expires', retried, 201);
    t.is('and one item is stored', (await site.call('GET', `/content?q=${key}`)).data.length, 1);
  });

  await t.part('worker', async () => {
    const site = await makeSite();
    await publish(site);
    for (let i = 0; i < 30; i++) await site.call('POST', '/content', { title: `Item ${i}`, status: 'published' });
    for (const delay of [0, 150, 400]) {
      const { data } = await site.call('POST', '/publish');
      await new Promise((resolve) => setTimeout(resolve, delay));
      for (const pid of workers()) kill(pid);
      t.is(`a publish survives the workers (${delay} ms)`, (await jobEnd(site.key, data.job)).status, 'succeeded');
    }
    t.replies('live', await visit(`/sites/${site.slug}/posts/item-29/`), 200);
    const to = await makeIntegration(site, 'create_post');
    const ids = await Promise.all(
      Array.from({ length: 10 }, async (_, i) => (await deliver(to, { title: `Once ${i}`, body_html: '' })).id),
    );
    for (const pid of workers()) kill(pid);
    const ends = await Promise.all(ids.map((id) => deliveryEnd(to, id)));
    t.is(
      'deliveries survive',
      ends.map((end) => end.status),
      Array(10).fill('succeeded'),
    );
    t.is('and are mapped once', (await site.call('GET', '/content?q=Once')).json.pagination.total, 10);
    const due = `${new Date(Date.now() + 3000).toISOString().slice(0, 19)}Z`;
    const item = (await site.call('POST', '/content', { title: 'Scheduled', status: 'scheduled', scheduled_at: due }))
      .data;
    for (const pid of workers()) kill(pid);
    await eventually(
      'the scheduler goes on',
      async () => (await site.call('GET', `/content/${item.id}`)).data.status === 'published',
    );
    await eventually(
      'and its site is published',
      async () => (await visit(`/sites/${site.slug}/posts/scheduled/`)).status === 200,
    );
  });

  await t.part('edge', async () => {
    const site = await makeSite();
    await publish(site);
    for (const edge of world.edges) kill(listenerOf(edge));
    await eventually('both edges serve again', async () => {
      const replies = await Promise.all(
        [0, 1].map((edge) => visit(`/sites/${site.slug}/`, { edge }).catch(() => undefined)),
      );
      return replies.every((reply) => reply?.status === 200);
    });
  });
}
