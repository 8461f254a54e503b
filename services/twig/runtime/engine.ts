import { locateError } from '../errors.ts';
import * as arithmetic from './arithmetic.ts';
import * as blocks from './blocks.ts';
import { builtinFilters, builtinFunctions, builtinTests } from './builtins.ts';
import { callMethod } from './class-variants.ts';
import * as collections from './collections.ts';
import * as compare from './compare.ts';
import { escapeValue, html } from './escape.ts';
import * as host from './host.ts';
import * as includes from './includes.ts';
import { load } from './load.ts';
import * as loop from './loop.ts';
import * as macros from './macros.ts';
import * as operators from './operators.ts';
import { overBudget, type TemplateCode, type TemplateInstance, tooLong } from './state.ts';
import { toText, truthy } from './values.ts';

/** Everything that generated code may call. It has no other access to this process. */
const runtime = Object.freeze({
  ...arithmetic,
  ...collections,
  ...compare,
  ...host,
  ...loop,
  ...operators,
  ...blocks,
  ...includes,
  ...macros,
  callMethod,
  load,
  escape: escapeValue,
  html,
  locate: locateError,
  overBudget,
  text: toText,
  tooLong,
  truthy,
});

const tableOf = (builtins: ReadonlyMap<string, { run: unknown }>) =>
  Object.freeze(
    Object.assign(Object.create(null), Object.fromEntries([...builtins].map(([name, { run }]) => [name, run]))),
  );

const filters = tableOf(builtinFilters);
const functions = tableOf(builtinFunctions);
const tests = tableOf(builtinTests);

/** Turns generated JavaScript into the code of a template. The text must come from the generator. */
export function instantiateCode(javascript: string): (template: TemplateInstance) => TemplateCode {
  return new Function('R', 'F', 'G', 'E', 'P', javascript)(runtime, filters, functions, tests, Object.prototype);
}
