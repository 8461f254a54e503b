import type { Config } from './config.ts';
import type { OpenSpan, SpanOptions, Tracer } from './span.ts';
import { currentIds } from './work-context.ts';

/** Where work came from: kept with what it queues, sent along with what it wakes. */
export interface Origin {
  request_id?: string;
  traceparent?: string;
}

export type { OpenSpan, SpanOptions } from './span.ts';

let tracer: Tracer | undefined;

/** Begins to trace when the settings say so; otherwise nothing of OpenTelemetry is ever loaded. Once per process, first of all. */
export async function startTracing(config: Pick<Config, 'tracing'>, role: string): Promise<void> {
  if (!config.tracing) return;
  const { createTracer } = await import('./tracer.ts');
  tracer = createTracer(config.tracing, role);
}

/** Sends what is left, for the end of a process; an unreachable collector is no reason to stay. */
export async function stopTracing(): Promise<void> {
  await tracer?.stop().catch(() => undefined);
}

/** Opens a span that the caller ends; undefined when tracing is off. */
export function startSpan(name: string, options: SpanOptions = {}): OpenSpan | undefined {
  return tracer?.start(name, options);
}

/** Runs `work` in a span, or just so when tracing is off. */
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

/** Whether the work under way is traced: what engines do on nobody's behalf (sweeps, probes) is not worth a span. */
export function isTraced(): boolean {
  return tracer?.current() !== undefined;
}

/** The origin to keep with what the work under way queues or wakes; null when there is nothing to tell. */
export function currentOrigin(): Origin | null {
  const requestId = currentIds()?.request_id;
  const traceparent = tracer?.current();
  if (!requestId && !traceparent) return null;
  return { ...(requestId ? { request_id: requestId } : {}), ...(traceparent ? { traceparent } : {}) };
}

/** The trace of a `traceparent`. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return traceparent?.split('-')[1];
}

/** What log lines say of the trace. */
export function currentTrace(): { trace_id: string; span_id: string } | undefined {
  const [, traceId, spanId] = tracer?.current()?.split('-') ?? [];
  return traceId && spanId ? { trace_id: traceId, span_id: spanId } : undefined;
}
