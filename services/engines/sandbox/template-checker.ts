import { fileURLToPath } from 'node:url';
import { createFairQueue, takeTurn } from '../../core/fair-queue.ts';
import { createSandboxProcess } from './process.ts';
import { SandboxError } from './sandbox-error.ts';

export interface TemplateFault {
  line: number;
  column: number | null;
  message: string;
}

export interface TemplateCheckerOptions {
  /** The child's entry; a built package has it at another path. */
  entry?: string;
  /** The functions that templates may call in addition to Twig's own. */
  functions?: readonly string[];
  /** Time limit of one check; a text that exceeds it has a fault. */
  timeoutMs?: number;
}

/** The functions of the shell contract. */
export const shellFunctionNames = ['posts', 'pages', 'asset', 'media', 'component', 'url', 't'] as const;

const defaultTimeoutMs = 5_000;
const idleMs = 60_000;
const memoryMb = 256;
const maxWaiting = 64;
/**
 * Longer texts are checked in a separate process: they may use all of their time, and page templates must not wait for
 * them.
 */
const longChars = 256 * 1024;

/**
 * Creates a checker for faults that make a template unusable with any input: syntax, unknown filters, functions and
 * tests. It runs in separate processes, where texts of different keys take turns; a text that makes its process exceed
 * its limits has a fault like any other.
 */
export function createTemplateChecker(options: TemplateCheckerOptions = {}) {
  const entry = options.entry ?? fileURLToPath(new URL('./template-checker-child.ts', import.meta.url));
  const createLane = () => ({
    sandbox: createSandboxProcess({ entry, memoryMb, idleMs }),
    turns: createFairQueue({ capacity: 1, maxWaiting }),
  });
  const [short, long] = [createLane(), createLane()];
  const { timeoutMs = defaultTimeoutMs } = options;
  const functions = [...(options.functions ?? shellFunctionNames)];
  return {
    /** Throws `unavailable` when too many wait. */
    async check(key: string, name: string, source: string): Promise<TemplateFault | null> {
      const { sandbox, turns } = source.length > longChars ? long : short;
      const check = () => sandbox.call<TemplateFault | null>('check', { name, source, functions }, { timeoutMs });
      try {
        return await takeTurn(turns, key, check);
      } catch (error) {
        if (!(error instanceof SandboxError)) throw error;
        if (error.code === 'timeout' || error.code === 'memory') {
          return { line: 1, column: null, message: 'The template takes too much time or memory to parse.' };
        }
        throw error;
      }
    },
    async stop() {
      await Promise.all([short.sandbox.stop(), long.sandbox.stop()]);
    },
  };
}
