/**
 * Measures how evenly sites share the workers, on both runtimes of the actors: one installation with embedded actors, and
 * one on a local Temporal server (skipped with a message if the server is not available). First, a hundred sites publish
 * one change after the other for a while, and each wait is compared with the average. Then a hundred sites publish for the
 * first time at once, without and with a large site among them. If each site had an equal share of the processors, a small
 * site would wait no longer with the large one than without. Run: node test/bench/fairness.ts
 */
import { type Bench, startUp } from './builds/up.ts';
import { figure } from './report/figure.ts';

const sites = 100;
const posts = 100;
const largePosts = 10_000;
const loopMs = 40_000;
const aim = '≤ 2 × the fair share';
const names = (prefix: string) => Array.from({ length: sites }, (_, n) => `${prefix}-${n}`);
const mean = (values: readonly number[]) => values.reduce((sum, ms) => sum + ms, 0) / values.length;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Creates sites with posts, ten at a time; returns the id of the first post of each. */
async function fillAll({ fill }: Bench, slugs: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < slugs.length; n += 10) {
    ids.push(...(await Promise.all(slugs.slice(n, n + 10).map((slug) => fill(slug, posts)))));
  }
  return ids;
}

/** Publishes all sites at once; returns the milliseconds that each waited. */
const publishAll = ({ publish }: Bench, slugs: readonly string[]): Promise<number[]> => Promise.all(slugs.map(publish));

/** Changes a post and publishes it, again and again until the time is over; returns the milliseconds of each wait. */
async function publishInTurn({ api, publish }: Bench, slug: string, id: string, until: number): Promise<number[]> {
  const waits: number[] = [];
  while (performance.now() < until) {
    await api('PATCH', `/sites/${slug}/content/${id}`, { body_html: `<p>Change ${waits.length}.</p>` });
    waits.push(await publish(slug));
  }
  return waits;
}

async function measureRuntime(bench: Bench, runtime: string): Promise<void> {
  const first = names('first');
  const ids = await fillAll(bench, first);
  const alone = Math.max(...(await publishAll(bench, first)));

  const until = performance.now() + loopMs;
  const bySite = await Promise.all(first.map((slug, n) => publishInTurn(bench, slug, ids[n]!, until)));
  const waits = bySite.flat();
  const longest = Math.max(...waits);
  const longestMean = Math.max(...bySite.map(mean));
  figure(
    `${sites} sites publish a change without a pause, longest wait, ${runtime}`,
    `${(longest / mean(waits)).toFixed(2)} × the average (${seconds(longest)} and ${seconds(mean(waits))}; ${waits.length} builds); ` +
      `average of one site at most ${(longestMean / mean(waits)).toFixed(2)} ×`,
    aim,
  );

  await bench.fill('alone', largePosts);
  await bench.fill('large', largePosts);
  const largeAlone = await bench.publish('alone');
  const second = names('second').slice(1);
  await fillAll(bench, second);
  const [large, ...small] = await publishAll(bench, ['large', ...second]);
  const longestSmall = Math.max(...small);
  figure(
    `${sites} sites publish for the first time at once, one of ${largePosts} posts, longest wait of the others, ${runtime}`,
    `${(longestSmall / alone).toFixed(2)} × the time without the large one (${seconds(longestSmall)} and ${seconds(alone)})`,
    aim,
  );
  const whole = alone + largeAlone;
  figure(
    `the large site among them, ${runtime}`,
    `${(large! / whole).toFixed(2)} × the time of all work (${seconds(large!)} and ${seconds(whole)})`,
    aim,
  );
}

for (const [runtime, flags] of [
  ['embedded', []],
  ['Temporal', ['--temporal']],
] as const) {
  const bench = await startUp(flags).catch((error: Error) => {
    if (runtime === 'embedded') throw error;
    process.stdout.write(`SKIPPED: fairness on Temporal, which is not available here: ${error.message}\n`);
    return null;
  });
  if (!bench) continue;
  try {
    await measureRuntime(bench, runtime);
  } finally {
    await bench.stop();
  }
}
