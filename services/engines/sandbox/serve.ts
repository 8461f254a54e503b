import { TwigError } from '../../twig/index.ts';
import { lockDown } from './lockdown.ts';
import type { SandboxReply, SandboxRequest } from './messages.ts';

// Runs when this module is loaded: import it first in the entry of a sandbox process.
lockDown();

/** Handles one method; must return plain data. The own member `details` of an error is passed on. */
export type SandboxHandler = (payload: never) => unknown;

/**
 * Runs the child's side of a sandbox: handles the parent's requests one at a time, and ends when the parent is gone.
 * Errors cross the boundary as data: template errors with all fields, others with their message only.
 */
export function serveSandbox(handlers: Record<string, SandboxHandler>): void {
  const methods = new Map(Object.entries(handlers));
  process.on('disconnect', () => process.exit(0));
  process.on('message', (request: SandboxRequest) => {
    void handleRequest(methods, request).then(send);
  });
  send({ type: 'ready' });
}

function send(reply: SandboxReply): void {
  process.send?.(reply, undefined, undefined, (error) => {
    if (error) process.exit(1);
  });
}

async function handleRequest(methods: Map<string, SandboxHandler>, request: SandboxRequest): Promise<SandboxReply> {
  const { id } = request;
  try {
    const handler = methods.get(request.method);
    if (!handler) throw new Error(`The sandbox has no method "${request.method}".`);
    return { type: 'value', id, value: await handler(request.payload as never) };
  } catch (error) {
    return describeError(id, error);
  }
}

function describeError(id: number, error: unknown): SandboxReply {
  const message = error instanceof Error ? error.message : String(error);
  const details = error instanceof Error && 'details' in error ? error.details : null;
  if (!(error instanceof TwigError)) return { type: 'error', id, message, templateError: null, details };
  const { kind, template, line, column } = error;
  const cause = error.cause instanceof Error && 'details' in error.cause ? error.cause.details : details;
  return { type: 'error', id, message, templateError: { kind, message, template, line, column }, details: cause };
}
