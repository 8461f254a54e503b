/**
 * Why a sandbox call failed: it exceeded its time or memory, its process died, a template is wrong, the handler threw
 * another error, the process could not start, or the sandbox was stopped.
 */
export type SandboxErrorCode = 'timeout' | 'memory' | 'crashed' | 'template' | 'failed' | 'unstarted' | 'stopped';

/** A template error, serialized for the process boundary; its fields are those of `TwigError`. */
export interface SandboxTemplateError {
  kind: string;
  message: string;
  template: string;
  line: number;
  column: number;
}

/**
 * The error of every sandbox call. `templateError` is set with code `template`; `details` is what the handler attached.
 */
export class SandboxError extends Error {
  readonly code: SandboxErrorCode;
  readonly templateError: SandboxTemplateError | null;
  readonly details: unknown;

  constructor(
    code: SandboxErrorCode,
    message: string,
    more: { templateError?: SandboxTemplateError; details?: unknown } = {},
  ) {
    super(message);
    this.name = 'SandboxError';
    this.code = code;
    this.templateError = more.templateError ?? null;
    this.details = more.details ?? null;
  }
}
