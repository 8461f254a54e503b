/**
 * Measures first builds: of 10,000 posts, relative to the times of Hugo and Eleventy for the same posts with comparable
 * layouts, in alternating rounds; and of 100,000 posts, with the memory of the worker and the renderers. One `fieldstone up`, limits off. Run:
 * node test/bench/first-build.ts (BENCH_POSTS, BENCH_MANY_POSTS: other sizes; 0 leaves one out)
 */
import { openEleventy } from './builds/eleventy.ts';
import { openHugo } from './builds/hugo.ts';
import { measureMemory } from './builds/memory.ts';
import { type Bench, startUp } from './builds/up.ts';
import { figure } from './report/figure.ts';

const posts = Number(process.env.BENCH_POSTS ?? 10_000);
const manyPosts = Number(process.env.BENCH_MANY_POSTS ?? 100_000);
const rounds = 3;
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

const others = [
  { name: 'Hugo', aim: '≤ 1 ×', site: posts > 0 ? openHugo(posts) : '' },
  { name: 'Eleventy', aim: '–', site: posts > 0 ? openEleventy(posts) : '' },
].map((other) => ({ ...other, ms: [] as number[] }));

/** Reports own times relative to those of the other generators, in alternating rounds; returns the median of the own. */
async function compareWithOthers(bench: Bench): Promise<number> {
  const own: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const site = `first-${round}`;
    await bench.fill(site, posts);
    own.push(await bench.publish(site));
    for (const other of others) if (typeof other.site !== 'string') other.ms.push(other.site.build());
  }
  const times = own.map(seconds).join(', ');
  for (const { name, aim, site, ms } of others) {
    const what = `first build of ${posts} posts, time of ${name}'s`;
    if (typeof site === 'string') {
      figure(what, `SKIPPED: ${site}; own time ${times}`, aim);
      continue;
    }
    const ratio = median(own.map((time, round) => time / ms[round]!));
    figure(what, `${ratio.toFixed(2)} × (${times}; ${name} ${ms.map(seconds).join(', ')})`, aim);
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
  const fewMs = posts > 0 ? await compareWithOthers(bench) : null;
  if (manyPosts > 0) await measureMany(bench, fewMs);
} finally {
  for (const { site } of others) if (typeof site !== 'string') site.remove();
  await bench.stop();
}
