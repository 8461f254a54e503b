import { Counter } from 'prom-client';
import { Problem } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';

export type EngineName = 'sql' | 'objects' | 'temporal' | 'actors';

const unavailable = new Counter({
  name: 'fieldstone_engine_unavailable_total',
  help: 'Requests that failed because an engine was unreachable, too slow, or rejected them.',
  labelNames: ['engine'],
});
const refusals = new Counter({
  name: 'fieldstone_engine_refusals_total',
  help: 'Failed requests that the engine rejected with an error code: its administrator must change something.',
  labelNames: ['engine', 'code'],
});

export interface FailedRequest {
  engine: EngineName;
  /** The request, named as its span is: `S3 put`, `SQL update jobs`. */
  request: string;
  cause: unknown;
  /** The code of the engine's refusal; absent if it did not respond. */
  refusedAs?: string | undefined;
}

/** Causes logged since a request of that kind last succeeded, by engine and kind of request. */
const failing = new Map<string, Set<string>>();
/** Bounds the memory: a cause may contain text that never repeats. */
const maxCauses = 20;
let log: Pick<Logger, 'warn' | 'info'> | null = null;

const keyOf = (engine: EngineName, request: string) => `${engine} ${request}`;

/** Returns the text that identifies a cause: the code of the innermost error that has one, else its message. */
function nameCause(error: unknown): string {
  let name = String(error);
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (typeof code === 'string' && !(cause instanceof Problem)) return code;
    name = cause.message;
  }
  return name;
}

/** Sets the log to which this process writes why an engine is unavailable. */
export function logUnavailable(to: Pick<Logger, 'warn' | 'info'>): void {
  log = to;
}

/**
 * Counts a failed request and logs its cause: each cause once per kind of request, until a request of that kind
 * succeeds.
 */
export function recordUnavailable({ engine, request, cause, refusedAs }: FailedRequest): void {
  unavailable.inc({ engine });
  if (refusedAs) refusals.inc({ engine, code: refusedAs });
  const key = keyOf(engine, request);
  const causes = failing.get(key) ?? new Set();
  failing.set(key, causes);
  const name = nameCause(cause);
  if (causes.has(name) || causes.size >= maxCauses) return;
  causes.add(name);
  const what = refusedAs ? 'an engine refuses requests' : 'an engine cannot be reached';
  log?.warn({ err: cause, engine, request, ...(refusedAs ? { refused_as: refusedAs } : {}) }, what);
}

/** Records that a request of this kind succeeded: later failures are logged again. */
export function recordAvailable(engine: EngineName, request: string): void {
  if (failing.size === 0) return;
  if (failing.delete(keyOf(engine, request))) log?.info({ engine, request }, 'an engine responds again');
}
