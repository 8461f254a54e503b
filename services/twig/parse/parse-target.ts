import type { Expression, SetTarget } from './ast.ts';
import { unaryOperators } from './operators.ts';
import type { ParseContext } from './parse-context.ts';
import { at, parseExpression, wordPattern } from './parse-expression.ts';
import type { TokenStream } from './token-stream.ts';
import type { Token } from './tokens.ts';

const reserved = new Set(['true', 'false', 'none', 'null', '_self']);

/** Parses a variable that a template may assign to. */
export function parseTargetName(context: ParseContext): string {
  const { stream } = context;
  const token = stream.current();
  if (isWordOperator(token)) stream.next();
  else stream.expect('name', undefined, 'Only variables can be assigned to.');
  if (reserved.has(token.value.toLowerCase())) stream.fail(`You cannot assign a value to "${token.value}".`, token);
  return token.value;
}

/** Returns whether a token is an operator that is a name where a variable is expected: `in`, `matches`. */
function isWordOperator(token: Token): boolean {
  return token.kind === 'operator' && wordPattern.test(token.value);
}

/** Parses the left side of `=`: a name, `[a, , b]` or `{a, b: c}` (reference: Templates, Destructuring). */
export function parseTarget(context: ParseContext): SetTarget {
  const { stream } = context;
  if (stream.nextIf('punctuation', '[')) {
    const names: (string | null)[] = [];
    while (!stream.test('punctuation', ']')) {
      names.push(stream.test('punctuation', ',') ? null : parseTargetName(context));
      if (!stream.nextIf('punctuation', ',')) break;
    }
    stream.expect('punctuation', ']');
    return { kind: 'list', names };
  }
  if (!stream.nextIf('punctuation', '{')) return { kind: 'name', name: parseTargetName(context) };
  const entries: { key: string; name: string }[] = [];
  while (!stream.test('punctuation', '}')) {
    const key = stream.nextIf('string')?.value ?? null;
    if (key !== null) stream.expect('punctuation', ':');
    const name = parseTargetName(context);
    const isRenamed = key === null && stream.nextIf('punctuation', ':') !== null;
    entries.push({ key: key ?? name, name: isRenamed ? parseTargetName(context) : name });
    if (!stream.nextIf('punctuation', ',')) break;
  }
  stream.expect('punctuation', '}');
  return { kind: 'hash', entries };
}

/**
 * Parses an assignment within an expression (reference: Templates, `=`); returns null when the next tokens are not one.
 */
export function parseAssignment(context: ParseContext): Expression | null {
  const { stream } = context;
  if (!startsAssignment(stream)) return null;
  const start = stream.current();
  const target = parseTarget(context);
  stream.expect('operator', '=');
  return { type: 'assign', target, value: parseExpression(context), ...at(start) };
}

const isEquals = (token: Token) => token.kind === 'operator' && token.value === '=';

/** Looks ahead over names and punctuation only, so that nested brackets are not read repeatedly. */
function startsAssignment(stream: TokenStream): boolean {
  const first = stream.current();
  if (first.kind === 'name' || (isWordOperator(first) && !unaryOperators.has(first.value))) {
    return isEquals(stream.look(1));
  }
  if (first.kind !== 'punctuation' || (first.value !== '[' && first.value !== '{')) return false;
  let ahead = 1;
  while (isPartOfTarget(stream.look(ahead))) ahead++;
  const close = stream.look(ahead);
  const isClosed = close.kind === 'punctuation' && close.value === (first.value === '[' ? ']' : '}');
  return isClosed && isEquals(stream.look(ahead + 1));
}

function isPartOfTarget(token: Token): boolean {
  if (token.kind === 'punctuation') return token.value === ',' || token.value === ':';
  return token.kind === 'name' || token.kind === 'string' || isWordOperator(token);
}
