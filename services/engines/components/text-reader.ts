import { fileURLToPath } from 'node:url';
import { problem } from '../../core/errors.ts';
import { ThreadFailure, type ThreadPool, type ThreadWork } from '../threads/thread-pool.ts';
import { CompileError, type CompileFault } from './compiled.ts';
import type { FoundComponent } from './find-component.ts';
import findHere from './find-thread.ts';
import type { ScopedCss } from './scope-css.ts';
import scopeHere, { type ScopeInput, type ScopeOutcome } from './scope-thread.ts';

/**
 * Parses the texts of components without blocking the event loop: large ones in threads, where texts of different keys
 * take turns.
 */
export interface TextReader {
  /** Runs `scopeCss`. Throws a CompileError, and `unavailable` when too much work waits or the machine is too busy. */
  scopeCss(key: string, input: ScopeInput): Promise<ScopedCss>;
  /** Runs `findComponent`. Throws the same errors. */
  findComponent(key: string, code: string): Promise<FoundComponent>;
}

/** Longer texts go to a thread: a kilobyte of a style sheet takes up to two milliseconds, one of code up to one. */
const threadedChars = 8 * 1024;

const work = (name: string, file: string): ThreadWork => ({
  name,
  entry: fileURLToPath(new URL(file, import.meta.url)),
  timeoutMs: 60_000,
});
const scoping = work('component_css', './scope-thread.ts');
const finding = work('component_code', './find-thread.ts');

/** Returns the error for a text whose processing exceeds the limits. */
export function tooComplex(member: CompileFault['member']): CompileError {
  const what = member === 'css' ? 'The style sheet' : 'The source';
  const message = `${what} takes too much time or memory to compile.`;
  return new CompileError([{ member, message, line: 0, column: 0, frame: '' }]);
}

/** Creates a text reader on the process's thread pool. */
export function createTextReader(threads: Pick<ThreadPool, 'run'>): TextReader {
  async function read<T>(kind: ThreadWork, key: string, input: unknown, member: CompileFault['member']): Promise<T> {
    try {
      return await threads.run<T>(kind, key, input);
    } catch (error) {
      if (!(error instanceof ThreadFailure)) throw error;
      if (error.reason === 'memory') throw tooComplex(member);
      const message = 'The component could not be compiled in time; try again shortly.';
      throw problem('unavailable', message, { retryAfterSeconds: 30, cause: error });
    }
  }

  return {
    async scopeCss(key, input) {
      const isLarge = input.css.length > threadedChars;
      const scoped = isLarge ? await read<ScopeOutcome>(scoping, key, input, 'css') : scopeHere(input);
      if ('faults' in scoped) throw new CompileError(scoped.faults);
      return scoped;
    },
    async findComponent(key, code) {
      const isLarge = code.length > threadedChars;
      const found = isLarge ? await read<FoundComponent | null>(finding, key, code, 'source_code') : findHere(code);
      if (!found) throw tooComplex('source_code');
      return found;
    },
  };
}
