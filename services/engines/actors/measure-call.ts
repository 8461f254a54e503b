import { CallCancelled } from '../../../workflows/contracts/runtime.ts';
import { Problem } from '../../core/errors.ts';
import { inSpan, type Origin } from '../../core/tracing.ts';
import { withIds } from '../../core/work-context.ts';
import { callFailures, callSeconds } from './metrics.ts';

export interface Attempt {
  /** The name of the call. */
  activity: string;
  /** The actor that started the call. */
  actor: string;
  /** Starts at 1. */
  attempt: number;
  /** The request and the trace that woke the actor. */
  origin: Origin;
}

/** Returns whether an attempt's error is final: it is returned to the caller and not retried. */
export function isFinal(error: unknown, policy: { problemsAreFinal?: true }): error is Problem {
  return policy.problemsAreFinal === true && error instanceof Problem && (error.status < 500 || error.isBusy);
}

/** Measures one attempt of a call; its logs and spans carry the request and the trace that caused it. */
export async function measureCall<T>(
  { activity, actor, attempt, origin }: Attempt,
  policy: { problemsAreFinal?: true },
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const measured = async () => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CallCancelled) && !isFinal(error, policy)) callFailures.inc({ activity });
      throw error;
    } finally {
      callSeconds.observe({ activity }, (performance.now() - startedAt) / 1000);
    }
  };
  const { request_id, traceparent } = origin;
  return withIds({ activity, ...(request_id ? { request_id } : {}) }, () => {
    // periodic work of an actor belongs to no trace
    if (!traceparent) return measured();
    const attributes = { 'temporal.workflow.id': actor, 'temporal.activity.attempt': attempt };
    return inSpan(`activity ${activity}`, { kind: 'consumer', parent: traceparent, attributes }, measured);
  });
}
