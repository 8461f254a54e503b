import { type Context, context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingConfig } from './config.ts';
import type { OpenSpan, SpanOptions, Tracer } from './span.ts';

const kinds: Record<NonNullable<SpanOptions['kind']>, SpanKind> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

function createSampler({ sampler, ratio }: TracingConfig): Sampler {
  const roots = {
    always_on: new AlwaysOnSampler(),
    always_off: new AlwaysOffSampler(),
    traceidratio: new TraceIdRatioBasedSampler(ratio),
  };
  const name = sampler.replace(/^parentbased_/, '') as keyof typeof roots;
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root: roots[name] }) : roots[name];
}

/** Parses a `traceparent` into a context; null if missing or malformed. */
function readParent(traceparent: string | undefined): Context | null {
  const found = traceparent === undefined ? null : parseTraceParent(traceparent);
  return found && trace.setSpanContext(ROOT_CONTEXT, { ...found, isRemote: true });
}

function format(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function kindOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name ?? typeof error);
}

function wrap(span: Span, within: Context): OpenSpan {
  return {
    traceparent: format(span),
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail(error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', kindOf(error));
    },
    within: (work) => context.with(within, work),
    end: (endedAt) => span.end(endedAt),
  };
}

/**
 * Creates a tracer that sends spans in batches to the configured collector by OTLP over HTTP. The only file that uses
 * OpenTelemetry's SDK; it is loaded only if tracing is on.
 */
export function createTracer(config: TracingConfig, role: string): Tracer {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const exporter = new OTLPTraceExporter({ url: config.url, headers: config.headers });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': `fieldstone-${role}`, 'service.namespace': 'fieldstone' }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: createSampler(config),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: config.delayMs })],
  });
  const tracer = provider.getTracer('fieldstone');

  return {
    start(name, { kind = 'internal', attributes = {}, parent, links = [], startedAt }) {
      const from = parent === undefined ? context.active() : (readParent(parent) ?? ROOT_CONTEXT);
      const linked = links.flatMap((link) => {
        const found = parseTraceParent(link);
        return found ? [{ context: found }] : [];
      });
      const options = { kind: kinds[kind], attributes, links: linked, ...(startedAt ? { startTime: startedAt } : {}) };
      const span = tracer.startSpan(name, options, from);
      return wrap(span, trace.setSpan(from, span));
    },
    current() {
      const span = trace.getActiveSpan();
      return span && format(span);
    },
    stop: () => provider.shutdown(),
  };
}
