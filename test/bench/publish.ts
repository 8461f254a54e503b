/**
 * Measures the time from `POST publish` until the edge serves the change and until the job has succeeded, and from a
 * rollback until the edge serves the earlier page, in sites of 1,000 and 10,000 posts, and the first full build of them;
 * after the smallest, the memory of all of Fieldstone's own processes when idle. One `fieldstone up`, limits off. Run:
 * node test/bench/publish.ts (BENCH_POSTS: sizes of the sites, separated by commas; BENCH_IDLE=0: without the memory)
 */
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { startUp } from './builds/up.ts';
import { figure } from './report/figure.ts';

/** The aim for one changed post, by the size of the site. */
const aimOf = (posts: number): string => (posts > 10_000 ? '< 500 ms' : posts > 1000 ? '< 250 ms' : '< 150 ms');
const sizes = (process.env.BENCH_POSTS ?? '1000,10000').split(',').map(Number);
const changes = 9;
const idleMs = 75_000;
const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const bench = await startUp();
const { api, edge, fill } = bench;

/** Waits until the page contains the text; returns the milliseconds since `startedAt`. */
async function untilSeen(startedAt: number, page: string, text: string): Promise<number> {
  for (;;) {
    const reply = await fetch(edge + page);
    if ((await reply.text()).includes(text)) return performance.now() - startedAt;
    await sleep(5);
  }
}

/** Publishes; returns the milliseconds until the page contains the text, and until the job has succeeded. */
async function publish(site: string, page: string, text: string): Promise<{ seenMs: number; succeededMs: number }> {
  const startedAt = performance.now();
  const { job } = await api<{ job: string }>('POST', `/sites/${site}/publish`);
  const succeeded = api('GET', `/jobs/${job}?wait=60`).then(() => performance.now() - startedAt);
  const [seenMs, succeededMs] = await Promise.all([untilSeen(startedAt, page, text), succeeded]);
  return { seenMs, succeededMs };
}

async function measure(posts: number): Promise<void> {
  const site = `bench-${posts}`;
  const page = `/${site}/posts/post-0/`;
  const id = await fill(site, posts);
  const full = await publish(site, page, 'Some words');
  figure(`first full build of ${posts} posts, until served`, `${(full.seenMs / 1000).toFixed(2)} s`);
  const times: { seenMs: number; succeededMs: number }[] = [];
  for (let n = 0; n < changes; n++) {
    await api('PATCH', `/sites/${site}/content/${id}`, { body_html: `<p>Change number ${n}.</p>` });
    times.push(await publish(site, page, `Change number ${n}.`));
  }
  const seenMs = median(times.map((time) => time.seenMs));
  const succeededMs = median(times.map((time) => time.succeededMs));
  figure(
    `one-page change of ${posts} posts, POST publish until served`,
    `median ${seenMs.toFixed(0)} ms of ${changes}; until succeeded ${succeededMs.toFixed(0)} ms`,
    aimOf(posts),
  );
  const rollbacks: number[] = [];
  for (let n = 0; n < changes; n++) {
    const [, earlier] = await api<{ id: string }[]>('GET', `/sites/${site}/releases`);
    const [live] = await api<{ id: string; live: boolean }[]>('GET', `/sites/${site}/releases`);
    const target = live!.live ? earlier! : live!;
    const text = `Change number ${live!.live ? changes - 2 : changes - 1}.`;
    const startedAt = performance.now();
    await api('POST', `/sites/${site}/releases/${target.id}/rollback`);
    rollbacks.push(await untilSeen(startedAt, page, text));
  }
  figure(`rollback of ${posts} posts, POST until served`, `median ${median(rollbacks).toFixed(0)} ms`, '< 200 ms');
}

/** Returns the resident memory of a process and its Fieldstone descendants, without engines, in megabytes. */
function ownMegabytes(pid: number): number {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,rss=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const family = new Set([String(pid)]);
  for (let grown = 0; grown !== family.size; ) {
    grown = family.size;
    for (const [child = '', parent = ''] of rows) if (family.has(parent)) family.add(child);
  }
  const ours = rows.filter(([id = '', , , program = '']) => family.has(id) && /(^|\/)node$/.test(program));
  return ours.reduce((sum, [, , rss]) => sum + Number(rss), 0) / 1024;
}

try {
  for (const [number, posts] of sizes.entries()) {
    await measure(posts);
    if (number > 0 || process.env.BENCH_IDLE === '0') continue;
    await sleep(idleMs);
    figure("idle, all of Fieldstone's own processes", `${ownMegabytes(bench.pid).toFixed(0)} MB RSS`, '< 600 MB');
  }
} finally {
  await bench.stop();
}
