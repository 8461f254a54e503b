/**
 * Compares the two runtimes of the actors in interleaved rounds: one installation with embedded actors, one on a local
 * Temporal server (skipped with a message if the server is not available). Measures from outside: a one-page change, a shell rebuild,
 * deliveries mapped. Then the memory of the embedded installation, PostgreSQL included, and the time from a wake to the
 * start of its turn. Run: node test/bench/actors.ts
 */
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshPorts, type Installation, startInstallation } from '../harness/installation.ts';
import { totalPssMegabytes } from './actors/memory.ts';
import { measureWakes } from './actors/wakes.ts';
import { figure } from './report/figure.ts';

const rounds = 7;
const posts = 200;
const deliveries = 400;
const idleMs = 60_000;
const slug = 'bench';
const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

interface Subject extends Installation {
  key: string;
  postId: string;
  integration: { slug: string; secret: string; id: string };
}

async function prepare(installation: Installation): Promise<Subject> {
  const { key } = await installation.run('keys', 'create', '--name', 'bench', '--scopes', 'admin', '--sites', '*');
  const send = async (method: string, at: string, body?: unknown) => {
    const { data, status } = await installation.request(method, at, { key, body });
    if (status >= 300) throw new Error(`${method} ${at} was answered with ${status}`);
    return data;
  };
  await send('POST', '/sites', { name: 'Bench', slug });
  let postId = '';
  for (let n = 0; n < posts; n += 100) {
    const items = Array.from({ length: 100 }, (_, i) => ({
      title: `Post ${n + i}`,
      body_html: '<p>Some words of a paragraph.</p>'.repeat(20),
      status: 'published',
    }));
    const { results } = await send('POST', `/sites/${slug}/content/batch`, { items });
    postId ||= results[0].data.id;
  }
  const integration = await send('POST', `/sites/${slug}/webhooks`, { mapper: 'create_post', slug: 'bench-inbox' });
  const subject = { ...installation, key, postId, integration };
  await publish(subject);
  return subject;
}

/** Waits for a job's end; returns the milliseconds since `startedAt`. */
async function untilDone({ request, key }: Subject, job: string, startedAt: number): Promise<number> {
  for (;;) {
    const { data } = await request('GET', `/jobs/${job}`, { key });
    if (data.status === 'failed') throw new Error(data.error.message);
    if (data.status === 'succeeded') return performance.now() - startedAt;
    await sleep(5);
  }
}

async function publish(subject: Subject): Promise<number> {
  const startedAt = performance.now();
  const { data } = await subject.request('POST', `/sites/${slug}/publish`, { key: subject.key });
  return untilDone(subject, data.job, startedAt);
}

async function changeOnePage(subject: Subject, round: number): Promise<number> {
  const { key, postId } = subject;
  const body = { body_html: `<p>Change number ${round}.</p>` };
  await subject.request('PATCH', `/sites/${slug}/content/${postId}`, { key, body });
  return publish(subject);
}

async function rebuildShell(subject: Subject, round: number): Promise<number> {
  const startedAt = performance.now();
  const reply = await fetch(`${subject.origin}/api/v1/sites/${slug}/shell/file/404.twig`, {
    method: 'PUT',
    headers: { 'X-API-Key': subject.key },
    body: `<h1>Not found ${round}</h1>`,
  });
  const { data } = (await reply.json()) as { data: { job: string } };
  return untilDone(subject, data.job, startedAt);
}

/** Returns the number of draft deliveries per second, from the first request until the last one succeeded. */
async function mapDeliveries(subject: Subject, round: number): Promise<number> {
  const { integration, origin, key } = subject;
  const startedAt = performance.now();
  const sendOne = async (n: number) => {
    const body = JSON.stringify({ title: `Mapped ${round} ${n}`, body_html: '<p>x</p>', status: 'draft' });
    const t = Math.floor(Date.now() / 1000);
    const v1 = createHmac('sha256', integration.secret).update(`${t}.${body}`).digest('hex');
    const headers = { 'X-Service-Signature': `t=${t},v1=${v1}`, 'X-Delivery-Id': randomUUID() };
    const reply = await fetch(`${origin}/webhooks/${integration.slug}`, { method: 'POST', headers, body });
    if (reply.status !== 202) throw new Error(`A delivery was answered with ${reply.status}.`);
  };
  for (let n = 0; n < deliveries; n += 20) await Promise.all(Array.from({ length: 20 }, (_, i) => sendOne(n + i)));
  const drafts = `/sites/${slug}/content?status=draft&per_page=1`;
  for (;;) {
    const reply = await fetch(`${origin}/api/v1${drafts}`, { headers: { 'X-API-Key': key } });
    const { pagination } = (await reply.json()) as { pagination: { total: number } };
    if (pagination.total >= deliveries * (round + 1)) break;
    await sleep(20);
  }
  return deliveries / ((performance.now() - startedAt) / 1000);
}

const settings = { FIELDSTONE_REBUILD_QUIET_MS: '0' };
const embedded = await prepare(await startInstallation(await freshPorts(), settings));

const temporal = await startInstallation(await freshPorts(), settings, ['--temporal']).then(prepare, (error: Error) => {
  process.stdout.write(`SKIPPED: the comparison with Temporal, which cannot be had here: ${error.message}\n`);
  return null;
});
const subjects = { embedded, ...(temporal ? { temporal } : {}) };

try {
  const works = [
    { what: 'one-page change, POST publish until succeeded', unit: 'ms', run: changeOnePage },
    { what: 'shell rebuild, PUT until succeeded', unit: 'ms', run: rebuildShell },
    { what: 'deliveries mapped', unit: 'a second', run: mapDeliveries },
  ];
  for (const { what, unit, run } of works) {
    const seen: Record<string, number[]> = {};
    for (let round = 0; round < rounds; round++) {
      for (const [name, subject] of Object.entries(subjects)) {
        seen[name] ??= [];
        seen[name].push(await run(subject, round));
      }
    }
    const ours = median(seen['embedded']!);
    const theirs = seen['temporal'] ? median(seen['temporal']) : undefined;
    const ratio = theirs ? (unit === 'ms' ? ours / theirs : theirs / ours) : undefined;
    const told = theirs
      ? `${ratio!.toFixed(2)} × the time of Temporal (${ours.toFixed(0)} and ${theirs.toFixed(0)} ${unit})`
      : `${ours.toFixed(0)} ${unit}, Temporal not measured`;
    figure(`${what}, embedded`, told, '≤ 1 ×');
  }
  const waits = await measureWakes();
  figure(
    'wake from another process until the turn starts',
    `median ${median(waits).toFixed(1)} ms of ${waits.length}`,
    '< 20 ms',
  );
  await temporal?.destroy();
} finally {
  await embedded.destroy();
  await temporal?.destroy().catch(() => undefined);
}

const fresh = performance.now();
const idle = await startInstallation(await freshPorts(), {}, ['--demo']);
figure(
  'npm start on a new data folder, until the demo site is live',
  `${((performance.now() - fresh) / 1000).toFixed(1)} s`,
  '< 20 s',
);
try {
  await sleep(idleMs);
  figure(
    'memory 60 s after ready, every process with PostgreSQL',
    `${totalPssMegabytes(idle.pid).toFixed(0)} MB PSS`,
    '< 320 MB',
  );
} finally {
  await idle.destroy();
}
