import type { Expression, SetTarget } from '../parse/ast.ts';
import { generateExpression } from './expressions.ts';
import { type CodeScope, findLocal, literal, newName, slot } from './scope.ts';

/**
 * Returns the JavaScript target of a variable: a local of an enclosing arrow function, otherwise a slot of the context.
 */
function placeOf(name: string, scope: CodeScope): string {
  return findLocal(name, scope) ?? slot(scope.context, name);
}

/** Returns JavaScript statements that assign a value, given as the name of a JavaScript variable, to a target. */
export function writeTarget(target: SetTarget, value: string, scope: CodeScope): string {
  if (target.kind === 'name') return `${placeOf(target.name, scope)}=${value};`;
  const parts: { name: string | null; key: string }[] =
    target.kind === 'list'
      ? target.names.map((name, place) => ({ name, key: String(place) }))
      : target.entries.map(({ name, key }) => ({ name, key: literal(key) }));
  return parts
    .filter(({ name }) => name !== null)
    .map(({ name, key }) => `${placeOf(name!, scope)}=R.attribute(${value},${key})??null;`)
    .join('');
}

/**
 * Returns JavaScript for an assignment within an expression: its value is the whole right side (reference:
 * Destructuring).
 */
export function generateAssign(expression: Expression & { type: 'assign' }, scope: CodeScope): string {
  const { target } = expression;
  const value = generateExpression(expression.value, scope);
  if (target.kind === 'name') return `(${placeOf(target.name, scope)}=${value}??null)`;
  const whole = newName(scope, 'v');
  return `R.assign(${value}??null,${whole}=>{${writeTarget(target, whole, scope)}})`;
}
