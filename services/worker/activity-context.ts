import type { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { Counter, Histogram } from 'prom-client';
import { inSpan } from '../core/tracing.ts';
import { withIds } from '../core/work-context.ts';
import { readOrigin } from '../engines/temporal/origin.ts';

const seconds = new Histogram({
  name: 'fieldstone_activity_duration_seconds',
  help: 'Attempts of activities of workflows.',
  labelNames: ['activity'],
  buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 120, 600],
});
const failures = new Counter({
  name: 'fieldstone_activity_failures_total',
  help: "Attempts of activities that failed and are tried again, an engine being away; authors' faults are no failures.",
  labelNames: ['activity'],
});

/** Neither told to make room nor an outcome for whoever waits. */
const isTriedAgain = (error: unknown) =>
  !(error instanceof CancelledFailure) && !(error instanceof ApplicationFailure && error.nonRetryable);

/** Measures every activity, and gives its logs and spans the request and the trace that asked for it. */
export function activityContext({ info }: Context): ActivityInterceptors {
  const activity = info.activityType;
  return {
    inbound: {
      execute(input, next) {
        const origin = readOrigin(input.headers);
        const startedAt = performance.now();
        const attributes = {
          'temporal.workflow.id': info.workflowExecution?.workflowId ?? '',
          'temporal.activity.attempt': info.attempt,
        };
        const work = async () => {
          try {
            return await next(input);
          } catch (error) {
            if (isTriedAgain(error)) failures.inc({ activity });
            throw error;
          } finally {
            seconds.observe({ activity }, (performance.now() - startedAt) / 1000);
          }
        };
        const { request_id, traceparent } = origin;
        return withIds({ activity, ...(request_id ? { request_id } : {}) }, () =>
          // what an actor does by itself every few hours belongs to nobody's trace
          traceparent
            ? inSpan(`activity ${activity}`, { kind: 'consumer', parent: traceparent, attributes }, work)
            : work(),
        );
      },
    },
  };
}
