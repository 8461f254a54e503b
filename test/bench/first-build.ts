/**
 * Measures first builds: of 10,000 posts, relative to Hugo's time for the same posts with comparable layouts, in alternating
 * rounds; and of 100,000 posts, with the memory of the worker and the renderers. One `fieldstone up`, limits off. Run:
 * node test/bench/first-build.ts (BENCH_POSTS, BENCH_MANY_POSTS: other sizes; 0 leaves one out)
 */
import { openHugo } from './builds/hugo.ts';
import { measureMemory } from './builds/memory.ts';
import { type Bench, startUp } from './builds/up.ts';
import { figure } from './report/figure.ts';

const posts = Number(process.env.BENCH_POSTS ?? 10_000);
const manyPosts = Number(process.env.BENCH_MANY_POSTS ?? 100_000);
const rounds = 3;
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

async function compareWithHugo(bench: Bench): Promise<number> {
  const hugo = openHugo(posts);
  const own: number[] = [];
  const others: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const site = `first-${round}`;
    await bench.fill(site, posts);
    own.push(await bench.publish(site));
    if (typeof hugo !== 'string') others.push(hugo.build());
  }
  const what = `first build of ${posts} posts, time of Hugo's`;
  const times = own.map(seconds).join(', ');
  if (typeof hugo === 'string') {
    figure(what, `SKIPPED: ${hugo}; own time ${times}`, '≤ 1 ×');
  } else {
    hugo.remove();
    const ratio = median(own.map((ms, round) => ms / others[round]!));
    figure(what, `${ratio.toFixed(2)} × (${times}; Hugo ${others.map(seconds).join(', ')})`, '≤ 1 ×');
  }
  return median(own);
}

async function measureMany(bench: Bench, fewMs: number | null): Promise<void> {
  await bench.fill('many', manyPosts);
  let ms = 0;
  const megabytes = await measureMemory(bench.pid, async () => {
    ms = await bench.publish('many');
  });
  const growth = fewMs && ms / fewMs / (manyPosts / posts);
  const note = growth ? `; ${growth.toFixed(2)} × the time per post of ${posts}` : '';
  figure(`first build of ${manyPosts} posts`, seconds(ms) + note, 'linear');
  figure(
    `first build of ${manyPosts} posts, worker and renderers together`,
    `${megabytes.toFixed(0)} MB PSS`,
    '< 600 MB',
  );
}

const bench = await startUp();
try {
  const fewMs = posts > 0 ? await compareWithHugo(bench) : null;
  if (manyPosts > 0) await measureMany(bench, fewMs);
} finally {
  await bench.stop();
}
