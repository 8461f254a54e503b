import { fileURLToPath } from 'node:url';
import { createSandboxProcess } from './process.ts';
import { SandboxError } from './sandbox-error.ts';

export interface TemplateFault {
  line: number;
  column: number | null;
  message: string;
}

export interface TemplateCheckerOptions {
  /** The child's entry; settable because a built package has it elsewhere. */
  entry?: string;
  /** The functions that templates may call beside Twig's own. */
  functions?: readonly string[];
  /** For one check; a text that needs longer is a fault. */
  timeoutMs?: number;
}

/** The functions of the shell contract. */
export const shellFunctionNames = ['posts', 'pages', 'asset', 'media', 'component', 'url', 't'] as const;

const defaultTimeoutMs = 5_000;
const idleMs = 60_000;
const memoryMb = 256;

/**
 * Checks templates for what makes them unusable whatever they are given: syntax, unknown filters, functions and tests.
 * Runs in a process of its own; a text that brings it to its limits is a fault like any other.
 */
export function createTemplateChecker(options: TemplateCheckerOptions = {}) {
  const entry = options.entry ?? fileURLToPath(new URL('./template-checker-child.ts', import.meta.url));
  const sandbox = createSandboxProcess({ entry, memoryMb, idleMs });
  const { timeoutMs = defaultTimeoutMs } = options;
  const functions = [...(options.functions ?? shellFunctionNames)];
  return {
    async check(name: string, source: string): Promise<TemplateFault | null> {
      try {
        return await sandbox.call<TemplateFault | null>('check', { name, source, functions }, { timeoutMs });
      } catch (error) {
        if (!(error instanceof SandboxError)) throw error;
        if (error.code === 'timeout' || error.code === 'memory') {
          return { line: 1, column: null, message: 'The template takes too much time or memory to read.' };
        }
        throw error;
      }
    },
    stop: () => sandbox.stop(),
  };
}
