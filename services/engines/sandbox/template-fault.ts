import { createTwigEnvironment } from '../../twig/index.ts';

/** What makes a template unusable whatever it is given, or null; `functions` are those that it may call beside Twig's own. */
export function findTemplateFault(name: string, source: string, functions: readonly string[]) {
  const callables = Object.fromEntries(functions.map((functionName) => [functionName, () => null]));
  return createTwigEnvironment({ getSource: () => null, functions: callables }).check(source, name);
}
