import type { Headers } from '@temporalio/common';
import type { WorkflowInterceptors } from '@temporalio/workflow';
import { traceContextHeader } from '../contracts/trace-context.ts';
import { traceContextKeptMs } from '../policies/index.ts';

/**
 * Passes the trace context of the latest wake on to the following activities. An actor lives for months and has many
 * callers, so the wake counts, not the start; later work of its own has no trace context. A replay does not compare
 * headers, and this is in the bundle whether tracing is on or off, so histories do not depend on the setting.
 */
export function interceptors(): WorkflowInterceptors {
  let carried: { payload: NonNullable<Headers[string]>; atMs: number } | undefined;

  function keep(headers: Headers): void {
    const payload = headers[traceContextHeader];
    if (payload) carried = { payload, atMs: Date.now() };
  }
  function add(headers: Headers): Headers {
    if (!carried || Date.now() - carried.atMs > traceContextKeptMs) return headers;
    return { ...headers, [traceContextHeader]: carried.payload };
  }

  return {
    inbound: [
      {
        execute(input, next) {
          keep(input.headers);
          return next(input);
        },
        handleSignal(input, next) {
          keep(input.headers);
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next({ ...input, headers: add(input.headers) }),
        scheduleLocalActivity: (input, next) => next({ ...input, headers: add(input.headers) }),
        continueAsNew: (input, next) => next({ ...input, headers: add(input.headers) }),
      },
    ],
  };
}
