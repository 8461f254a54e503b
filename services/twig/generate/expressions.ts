import { packPosition } from '../errors.ts';
import type { Expression } from '../parse/ast.ts';
import { normaliseKey } from '../runtime/collections.ts';
import { generateAssign } from './assign.ts';
import { findNamesAssignedIn } from './assignments.ts';
import { generateCall, generateFilter, generateMacroCall, generateMethodCall, generateTest } from './calls.ts';
import { type CodeScope, findLocal, literal, mark, newName, newTemporary, slot } from './scope.ts';

/** Returns JavaScript for the value of an expression. Null and undefined both mean Twig's null. */
export function generateExpression(expression: Expression, scope: CodeScope): string {
  switch (expression.type) {
    case 'constant':
      return generateConstant(expression.value);
    case 'name':
      return generateName(expression.name, scope);
    case 'array':
      return generateArray(expression, scope);
    case 'hash':
      return generateHash(expression, scope);
    case 'unary':
      return generateUnary(expression, scope);
    case 'binary':
      return generateBinary(expression, scope);
    case 'conditional':
      return generateConditional(expression, scope);
    case 'filter':
      return generateFilter(expression, scope);
    case 'call':
      return generateCall(expression, scope);
    case 'test':
      return generateTest(expression, scope);
    case 'attribute':
      return generateAttribute(expression, scope);
    case 'arrow':
      return generateArrow(expression, scope);
    case 'assign':
      return generateAssign(expression, scope);
    case 'parent':
      return `(${mark(expression)},R.parentBlock(T,${literal(expression.block)},${scope.context},b,rt))`;
    case 'block':
      return generateBlockCall(expression, scope, 'callBlock');
    case 'macro':
      return generateMacroCall(expression, scope);
    case 'captured':
      return scope.captured;
  }
}

/** Returns JavaScript for the truth value of an expression. */
export function generateTruth(expression: Expression, scope: CodeScope): string {
  return isBoolean(expression)
    ? generateExpression(expression, scope)
    : `R.truthy(${generateExpression(expression, scope)})`;
}

const booleanOperators = new Set([
  ...['and', 'or', 'xor', '==', '!=', '===', '!==', '<', '>', '<=', '>='],
  ...['in', 'not in', 'starts with', 'ends with', 'has some', 'has every'],
]);

function isBoolean(expression: Expression): boolean {
  if (expression.type === 'test') return true;
  if (expression.type === 'unary') return expression.operator === 'not';
  return expression.type === 'binary' && booleanOperators.has(expression.operator);
}

function generateConstant(value: string | number | boolean | null): string {
  if (typeof value === 'string') return literal(value);
  if (typeof value === 'number') return Number.isFinite(value) ? `(${value})` : '(1/0)';
  return String(value);
}

function generateName(name: string, scope: CodeScope): string {
  const local = findLocal(name, scope);
  if (local) return local;
  if (name === '_self') return 'T.name';
  if (name === '_charset') return '"UTF-8"';
  if (name === '_context') return `R.contextToHash(${scope.context})`;
  return slot(scope.context, name);
}

function generateArray(expression: Expression & { type: 'array' }, scope: CodeScope): string {
  if (!expression.items.some((item) => item.spread)) {
    return `[${expression.items.map((item) => generateExpression(item.value, scope)).join(',')}]`;
  }
  const parts = expression.items.map((item) => `${item.spread},${generateExpression(item.value, scope)}`);
  return `(${mark(expression)},R.buildList(rt,[${parts.join(',')}]))`;
}

function generateHash(expression: Expression & { type: 'hash' }, scope: CodeScope): string {
  const parts = expression.items.map((item) => {
    const value = generateExpression(item.value, scope);
    if (!item.key) return `R.spreadMark,${value}`;
    if (item.key.type !== 'constant') return `R.key(${generateExpression(item.key, scope)}),${value}`;
    const key = normaliseKey(item.key.value);
    return `${typeof key === 'number' ? `(${key})` : literal(key)},${value}`;
  });
  return `(${mark(expression)},R.buildHash(rt,[${parts.join(',')}]))`;
}

function generateUnary(expression: Expression & { type: 'unary' }, scope: CodeScope): string {
  if (expression.operator === 'not') return `!${generateTruth(expression.operand, scope)}`;
  const operand = generateExpression(expression.operand, scope);
  return `(${mark(expression)},R.${expression.operator === '-' ? 'negate' : 'plus'}(${operand}))`;
}

/** Binary operators that are simple calls of the runtime. */
const operatorCalls: Record<string, string> = {
  '==': 'isEqual',
  '===': 'isSame',
  '<': 'isLess',
  '<=': 'isLessOrEqual',
  '<=>': 'compare',
  in: 'isIn',
  'starts with': 'startsWith',
  'ends with': 'endsWith',
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '//': 'floorDivide',
  '%': 'modulo',
  '**': 'power',
  'b-and': 'bitAnd',
  'b-or': 'bitOr',
  'b-xor': 'bitXor',
};

/** Operators that may do unbounded work and therefore receive the render's limits. */
const limitedCalls: Record<string, string> = {
  '..': 'range',
  '~': 'concat',
  matches: 'matches',
  'has some': 'hasSome',
  'has every': 'hasEvery',
};

function generateBinary(expression: Expression & { type: 'binary' }, scope: CodeScope): string {
  const { operator, left, right } = expression;
  if (operator === 'and' || operator === 'or') {
    return `(${generateTruth(left, scope)}${operator === 'and' ? '&&' : '||'}${generateTruth(right, scope)})`;
  }
  if (operator === 'xor') return `(${generateTruth(left, scope)}!==${generateTruth(right, scope)})`;
  if (operator === '??') return generateCoalesce(expression, scope);
  const a = generateExpression(left, scope);
  const b = generateExpression(right, scope);
  if (operator === '!=') return `!R.isEqual(${a},${b})`;
  if (operator === '!==') return `!R.isSame(${a},${b})`;
  if (operator === 'not in') return `!R.isIn(${a},${b})`;
  // The operands keep their order: a template can observe it through host functions.
  if (operator === '>') return `R.isGreater(${a},${b})`;
  if (operator === '>=') return `R.isGreaterOrEqual(${a},${b})`;
  const limited = limitedCalls[operator];
  if (limited) return `(${mark(expression)},R.${limited}(rt,${a},${b}))`;
  return `(${mark(expression)},R.${operatorCalls[operator]}(${a},${b}))`;
}

function generateCoalesce(expression: Expression & { type: 'binary' }, scope: CodeScope): string {
  const right = generateExpression(expression.right, scope);
  const { left } = expression;
  if (left.type === 'block') {
    return `(${generateBlockCall(left, scope, 'hasBlock')}?${generateExpression(left, scope)}:${right})`;
  }
  if (left.type === 'macro')
    return `(${generateMacroCall(left, scope, true)}?${generateExpression(left, scope)}:${right})`;
  return `(${generateExpression(left, scope)}??${right})`;
}

function generateConditional(expression: Expression & { type: 'conditional' }, scope: CodeScope): string {
  const otherwise = generateExpression(expression.whenFalse, scope);
  if (expression.whenTrue) {
    return `(${generateTruth(expression.test, scope)}?${generateExpression(expression.whenTrue, scope)}:${otherwise})`;
  }
  return `R.elvis(${generateExpression(expression.test, scope)},()=>${otherwise})`;
}

/** Names that every plain object inherits; these are read through the slow, checked path. */
const inheritedNames = new Set(Object.getOwnPropertyNames(Object.prototype));

function generateAttribute(expression: Expression & { type: 'attribute' }, scope: CodeScope): string {
  const target = generateExpression(expression.target, scope);
  const { key, access } = expression;
  if (access === 'method') return generateMethodCall(expression, target, scope);
  if (key.type !== 'constant') return `R.attribute(${target},R.key(${generateExpression(key, scope)}))`;
  const name = normaliseKey(key.value);
  if (typeof name === 'number') return `R.attribute(${target},(${name}))`;
  if (inheritedNames.has(name) || scope.locals.length > 0) return `R.attribute(${target},${literal(name)})`;
  // The common case, a plain object, is read inline, so that each position has its own inline cache.
  const temporary = newTemporary(scope);
  const isPlain = `(${temporary}=${target})!==null&&typeof ${temporary}==="object"&&Object.getPrototypeOf(${temporary})===P`;
  return `(${isPlain}?${temporary}[${literal(name)}]:R.attribute(${temporary},${literal(name)}))`;
}

/**
 * Variables that an arrow function assigns to are local: they start with the outer variable's value, which does not
 * change, as in PHP.
 */
function generateArrow(expression: Expression & { type: 'arrow' }, scope: CodeScope): string {
  const locals = new Map(expression.parameters.map((name) => [name, newName(scope, 'a')]));
  const parameters = [...new Set(locals.values())].join(',');
  const assigned = [...findNamesAssignedIn([expression.body])].filter((name) => !locals.has(name));
  const copies = assigned.map((name) => ({ name, outer: generateName(name, scope), local: newName(scope, 'a') }));
  for (const { name, local } of copies) locals.set(name, local);
  scope.locals.push(locals);
  const body = generateExpression(expression.body, scope);
  scope.locals.pop();
  if (copies.length === 0) return `R.arrow((${parameters})=>${body})`;
  const declared = copies.map(({ local, outer }) => `${local}=${outer}`).join(',');
  return `R.arrow((${parameters})=>{let ${declared};return ${body};})`;
}

/** Returns JavaScript that renders a block or tests whether it exists. */
export function generateBlockCall(
  expression: Expression & { type: 'block' },
  scope: CodeScope,
  what: 'callBlock' | 'hasBlock',
): string {
  const name = generateExpression(expression.name, scope);
  const template = expression.template ? `R.load(T,${generateExpression(expression.template, scope)},rt)` : 'null';
  return `(p=${packPosition(expression.line, expression.column)},R.${what}(T,${template},${name},${scope.context},b,rt))`;
}
