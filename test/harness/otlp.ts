import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  service: string;
  startMs: number;
  endMs: number;
  attributes: Record<string, unknown>;
  links: string[];
}

export interface Collector {
  url: string;
  spans: ReceivedSpan[];
  /** Everything received, as text. */
  bodies: string[];
  /** Headers of the requests. */
  headers: Record<string, string>[];
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: the wire format, read as far as the tests need it
type Any = any;

const readValue = (value: Any) => value.stringValue ?? value.intValue ?? value.doubleValue ?? value.boolValue;
const attributesOf = (list: Any[] = []) => Object.fromEntries(list.map(({ key, value }) => [key, readValue(value)]));
const toMs = (nanos: string) => Number(BigInt(nanos) / 1000n) / 1000;

function readSpans(body: string): ReceivedSpan[] {
  return JSON.parse(body).resourceSpans.flatMap(({ resource, scopeSpans }: Any) =>
    scopeSpans.flatMap(({ spans }: Any) =>
      spans.map((span: Any) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        name: span.name,
        service: attributesOf(resource.attributes)['service.name'],
        startMs: toMs(span.startTimeUnixNano),
        endMs: toMs(span.endTimeUnixNano),
        attributes: attributesOf(span.attributes),
        links: (span.links ?? []).map((link: Any) => link.traceId),
      })),
    ),
  );
}

/** Starts a collector that accepts OTLP over HTTP as JSON, on a free loopback port. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const headers: Collector['headers'] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    headers.push(request.headers as Record<string, string>);
    bodies.push(body);
    if (request.url === '/v1/traces') spans.push(...readSpans(body));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
