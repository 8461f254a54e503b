import { variantFunctions } from './class-variants.ts';
import type { Builtin } from './declare.ts';
import { coreFilters } from './filters.ts';
import { extraFilters } from './filters-extra.ts';
import { coreFunctions } from './functions.ts';
import { attributeFilters, attributeFunctions } from './html-attributes.ts';
import { localeListFilters } from './locale-lists.ts';
import { coreTests } from './tests.ts';

/** Every built-in filter by name. */
export const builtinFilters: ReadonlyMap<string, Builtin> = new Map([
  ...coreFilters,
  ...extraFilters,
  ...attributeFilters,
  ...localeListFilters,
]);

/**
 * Every built-in function by name; `include`, `include_only`, `block`, `parent` and `attribute` are language
 * constructs.
 */
export const builtinFunctions: ReadonlyMap<string, Builtin> = new Map([
  ...coreFunctions,
  ...attributeFunctions,
  ...variantFunctions,
]);

/** Every built-in test by name; `defined` is a language construct. */
export const builtinTests: ReadonlyMap<string, Builtin> = new Map(coreTests);
