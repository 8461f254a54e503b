import { Counter, Gauge, Histogram } from 'prom-client';
import { inSpan, isTraced } from '../core/tracing.ts';
import { type EngineName, recordAvailable } from './unavailable.ts';

const seconds = new Histogram({
  name: 'fieldstone_engine_request_duration_seconds',
  help: 'Duration of requests to the engines, by kind: a statement, the first byte of an object, a signal.',
  labelNames: ['engine', 'operation'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});

const reruns = new Counter({
  name: 'fieldstone_sql_reruns_total',
  help: 'Statements and transactions retried after a conflict (SQLSTATE 40001).',
});

/** Counts a transaction or a single statement that is retried. */
export const countRerun = (): void => reruns.inc();

export interface EngineRequest {
  engine: EngineName;
  /** The label of the metric, one of a few words. */
  operation: string;
  /** The name and the attributes of the span. */
  span: string;
  attributes?: Record<string, string>;
}

/** Measures one request to an engine, in a span if the current work is traced. */
export async function measureRequest<T>(request: EngineRequest, run: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    const { span, attributes = {} } = request;
    const result = isTraced() ? await inSpan(span, { kind: 'client', attributes }, run) : await run();
    recordAvailable(request.engine, request.span);
    return result;
  } finally {
    seconds.observe({ engine: request.engine, operation: request.operation }, (performance.now() - startedAt) / 1000);
  }
}

interface PoolCounts {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

const pools = new Set<PoolCounts>();
const sum = (read: (pool: PoolCounts) => number) => [...pools].reduce((total, pool) => total + read(pool), 0);

new Gauge({
  name: 'fieldstone_sql_connections',
  help: 'Database connections, in use or idle.',
  labelNames: ['state'],
  collect() {
    this.set(
      { state: 'busy' },
      sum((pool) => pool.totalCount - pool.idleCount),
    );
    this.set(
      { state: 'idle' },
      sum((pool) => pool.idleCount),
    );
  },
});
new Gauge({
  name: 'fieldstone_sql_waiting',
  help: 'Statements and transactions that wait for a database connection.',
  collect() {
    this.set(sum((pool) => pool.waitingCount));
  },
});

/** Reports the connections of a pool until `forget` is called. */
export function watchPool(pool: PoolCounts): { forget(): void } {
  pools.add(pool);
  return { forget: () => void pools.delete(pool) };
}
