import { fileURLToPath } from 'node:url';
import { createFairQueue, takeTurn } from '../../../core/fair-queue.ts';
import { createSandboxProcess } from '../process.ts';
import { SandboxError, type SandboxErrorCode } from '../sandbox-error.ts';
import { shellFunctionNames } from '../template-checker.ts';

export interface InspectRequest {
  handle: string;
  type: 'html' | 'react';
  /** A template, or a compiled module. */
  code: string;
  schema: Record<string, unknown> | null;
  functions: readonly string[];
  /** What to render it with; without it, a React component is rendered with the examples of its schema. */
  trial?: InspectTrial;
}

/** A use of a component that is rendered on its own. */
export interface InspectTrial {
  vars: Record<string, unknown>;
  /** The variable `site` of templates. */
  site: Record<string, unknown>;
}

export interface InspectReply {
  /** The variables' schema, completed. */
  schema: Record<string, unknown> | null;
  schemaFault: string | null;
  templateFault: { line: number; column: number; message: string } | null;
  /** False if a module has nothing to render. */
  hasComponent: boolean;
  /** Why a first render failed; it may only lack variables. */
  trialFault: string | null;
  /** The markup of the trial; null if there was none or it failed. */
  markup: string | null;
}

const timeoutMs = 8_000;
const idleMs = 120_000;
const memoryMb = 256;
const maxWaiting = 64;
/** Errors that the component causes; any other end of its process is not its fault. */
const limits: ReadonlySet<SandboxErrorCode> = new Set(['timeout', 'memory', 'crashed']);

const childEntry = fileURLToPath(new URL('./component-child.ts', import.meta.url));

/**
 * Creates the inspector, which checks components in a separate process, one at a time: schema, template syntax, a first
 * render. Components of different keys take turns.
 */
export function createComponentInspector({ entry = childEntry } = {}) {
  const sandbox = createSandboxProcess({ entry, memoryMb, idleMs, env: { TZ: 'UTC' } });
  const turns = createFairQueue({ capacity: 1, maxWaiting });
  return {
    /** Returns null when the component makes the process exceed its limits. Throws `unavailable` when too many wait. */
    async inspect(key: string, request: Omit<InspectRequest, 'functions'>): Promise<InspectReply | null> {
      const payload: InspectRequest = { ...request, functions: shellFunctionNames };
      try {
        return await takeTurn(turns, key, () => sandbox.call<InspectReply>('inspect', payload, { timeoutMs }));
      } catch (error) {
        if (error instanceof SandboxError && limits.has(error.code)) return null;
        throw error;
      }
    },
    stop: () => sandbox.stop(),
  };
}
