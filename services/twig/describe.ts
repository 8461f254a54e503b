import { includeFunctions } from './generate/library.ts';
import { tagParsers } from './parse/parse-tags.ts';
import { builtinFilters, builtinFunctions, builtinTests } from './runtime/builtins.ts';
import { unsupportedTwigFeatures } from './unsupported.ts';

/** Functions and tests that are part of the language itself, not of its tables. */
const languageFunctions = ['attribute', 'block', 'parent', ...includeFunctions];
const languageTests = ['defined'];

/**
 * Returns every name that a template may use, from the engine's own tables, and the features of the reference that it
 * does not support.
 */
export function describeTwig() {
  const sorted = (names: Iterable<string>) => [...new Set(names)].sort();
  return {
    tags: sorted([...tagParsers.keys(), 'verbatim']),
    filters: sorted(builtinFilters.keys()),
    functions: sorted([...builtinFunctions.keys(), ...languageFunctions]),
    tests: sorted([...builtinTests.keys(), ...languageTests]),
    unsupported: unsupportedTwigFeatures.map(({ feature, reason }) => ({ feature, reason })),
  };
}
