import type { At, Expression } from './ast.ts';
import { binaryOperators, unaryOperators } from './operators.ts';
import type { ParseContext } from './parse-context.ts';
import { parseFunction } from './parse-function.ts';
import { parseArray, parseHash } from './parse-literals.ts';
import { parsePostfix } from './parse-postfix.ts';
import { parseAssignment } from './parse-target.ts';
import { parseTest } from './parse-test.ts';
import { describeToken, type Token } from './tokens.ts';

/** Words that may follow a dot or name a variable, although some are also operators (`a.in`, `matches`). */
export const wordPattern = /^[A-Za-z_\u007f-\u{10ffff}][A-Za-z0-9_\u007f-\u{10ffff}]*$/u;

/** Returns the position of a token, to spread into a node. */
export const at = (token: At): At => ({ line: token.line, column: token.column });

/** Parses an expression by operator precedence; assignments, the ternary and `?:` have the lowest. */
export function parseExpression(context: ParseContext, precedence = 0): Expression {
  const whole = parseArrow(context) ?? (precedence === 0 ? parseAssignment(context) : null);
  if (whole) return whole;
  const { stream } = context;
  let left = parseUnary(context);
  for (;;) {
    const token = stream.current();
    const rule = token.kind === 'operator' ? binaryOperators.get(token.value) : undefined;
    if (!rule || rule.precedence < precedence) break;
    stream.next();
    if (token.value === 'is' || token.value === 'is not') left = parseTest(context, left, token);
    else {
      const right = parseExpression(context, rule.rightAssociative ? rule.precedence : rule.precedence + 1);
      left = buildBinary(token, left, right);
    }
  }
  return precedence === 0 ? parseConditional(context, left) : left;
}

/** Builds a binary expression. `-2 ** 2` is `-(2 ** 2)`, as in PHP, unless the negative number is in parentheses. */
function buildBinary(token: Token, left: Expression, right: Expression): Expression {
  if (token.value === '**' && left.type === 'unary' && left.operator !== 'not' && !left.enclosed) {
    const operand: Expression = { type: 'binary', operator: '**', left: left.operand, right, ...at(token) };
    return { ...left, operand };
  }
  return { type: 'binary', operator: token.value, left, right, ...at(token) };
}

function parseConditional(context: ParseContext, test: Expression): Expression {
  const { stream } = context;
  let result = test;
  for (let token = stream.nextIf('punctuation', '?'); token; token = stream.nextIf('punctuation', '?')) {
    if (stream.nextIf('punctuation', ':')) {
      result = { type: 'conditional', test: result, whenTrue: null, whenFalse: parseExpression(context), ...at(token) };
      continue;
    }
    const whenTrue = parseExpression(context);
    const nothing: Expression = { type: 'constant', value: '', ...at(stream.current()) };
    const whenFalse = stream.nextIf('punctuation', ':') ? parseExpression(context) : nothing;
    result = { type: 'conditional', test: result, whenTrue, whenFalse, ...at(token) };
  }
  return result;
}

function parseArrow(context: ParseContext): Expression | null {
  const { stream } = context;
  const first = stream.current();
  if (first.kind === 'name' && stream.look(1).kind === 'arrow') {
    stream.next();
    stream.next();
    return { type: 'arrow', parameters: [first.value], body: parseExpression(context), ...at(first) };
  }
  if (!stream.test('punctuation', '(')) return null;
  let ahead = 1;
  while (stream.look(ahead).kind === 'name' && stream.look(ahead + 1).value === ',') ahead += 2;
  if (stream.look(ahead).kind === 'name') ahead++;
  if (stream.look(ahead).value !== ')' || stream.look(ahead + 1).kind !== 'arrow') return null;
  stream.next();
  const parameters: string[] = [];
  while (!stream.test('punctuation', ')')) {
    parameters.push(stream.expect('name').value);
    if (!stream.nextIf('punctuation', ',')) break;
  }
  stream.expect('punctuation', ')');
  stream.expect('arrow');
  return { type: 'arrow', parameters, body: parseExpression(context), ...at(first) };
}

function parseUnary(context: ParseContext): Expression {
  const { stream } = context;
  const token = stream.current();
  const rule = token.kind === 'operator' ? unaryOperators.get(token.value) : undefined;
  if (rule) {
    stream.next();
    const operand = parseExpression(context, rule.precedence);
    return parsePostfix(context, { type: 'unary', operator: token.value, operand, ...at(token) });
  }
  if (stream.nextIf('punctuation', '(')) {
    const inner = parseExpression(context);
    stream.expect('punctuation', ')', 'An opened parenthesis is not properly closed.');
    if (inner.type === 'unary') inner.enclosed = true;
    return parsePostfix(context, inner);
  }
  return parsePrimary(context);
}

/** Parses a literal, a variable or a call, with its postfixes: `.x`, `[x]`, `|filter`. */
export function parsePrimary(context: ParseContext): Expression {
  return parsePostfix(context, parseAtom(context));
}

const constants = new Map<string, boolean | null>([
  ...['true', 'TRUE'].map((word): [string, boolean] => [word, true]),
  ...['false', 'FALSE'].map((word): [string, boolean] => [word, false]),
  ...['none', 'NONE', 'null', 'NULL'].map((word): [string, null] => [word, null]),
]);

function parseAtom(context: ParseContext): Expression {
  const { stream } = context;
  const token = stream.current();
  if (token.kind === 'name') {
    stream.next();
    const constant = constants.get(token.value);
    if (constant !== undefined) return { type: 'constant', value: constant, ...at(token) };
    if (stream.test('punctuation', '(')) return parseFunction(context, token);
    return { type: 'name', name: token.value, ...at(token) };
  }
  if (token.kind === 'number') {
    stream.next();
    return { type: 'constant', value: Number(token.value.replaceAll('_', '')), ...at(token) };
  }
  if (token.kind === 'string' || token.kind === 'interpolation-start') return parseString(context);
  if (token.kind === 'operator' && wordPattern.test(token.value)) {
    stream.next();
    return { type: 'name', name: token.value, ...at(token) };
  }
  if (stream.test('punctuation', '[')) return parseArray(context);
  if (stream.test('punctuation', '{')) return parseHash(context);
  return stream.fail(`Unexpected ${describeToken(token)}.`);
}

/** Parses a string, which may have several pieces around `#{…}`; two adjacent strings are not one. */
function parseString(context: ParseContext): Expression {
  const { stream } = context;
  let result: Expression | null = null;
  let pieceAllowed = true;
  for (;;) {
    const token = stream.current();
    let piece: Expression;
    if (pieceAllowed && token.kind === 'string') {
      stream.next();
      piece = { type: 'constant', value: token.value, ...at(token) };
      pieceAllowed = false;
    } else if (token.kind === 'interpolation-start') {
      stream.next();
      piece = parseExpression(context);
      stream.expect('interpolation-end');
      pieceAllowed = true;
    } else break;
    result = result ? { type: 'binary', operator: '~', left: result, right: piece, ...at(token) } : piece;
  }
  return result!;
}
