import { CancelledFailure, Context } from '@temporalio/activity';
import type { ActivityInterceptors } from '@temporalio/worker';
import { CallCancelled, type CallHandlers, type CallName } from '../../../../workflows/contracts/runtime.ts';
import { callPolicies, heartbeatMs } from '../../../../workflows/policies/index.ts';
import { isFinal, measureCall } from '../measure-call.ts';
import { toFailure } from './client.ts';
import { readOrigin } from './origin.ts';

type Handler = (input: unknown, context: { signal: AbortSignal; attempt: number }) => Promise<unknown>;

/** Runs a handler with heartbeats, so that a lost worker is detected and cancellations are delivered. */
async function runHandler(handler: Handler, input: unknown): Promise<unknown> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), heartbeatMs);
  try {
    return await handler(input, { signal: context.cancellationSignal, attempt: context.info.attempt });
  } finally {
    clearInterval(timer);
  }
}

/** Converts the handlers of calls to Temporal activities. */
export function toActivities(handlers: CallHandlers): Record<string, (input: unknown) => Promise<unknown>> {
  const entries = Object.entries(handlers) as [string, Handler][];
  return Object.fromEntries(entries.map(([name, handler]) => [name, (input) => runHandler(handler, input)]));
}

/** Measures every activity, sets the trace context of its wake, and converts its errors for Temporal. */
export function interceptActivity({ info }: Context): ActivityInterceptors {
  const policy = callPolicies[info.activityType as CallName];
  const actor = info.workflowExecution?.workflowId ?? '';
  return {
    inbound: {
      async execute(input, next) {
        const attempt = {
          activity: info.activityType,
          actor,
          attempt: info.attempt,
          origin: readOrigin(input.headers),
        };
        try {
          return await measureCall(attempt, policy, () => next(input));
        } catch (error) {
          if (error instanceof CallCancelled) throw new CancelledFailure(error.message);
          throw isFinal(error, policy) ? toFailure(error) : error;
        }
      },
    },
  };
}
