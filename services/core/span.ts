export type SpanAttributes = Record<string, string | number | boolean>;

export interface SpanOptions {
  kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** Names, ids and counts only: never a body, a secret or a query value. */
  attributes?: SpanAttributes;
  /** The parent span, as W3C `traceparent`; by default the current one. A malformed value starts a new trace. */
  parent?: string | undefined;
  /** Other traces that this work also serves. */
  links?: readonly string[];
  startedAt?: Date;
}

export interface OpenSpan {
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed, with the class of the error only: messages may quote user input. */
  fail(error: unknown): void;
  /** Runs `work` inside the span. */
  within<T>(work: () => T): T;
  end(endedAt?: Date): void;
}

export interface Tracer {
  start(name: string, options: SpanOptions): OpenSpan;
  /** Returns the current span as `traceparent`. */
  current(): string | undefined;
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}
