import { CompileError, type CompileFault } from './compiled.ts';
import { type ScopedCss, scopeCss } from './scope-css.ts';

export interface ScopeInput {
  css: string;
  handle: string;
}

/** A style sheet that was confined, or what is wrong with it: classes of errors do not leave a thread. */
export type ScopeOutcome = ScopedCss | { faults: CompileFault[] };

/** What a thread does with the style sheet of a component; see `createTextReader`. */
export default function scope({ css, handle }: ScopeInput): ScopeOutcome {
  try {
    return scopeCss(css, handle);
  } catch (error) {
    if (error instanceof CompileError) return { faults: error.faults };
    throw error;
  }
}
