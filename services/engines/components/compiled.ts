export type ComponentType = 'html' | 'react';

/** What a build runs of a component; stored as JSON under `compiled_hash`. */
export interface CompiledComponent {
  format: 1;
  type: ComponentType;
  /** A Twig template, or a CommonJS module whose `default` is the component. */
  code: string;
  /** The style sheet, which reaches nothing outside the component. */
  css: string | null;
  /** A JSON Schema for the variables; null takes any. */
  schema: Record<string, unknown> | null;
  /** The module for the browser, minified; only of a component that does something there. */
  client: string | null;
}

export interface ComponentSource {
  handle: string;
  type: ComponentType;
  source_code: string;
  css: string | null;
  variables_schema: Record<string, unknown> | null;
}

export interface ComponentWarning {
  code: string;
  message: string;
}

/** Which part of a component does not compile, and why; lines and columns count from 1, 0 is unknown. */
export interface CompileFault {
  member: 'source_code' | 'css' | 'variables_schema';
  message: string;
  line: number;
  column: number;
  /** The line in question with a mark under the place; empty when there is none. */
  frame: string;
}

/** A component that cannot be used; `faults` has at least one entry. */
export class CompileError extends Error {
  readonly faults: CompileFault[];

  constructor(faults: CompileFault[]) {
    super(faults[0]?.message ?? 'The component does not compile.');
    this.name = 'CompileError';
    this.faults = faults;
  }
}
