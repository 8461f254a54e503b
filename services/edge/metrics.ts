import { Counter, Gauge, type Registry } from 'prom-client';
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
}

export function createEdgeCounts(): EdgeCounts {
  return {
    requests: [0, 0, 0, 0, 0, 0],
    bodyReads: 0,
    bodyBytes: 0,
    manifestReads: 0,
    lookups: 0,
    sentBytes: 0,
    swaps: 0,
  };
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
      'Roots of manifests read from the object store, one for each release.',
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
