import { Counter, Gauge, type Metric, type Registry } from 'prom-client';
import type { BlobCounts } from './blobs.ts';

/** Plain numbers, because a labelled counter per request would cost a tenth of the request. */
export interface EdgeCounts {
  /** Number of requests by the first digit of their status. */
  requests: number[];
  bodyReads: number;
  bodyBytes: number;
  manifestReads: number;
  lookups: number;
  /** Bytes of bodies sent to visitors. */
  sentBytes: number;
  /** Number of observed changes of a site's live release. */
  swaps: number;
  /** Number of replies by the first of `replyBounds` that their time does not exceed; the last for slower ones. */
  replies: number[];
  /** Total time of replies in seconds. */
  replySeconds: number;
}

/** Upper bounds in seconds. Most replies come from memory, in less than a millisecond. */
const replyBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export function createEdgeCounts(): EdgeCounts {
  return {
    requests: [0, 0, 0, 0, 0, 0],
    bodyReads: 0,
    bodyBytes: 0,
    manifestReads: 0,
    lookups: 0,
    sentBytes: 0,
    swaps: 0,
    replies: replyBounds.map(() => 0).concat(0),
    replySeconds: 0,
  };
}

/** Counts a reply whose first byte was ready after this time. */
export function countReply(counts: EdgeCounts, seconds: number): void {
  const at = replyBounds.findIndex((bound) => seconds <= bound);
  counts.replies[at < 0 ? replyBounds.length : at]! += 1;
  counts.replySeconds += seconds;
}

/** Registers the times of replies as a histogram: that of `prom-client` counts at each request. */
function registerReplies(registry: Registry, counts: EdgeCounts): void {
  const name = 'fieldstone_edge_reply_duration_seconds';
  const read = () => {
    let count = 0;
    const upTo = counts.replies.map((replies) => (count += replies));
    const buckets = upTo.map((value, at) => ({
      metricName: `${name}_bucket`,
      labels: { le: replyBounds[at] ?? '+Inf' },
      value,
    }));
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: {}, value: counts.replySeconds },
      { metricName: `${name}_count`, labels: {}, value: count },
    ];
  };
  const help = 'Time from the head of a request until the first byte of the response is ready.';
  const metric = { name, help, type: 'histogram', aggregator: 'sum' };
  registry.registerMetric({ name, get: async () => ({ ...metric, values: read() }) } as unknown as Metric);
}

/** Registers the counts of this process in `registry`; they are read when metrics are collected. */
export function registerEdgeMetrics(registry: Registry, counts: EdgeCounts, readBlobCounts: () => BlobCounts): void {
  const registers = [registry];
  new Counter({
    name: 'fieldstone_edge_requests_total',
    help: 'Responses by status class.',
    labelNames: ['status'],
    registers,
    collect() {
      this.reset();
      for (const digit of [2, 3, 4, 5]) this.inc({ status: `${digit}xx` }, counts.requests[digit]);
    },
  });
  registerReplies(registry, counts);
  new Gauge({
    name: 'fieldstone_edge_cache_bytes',
    help: 'Bytes of bodies held in memory.',
    registers,
    collect() {
      this.set(readBlobCounts().cachedBytes);
    },
  });
  const totals: [name: string, help: string, read: () => number][] = [
    ['cache_hits_total', 'Bodies served from memory.', () => readBlobCounts().hits],
    ['cache_misses_total', 'Bodies that were read or compressed first.', () => readBlobCounts().misses],
    ['object_reads_total', 'Reads of bodies and of chunks of manifests from the object store.', () => counts.bodyReads],
    ['object_read_bytes_total', 'Bytes of bodies read from the object store.', () => counts.bodyBytes],
    [
      'manifest_reads_total',
      'Manifests read from the object store: their roots, or all of one that is not in chunks.',
      () => counts.manifestReads,
    ],
    ['lookups_total', 'Statements sent to the database.', () => counts.lookups],
    ['sent_bytes_total', 'Bytes of bodies sent to visitors.', () => counts.sentBytes],
    ['release_swaps_total', "Observed changes of a site's live release.", () => counts.swaps],
  ];
  for (const [name, help, read] of totals) {
    new Counter({
      name: `fieldstone_edge_${name}`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
}
