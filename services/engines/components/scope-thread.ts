import { CompileError, type CompileFault } from './compiled.ts';
import { type ScopedCss, scopeCss } from './scope-css.ts';

export interface ScopeInput {
  css: string;
  handle: string;
}

/** A confined style sheet, or its faults: error classes cannot cross the thread boundary. */
export type ScopeOutcome = ScopedCss | { faults: CompileFault[] };

/** Confines a component's style sheet, as the entry of a thread; see `createTextReader`. */
export default function scope({ css, handle }: ScopeInput): ScopeOutcome {
  try {
    return scopeCss(css, handle);
  } catch (error) {
    if (error instanceof CompileError) return { faults: error.faults };
    throw error;
  }
}
