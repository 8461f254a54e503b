import { currentOrigin, type SpanOptions, traceIdOf } from '../../core/tracing.ts';
import type { ClaimedJob } from './jobs/job-state.ts';

const maxLinks = 100;
const namedJobs = 10;

/** Describes the jobs of a build for logs; only the first few ids of a large number. */
export function describeJobs(jobs: readonly { id: string }[]): { jobs: string[]; job_count: number } {
  return { jobs: jobs.slice(0, namedJobs).map(({ id }) => id), job_count: jobs.length };
}

/**
 * Returns the trace of a build and the request that its log lines name. The parent is a request that the build serves,
 * preferably the one that woke the builder; all others are links.
 */
export function describeOrigin(jobs: readonly ClaimedJob[]): { span: SpanOptions; requestId: { request_id?: string } } {
  const asked = [...new Set(jobs.flatMap(({ origin }) => origin?.traceparent ?? []))];
  const wake = currentOrigin();
  const isWake = (one: string) => traceIdOf(one) === traceIdOf(wake?.traceparent);
  const parent = asked.some(isWake) ? wake?.traceparent : asked[0];
  const links = [...asked, ...(wake?.traceparent ? [wake.traceparent] : [])].filter(
    (one) => traceIdOf(one) !== traceIdOf(parent),
  );
  const request = wake?.request_id ?? jobs.find(({ origin }) => origin?.request_id)?.origin?.request_id;
  return {
    span: { parent, links: links.slice(0, maxLinks), attributes: { 'fieldstone.jobs': jobs.length } },
    requestId: request ? { request_id: request } : {},
  };
}
