// must be first: it disables network access
import { serveSandbox } from './serve.ts';
import type { TemplateFault } from './template-checker.ts';
import { findTemplateFault } from './template-fault.ts';

interface CheckRequest {
  name: string;
  source: string;
  functions: string[];
}

serveSandbox({
  check({ name, source, functions }: CheckRequest): TemplateFault | null {
    const fault = findTemplateFault(name, source, functions);
    return fault && { line: fault.line || 1, column: fault.column || null, message: fault.message };
  },
});
