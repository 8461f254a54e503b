export type ComponentType = 'html' | 'react';

/** A compiled component as builds run it; stored as JSON under `compiled_hash`. */
export interface CompiledComponent {
  format: 1;
  type: ComponentType;
  /** A Twig template, or a CommonJS module whose `default` is the component. */
  code: string;
  /** The style sheet, confined to the component. */
  css: string | null;
  /** A JSON Schema for the variables; null accepts any. */
  schema: Record<string, unknown> | null;
  /** The minified module for the browser; null unless the component is interactive. */
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

/** A part of a component that does not compile, and the reason; lines and columns count from 1, 0 is unknown. */
export interface CompileFault {
  member: 'source_code' | 'css' | 'variables_schema';
  message: string;
  line: number;
  column: number;
  /** The source line with a mark under the position; empty if unknown. */
  frame: string;
}

/** A component cannot be used; `faults` has at least one entry. */
export class CompileError extends Error {
  readonly faults: CompileFault[];

  constructor(faults: CompileFault[]) {
    super(faults[0]?.message ?? 'The component does not compile.');
    this.name = 'CompileError';
    this.faults = faults;
  }
}
