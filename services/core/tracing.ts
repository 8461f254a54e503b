import type { Config } from './config.ts';
import type { OpenSpan, SpanOptions, Tracer } from './span.ts';
import { currentIds } from './work-context.ts';

/** The request and trace that caused some work: stored with the work it queues, sent with the wakes it sends. */
export interface Origin {
  request_id?: string;
  traceparent?: string;
}

export type { OpenSpan, SpanOptions } from './span.ts';

let tracer: Tracer | undefined;

/**
 * Starts tracing if configured; otherwise OpenTelemetry is never loaded. Call once per process, before anything else.
 */
export async function startTracing(config: Pick<Config, 'tracing'>, role: string): Promise<void> {
  if (!config.tracing) return;
  const { createTracer } = await import('./tracer.ts');
  tracer = createTracer(config.tracing, role);
}

/** Sends the remaining spans at the end of a process; ignores an unreachable collector. */
export async function stopTracing(): Promise<void> {
  await tracer?.stop().catch(() => undefined);
}

/** Opens a span that the caller ends; undefined when tracing is off. */
export function startSpan(name: string, options: SpanOptions = {}): OpenSpan | undefined {
  return tracer?.start(name, options);
}

/** Runs `work` in a span, or without one when tracing is off. */
export async function inSpan<T>(name: string, options: SpanOptions, work: (span?: OpenSpan) => Promise<T>): Promise<T> {
  const span = tracer?.start(name, options);
  if (!span) return work();
  try {
    return await span.within(() => work(span));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** Returns whether the current work is traced: requests to engines on no one's behalf (sweeps, probes) get no span. */
export function isTraced(): boolean {
  return tracer?.current() !== undefined;
}

/** Returns the origin to store with queued work and wakes; null without a request id and a trace. */
export function currentOrigin(): Origin | null {
  const requestId = currentIds()?.request_id;
  const traceparent = tracer?.current();
  if (!requestId && !traceparent) return null;
  return { ...(requestId ? { request_id: requestId } : {}), ...(traceparent ? { traceparent } : {}) };
}

/** Returns the trace id of a `traceparent`. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return traceparent?.split('-')[1];
}

/** Returns the trace members of log lines. */
export function currentTrace(): { trace_id: string; span_id: string } | undefined {
  const [, traceId, spanId] = tracer?.current()?.split('-') ?? [];
  return traceId && spanId ? { trace_id: traceId, span_id: spanId } : undefined;
}
