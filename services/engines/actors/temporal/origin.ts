import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { traceContextHeader } from '../../../../workflows/contracts/trace-context.ts';
import { currentOrigin, type Origin } from '../../../core/tracing.ts';

function addOrigin(headers: Headers): Headers {
  const origin = currentOrigin();
  return origin ? { ...headers, [traceContextHeader]: defaultPayloadConverter.toPayload(origin) } : headers;
}

/** Sends along which request and which trace a workflow is started or woken for. */
export const originInterceptor: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, headers: addOrigin(input.headers) }),
  signalWithStart: (input, next) => next({ ...input, headers: addOrigin(input.headers) }),
};

/** The origin that came along with an activity. */
export function readOrigin(headers: Headers): Origin {
  const payload = headers[traceContextHeader];
  return payload ? defaultPayloadConverter.fromPayload<Origin>(payload) : {};
}
