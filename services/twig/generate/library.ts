import type { Argument } from '../parse/ast.ts';
import type { Vocabulary } from '../parse/parse-context.ts';
import { builtinFilters, builtinFunctions, builtinTests } from '../runtime/builtins.ts';
import type { Builtin } from '../runtime/declare.ts';

/** The names that a host adds to the language. */
export interface HostNames {
  functions: ReadonlySet<string>;
  filters: ReadonlySet<string>;
  tests: ReadonlySet<string>;
}

/** What the generator must know about names: which exist, are built in and are safe. */
export interface Library extends Vocabulary {
  isHostFunction(name: string): boolean;
  isHostFilter(name: string): boolean;
  isHostTest(name: string): boolean;
  filterSafety(name: string, args: Argument[]): readonly string[];
  functionSafety(name: string): readonly string[];
}

/** Functions that render another template: the generator passes them the template and its context. */
export const includeFunctions: ReadonlySet<string> = new Set(['include', 'include_only']);

/** Combines the built-in names with those of a host; the host's take precedence. */
export function createLibrary(host: HostNames): Library {
  const safetyOf = (builtin: Builtin | undefined, args: Argument[]) => {
    if (!builtin) return [];
    return typeof builtin.safe === 'function' ? builtin.safe(args) : builtin.safe;
  };
  return {
    hasFilter: (name) => host.filters.has(name) || builtinFilters.has(name),
    hasFunction: (name) => host.functions.has(name) || builtinFunctions.has(name) || includeFunctions.has(name),
    hasTest: (name) => host.tests.has(name) || builtinTests.has(name) || name === 'defined',
    filterNames: () => [...builtinFilters.keys(), ...host.filters],
    functionNames: () => [
      ...builtinFunctions.keys(),
      ...host.functions,
      ...includeFunctions,
      'block',
      'parent',
      'attribute',
    ],
    testNames: () => [...builtinTests.keys(), ...host.tests, 'defined'],
    isHostFunction: (name) => host.functions.has(name),
    isHostFilter: (name) => host.filters.has(name),
    isHostTest: (name) => host.tests.has(name),
    filterSafety: (name, args) => (host.filters.has(name) ? [] : safetyOf(builtinFilters.get(name), args)),
    functionSafety(name) {
      if (host.functions.has(name)) return [];
      return includeFunctions.has(name) ? ['all'] : safetyOf(builtinFunctions.get(name), []);
    },
  };
}
