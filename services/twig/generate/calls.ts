import type { Argument, At, Expression } from '../parse/ast.ts';
import { builtinFilters, builtinFunctions, builtinTests } from '../runtime/builtins.ts';
import type { Builtin } from '../runtime/declare.ts';
import { generateBlockCall, generateExpression } from './expressions.ts';
import { isSafeFor } from './safety.ts';
import { type CodeScope, failAt, literal, mark, slot } from './scope.ts';

/** Returns JavaScript for a filter applied to its operand. */
export function generateFilter(expression: Expression & { type: 'filter' }, scope: CodeScope): string {
  const { name, args, library } = { ...expression, library: scope.library };
  let operand = generateExpression(expression.operand, scope);
  if (library.isHostFilter(name)) {
    return `(${mark(expression)},R.hostFilter(rt,${literal(name)},${operand},${generateHostArguments(args, scope)}))`;
  }
  if (name === 'raw') return operand;
  const builtin = builtinFilters.get(name)!;
  if (builtin.preEscape && !isSafeFor(expression.operand, builtin.preEscape, library)) {
    operand = `R.escape(${operand},${literal(builtin.preEscape)},true)`;
  }
  return callBuiltin('F', 'filter', name, builtin, [operand], args, expression, scope);
}

/** Returns JavaScript for a function call. */
export function generateCall(expression: Expression & { type: 'call' }, scope: CodeScope): string {
  const { name, args } = expression;
  if (scope.library.isHostFunction(name)) {
    return `(${mark(expression)},R.hostFunction(rt,${literal(name)},${generateHostArguments(args, scope)}))`;
  }
  if (name === 'include') {
    const parameters = ['template', 'variables', 'with_context', 'ignore_missing', 'sandboxed'];
    const values = matchArguments('function', name, { parameters, required: 1 }, args, expression, scope);
    return `(${mark(expression)},R.includeFunction(T,rt,${scope.context},${values.join(',')}))`;
  }
  if (name === 'include_only') {
    const parameters = ['template', 'variables', 'ignore_missing'];
    const values = matchArguments('function', name, { parameters, required: 1 }, args, expression, scope);
    return `(${mark(expression)},R.includeOnly(T,rt,${values.join(',')}))`;
  }
  return callBuiltin('G', 'function', name, builtinFunctions.get(name)!, [], args, expression, scope);
}

/** Returns JavaScript for a test; its value is always a boolean. */
export function generateTest(expression: Expression & { type: 'test' }, scope: CodeScope): string {
  const { name, operand, args } = expression;
  if (name === 'defined') return generateDefined(operand, scope, expression);
  const value = generateExpression(operand, scope);
  if (scope.library.isHostTest(name)) {
    return `(${mark(expression)},R.hostTest(rt,${literal(name)},${value},${generateHostArguments(args, scope)}))`;
  }
  return callBuiltin('E', 'test', name, builtinTests.get(name)!, [value], args, expression, scope);
}

function generateDefined(operand: Expression, scope: CodeScope, at: At): string {
  switch (operand.type) {
    case 'name': {
      if (operand.name.startsWith('_') && ['_self', '_context', '_charset'].includes(operand.name)) return 'true';
      return `(${generateExpression(operand, scope)}!==undefined)`;
    }
    case 'attribute': {
      if (operand.access === 'method') return 'false';
      const key = generateExpression(operand.key, scope);
      return `R.hasAttribute(${generateExpression(operand.target, scope)},R.key(${key}))`;
    }
    case 'block':
      return generateBlockCall(operand, scope, 'hasBlock');
    case 'macro':
      return generateMacroCall(operand, scope, true);
    case 'constant':
    case 'array':
    case 'hash':
      return 'true';
    case 'call':
      if (operand.name === 'constant') return 'false';
      break;
    default:
  }
  return failAt(scope, at, 'The "defined" test only works with simple variables.');
}

/** Returns JavaScript for a macro call, or for the test whether the macro exists. */
export function generateMacroCall(
  expression: Expression & { type: 'macro' },
  scope: CodeScope,
  existence = false,
): string {
  const { source, name } = expression;
  if (!source.self) scope.usesMacros.value = true;
  const template = source.self ? 'T' : slot('m', source.variable);
  const named = typeof name === 'string' ? literal(name) : `R.text(${generateExpression(name, scope)})`;
  if (existence) return `R.hasMacro(${template},${named},${scope.context},rt)`;
  const args = generateHostArguments(expression.args, scope);
  return `(${mark(expression)},R.callMacro(${template},${named},${scope.context},rt,${args}))`;
}

/** Returns JavaScript for a method call on a value. */
export function generateMethodCall(
  expression: Expression & { type: 'attribute' },
  target: string,
  scope: CodeScope,
): string {
  const method = `R.key(${generateExpression(expression.key, scope)})`;
  const args = generateHostArguments(expression.args ?? [], scope);
  return `(${mark(expression)},R.callMethod(rt,${target},${method},${args}))`;
}

/** Returns positional arguments as an array and named ones as a hash or null, for callables that are not built in. */
function generateHostArguments(args: Argument[], scope: CodeScope): string {
  const positional = args
    .filter((argument) => argument.name === null)
    .map(({ spread, value }) =>
      spread ? `...R.spread(rt,${generateExpression(value, scope)})` : generateExpression(value, scope),
    );
  const named = args
    .filter((argument) => argument.name !== null)
    .map(({ name, value }) => `${literal(name!)},${generateExpression(value, scope)}`);
  return `[${positional.join(',')}],${named.length > 0 ? `R.buildHash(rt,[${named.join(',')}])` : 'null'}`;
}

function callBuiltin(
  table: 'F' | 'G' | 'E',
  kind: string,
  name: string,
  builtin: Builtin,
  first: string[],
  args: Argument[],
  at: At,
  scope: CodeScope,
): string {
  const values = matchArguments(kind, name, builtin, args, at, scope);
  return `(${mark(at)},${table}[${literal(name)}](${['rt', ...first, ...values].join(',')}))`;
}

const plainName = (name: string) => name.replaceAll('_', '').toLowerCase();

/** Moves named arguments to the position of their parameter; throws a syntax error for wrong ones. */
function matchArguments(
  kind: string,
  name: string,
  builtin: { parameters: readonly string[]; required: number },
  args: Argument[],
  at: At,
  scope: CodeScope,
): string[] {
  const { parameters, required } = builtin;
  const values: string[] = [];
  let spread = false;
  for (const argument of args) {
    const code = generateExpression(argument.value, scope);
    if (argument.spread) {
      spread = true;
      values.push(`...R.spread(rt,${code})`);
    } else if (argument.name === null) values.push(code);
    else {
      const index = parameters.findIndex((parameter) => plainName(parameter) === plainName(argument.name!));
      if (index < 0)
        failAt(scope, at, `Unknown argument "${argument.name}" for ${kind} "${name}(${parameters.join(', ')})".`);
      if ((values[index] ?? 'undefined') !== 'undefined')
        failAt(scope, at, `Argument "${argument.name}" is defined twice for ${kind} "${name}".`);
      while (values.length < index) values.push('undefined');
      values[index] = code;
    }
  }
  const missing = spread
    ? -1
    : parameters.findIndex((_parameter, index) => index < required && (values[index] ?? 'undefined') === 'undefined');
  if (missing >= 0) failAt(scope, at, `Value for argument "${parameters[missing]}" is required for ${kind} "${name}".`);
  return values;
}
