import { serveSandbox } from './serve.ts';
import type { TemplateFault } from './template-checker.ts';
import { createTwigEnvironment } from './twig/index.ts';

interface CheckRequest {
  name: string;
  source: string;
  functions: string[];
}

serveSandbox({
  check({ name, source, functions }: CheckRequest): TemplateFault | null {
    const callables = Object.fromEntries(functions.map((functionName) => [functionName, () => null]));
    const fault = createTwigEnvironment({ getSource: () => null, functions: callables }).check(source, name);
    return fault && { line: fault.line || 1, column: fault.column || null, message: fault.message };
  },
});
