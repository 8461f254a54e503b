import type { Headers } from '@temporalio/common';
import type { WorkflowInterceptors } from '@temporalio/workflow';
import { originHeader } from '../contracts/origin.ts';
import { originKeptMs } from '../policies/index.ts';

/**
 * Hands the origin of the latest wake on to the activities that follow it. An actor lives for months and is woken by many, so it is
 * the wake that counts, not the start; what it does by itself later has no origin. Headers are no part of what a replay
 * compares, and this is in the bundle whether traces are on or not: histories do not depend on the switch.
 */
export function interceptors(): WorkflowInterceptors {
  let carried: { payload: NonNullable<Headers[string]>; atMs: number } | undefined;

  function keep(headers: Headers): void {
    const payload = headers[originHeader];
    if (payload) carried = { payload, atMs: Date.now() };
  }
  function add(headers: Headers): Headers {
    if (!carried || Date.now() - carried.atMs > originKeptMs) return headers;
    return { ...headers, [originHeader]: carried.payload };
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
