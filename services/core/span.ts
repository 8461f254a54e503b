export type SpanAttributes = Record<string, string | number | boolean>;

export interface SpanOptions {
  kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** Names, ids and counts only: never a body, a secret or a value of a query. */
  attributes?: SpanAttributes;
  /** The span that this one is part of, as W3C `traceparent`; by default the one under way. What is malformed begins a trace. */
  parent?: string | undefined;
  /** Other traces that this work serves as well. */
  links?: readonly string[];
  startedAt?: Date;
}

export interface OpenSpan {
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed, by the kind of the error: messages may quote what users sent. */
  fail(error: unknown): void;
  /** Runs `work` as part of the span. */
  within<T>(work: () => T): T;
  end(endedAt?: Date): void;
}

export interface Tracer {
  start(name: string, options: SpanOptions): OpenSpan;
  /** The span under way as `traceparent`. */
  current(): string | undefined;
  /** Sends what is left. */
  stop(): Promise<void>;
}
