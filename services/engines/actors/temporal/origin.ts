import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { traceContextHeader } from '../../../../workflows/contracts/trace-context.ts';
import { currentOrigin, type Origin } from '../../../core/tracing.ts';

function addOrigin(headers: Headers): Headers {
  const origin = currentOrigin();
  return origin ? { ...headers, [traceContextHeader]: defaultPayloadConverter.toPayload(origin) } : headers;
}

/** Adds the request and the trace that start or wake a workflow to its headers. */
export const originInterceptor: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, headers: addOrigin(input.headers) }),
  signalWithStart: (input, next) => next({ ...input, headers: addOrigin(input.headers) }),
};

/** Reads the origin from an activity's headers. */
export function readOrigin(headers: Headers): Origin {
  const payload = headers[traceContextHeader];
  return payload ? defaultPayloadConverter.fromPayload<Origin>(payload) : {};
}
