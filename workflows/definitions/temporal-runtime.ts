import {
  ActivityCancellationType,
  type ActivityOptions,
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { type ActorRuntime, CallCancelled, type CallName } from '../contracts/runtime.ts';
import { wakeSignal } from '../contracts/site-actor.ts';
import { actorMaxEvents, type CallPolicy, callPolicies, type QueueName, taskQueues } from '../policies/index.ts';

const wake = defineSignal(wakeSignal);

type Run = (input: unknown) => Promise<unknown>;

/**
 * Returns the activity of a call on its queue. The general queue is the workflow's own, so that recorded histories stay
 * valid.
 */
function activityOf(name: CallName, input: unknown): Run {
  const { queue, retry, startToCloseTimeout, heartbeatTimeout } = callPolicies[name] as CallPolicy<unknown>;
  const timeouts = { startToCloseTimeout, retry };
  if (queue === 'local') return proxyLocalActivities<Record<string, Run>>(timeouts)[name]!;
  const chosen: QueueName = typeof queue === 'function' ? queue(input) : queue;
  const options: ActivityOptions = {
    ...timeouts,
    ...(heartbeatTimeout ? { heartbeatTimeout } : {}),
    ...(chosen === 'general' ? {} : { taskQueue: taskQueues[chosen] }),
    // a cancelled build may react slowly: the next one need not wait, because only the newest may swap
    cancellationType: ActivityCancellationType.TRY_CANCEL,
  };
  return proxyActivities<Record<string, Run>>(options)[name]!;
}

/** Creates the runtime of one workflow run; `input` is passed to the next run by `continueAsNew`. */
function createRuntime(input: unknown[]): ActorRuntime {
  const start: ActorRuntime['start'] = (name, callInput) => {
    const scope = new CancellationScope();
    let cancelled = false;
    const result = scope
      .run(() => activityOf(name, callInput)(callInput))
      .catch((error: unknown) => {
        throw cancelled && isCancellation(error) ? new CallCancelled(name) : error;
      });
    return {
      result: result as never,
      cancel() {
        cancelled = true;
        scope.cancel();
      },
    };
  };
  const runtime: ActorRuntime = {
    woken: false,
    start,
    call: (name, callInput) => start(name, callInput).result,
    async wait(until, timeoutMs) {
      if (timeoutMs !== undefined) return condition(until, timeoutMs);
      await condition(until);
      return true;
    },
    shouldContinueAsNew() {
      const { historyLength, continueAsNewSuggested } = workflowInfo();
      return historyLength > actorMaxEvents || continueAsNewSuggested;
    },
    continueAsNew: () => continueAsNew(...input),
  };
  setHandler(wake, () => {
    runtime.woken = true;
  });
  return runtime;
}

/** Wraps an actor as a workflow. */
export function asWorkflow<Input, Result>(actor: (runtime: ActorRuntime, input: Input) => Promise<Result>) {
  return (input: Input): Promise<Result> => actor(createRuntime([input]), input);
}
