import type { SandboxTemplateError } from './sandbox-error.ts';

/** A request from the parent to the child. */
export interface SandboxRequest {
  id: number;
  method: string;
  payload: unknown;
}

/** A message from the child: that it is ready, or the outcome of one request. */
export type SandboxReply =
  | { type: 'ready' }
  | { type: 'value'; id: number; value: unknown }
  | { type: 'error'; id: number; message: string; templateError: SandboxTemplateError | null; details: unknown };
