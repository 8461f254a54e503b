import { Counter, Histogram } from 'prom-client';

const builds = new Counter({
  name: 'fieldstone_builds_total',
  help: 'Builds of the live site or its preview by result. failed: an error by an author. lost: superseded before it went live. cancelled: stopped for another build. timeout: exceeded its time limit. error: an engine was unavailable.',
  labelNames: ['target', 'result'],
});
const seconds = new Histogram({
  name: 'fieldstone_build_duration_seconds',
  help: 'Duration of builds that made a release, from the claim of their jobs until every edge has seen it.',
  labelNames: ['target'],
  buckets: [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30, 120, 600],
});
const pages = new Counter({
  name: 'fieldstone_build_pages_total',
  help: 'Pages of releases, rendered or reused from an earlier one.',
  labelNames: ['source'],
});
const jobs = new Counter({
  name: 'fieldstone_jobs_total',
  help: 'Jobs finished by builds, by kind and result.',
  labelNames: ['kind', 'result'],
});

const shards = new Counter({
  name: 'fieldstone_build_shards_total',
  help: 'Shards of large builds that this worker rendered. own: of its own builds. other: of builds of other workers.',
  labelNames: ['build'],
});

/** Counts a rendered shard. */
export const countShard = (build: 'own' | 'other'): void => shards.inc({ build });

export interface BuildCount {
  target: string;
  result: 'succeeded' | 'failed' | 'lost' | 'cancelled' | 'timeout' | 'error';
  elapsedMs: number;
  /** Kinds of the jobs that it served. */
  kinds: readonly string[];
  pages?: { rendered: number; reused: number } | undefined;
}

/** Counts a build that has ended. */
export function countBuild({ target, result, elapsedMs, kinds, pages: made }: BuildCount): void {
  builds.inc({ target, result });
  if (result === 'succeeded') seconds.observe({ target }, elapsedMs / 1000);
  if (result === 'succeeded' || result === 'failed') for (const kind of kinds) jobs.inc({ kind, result });
  if (made) {
    pages.inc({ source: 'rendered' }, made.rendered);
    pages.inc({ source: 'reused' }, made.reused);
  }
}
