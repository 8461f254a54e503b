import { createTwigEnvironment } from '../../twig/index.ts';

/**
 * Returns the fault that makes a template unusable with any input, or null; `functions` are those that it may call in
 * addition to Twig's own.
 */
export function findTemplateFault(name: string, source: string, functions: readonly string[]) {
  const callables = Object.fromEntries(functions.map((functionName) => [functionName, () => null]));
  return createTwigEnvironment({ getSource: () => null, functions: callables }).check(source, name);
}
