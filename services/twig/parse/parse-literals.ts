import type { ArrayItem, Expression, HashItem } from './ast.ts';
import type { ParseContext } from './parse-context.ts';
import { at, parseExpression, wordPattern } from './parse-expression.ts';
import { describeToken } from './tokens.ts';

/** Parses `[…]`. */
export function parseArray(context: ParseContext): Expression {
  const { stream } = context;
  const open = stream.expect('punctuation', '[');
  const items: ArrayItem[] = [];
  while (!stream.test('punctuation', ']')) {
    if (items.length > 0) {
      stream.expect('punctuation', ',', 'An array element must be followed by a comma.');
      if (stream.test('punctuation', ']')) break;
    }
    items.push({ spread: stream.nextIf('spread') !== null, value: parseExpression(context) });
  }
  stream.expect('punctuation', ']', 'An opened array is not properly closed.');
  return { type: 'array', items, ...at(open) };
}

/** Parses `{…}`: keys are names, strings, numbers or expressions in parentheses; `{a}` is short for `{a: a}`. */
export function parseHash(context: ParseContext): Expression {
  const { stream } = context;
  const open = stream.expect('punctuation', '{');
  const items: HashItem[] = [];
  while (!stream.test('punctuation', '}')) {
    if (items.length > 0) {
      stream.expect('punctuation', ',', 'A hash value must be followed by a comma.');
      if (stream.test('punctuation', '}')) break;
    }
    items.push(parseHashItem(context));
  }
  stream.expect('punctuation', '}', 'An opened hash is not properly closed.');
  return { type: 'hash', items, ...at(open) };
}

function parseHashItem(context: ParseContext): HashItem {
  const { stream } = context;
  if (stream.nextIf('spread')) return { spread: true, key: null, value: parseExpression(context) };
  const token = stream.current();
  let key: Expression;
  if (token.kind === 'name' || (token.kind === 'operator' && wordPattern.test(token.value))) {
    stream.next();
    key = { type: 'constant', value: token.value, ...at(token) };
    if (stream.test('punctuation', ',') || stream.test('punctuation', '}')) {
      return { spread: false, key, value: { type: 'name', name: token.value, ...at(token) } };
    }
  } else if (token.kind === 'string') {
    stream.next();
    key = { type: 'constant', value: token.value, ...at(token) };
  } else if (token.kind === 'number') {
    stream.next();
    key = { type: 'constant', value: Number(token.value.replaceAll('_', '')), ...at(token) };
  } else if (stream.nextIf('punctuation', '(')) {
    key = parseExpression(context);
    stream.expect('punctuation', ')');
  } else {
    const allowed = 'a quoted string, a number, a name, or an expression enclosed in parentheses';
    return stream.fail(`A hash key must be ${allowed}, not ${describeToken(token)}.`);
  }
  stream.expect('punctuation', ':', 'A hash key must be followed by a colon (:).');
  return { spread: false, key, value: parseExpression(context) };
}
