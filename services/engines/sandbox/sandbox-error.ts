/**
 * Why a call to the sandbox failed: it took too long, used too much memory, its process died over it, a template is wrong,
 * another error was thrown inside, the process could not even start, whatever was asked, or the sandbox was stopped.
 */
export type SandboxErrorCode = 'timeout' | 'memory' | 'crashed' | 'template' | 'failed' | 'unstarted' | 'stopped';

/** A template error as it crosses the process boundary; the fields are those of `TwigError`. */
export interface SandboxTemplateError {
  kind: string;
  message: string;
  template: string;
  line: number;
  column: number;
}

/** The error of every sandbox call. `templateError` is set with code `template`; `details` is what the handler attached. */
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
