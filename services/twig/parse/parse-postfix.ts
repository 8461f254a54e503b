import type { Expression, MacroSource } from './ast.ts';
import { parseArguments } from './parse-arguments.ts';
import { findImportedTemplate, type ParseContext, suggestName } from './parse-context.ts';
import { at, parseExpression, wordPattern } from './parse-expression.ts';
import { describeToken, type Token } from './tokens.ts';

/** Parses the postfixes of a value: `.name`, `[key]`, `[from:length]` and `|filter`. */
export function parsePostfix(context: ParseContext, node: Expression): Expression {
  const { stream } = context;
  for (;;) {
    const token = stream.current();
    if (token.kind === 'operator' && token.value === '?.') node = parseDot(context, node, true);
    else if (token.kind !== 'punctuation') return node;
    else if (token.value === '.') node = parseDot(context, node, false);
    else if (token.value === '[') node = parseBracket(context, node);
    else if (token.value === '|') {
      stream.next();
      node = parseFilter(context, node);
    } else return node;
  }
}

function parseDot(context: ParseContext, target: Expression, nullSafe: boolean): Expression {
  const { stream } = context;
  const dot = stream.next();
  if (stream.nextIf('punctuation', '(')) {
    const key = parseExpression(context);
    stream.expect('punctuation', ')');
    return buildDynamic(context, target, key, nullSafe, dot);
  }
  const token = stream.next();
  const isWord = token.kind === 'operator' && wordPattern.test(token.value);
  if (token.kind !== 'name' && token.kind !== 'number' && !isWord) {
    stream.fail(`Expected a name or a number after the dot, got ${describeToken(token)}.`, token);
  }
  const key: Expression = { type: 'constant', value: token.value, ...at(token) };
  const source = findSource(context, target);
  if (stream.test('punctuation', '(')) {
    const args = parseArguments(context);
    if (source) return { type: 'macro', source, name: token.value, args, ...at(token) };
    return { type: 'attribute', target, key, access: 'method', nullSafe, args, ...at(token) };
  }
  if (source) return { type: 'macro', source, name: token.value, args: [], ...at(token) };
  return splitNumberKey(target, key, token, nullSafe);
}

function findSource(context: ParseContext, target: Expression): MacroSource | null {
  return target.type === 'name' ? findImportedTemplate(context.scope, target.name) : null;
}

/** Builds `a.(name)`, or a call of the macro of that name if `a` was imported (reference: `macro`, dynamic names). */
function buildDynamic(
  context: ParseContext,
  target: Expression,
  key: Expression,
  nullSafe: boolean,
  dot: Token,
): Expression {
  const source = findSource(context, target);
  const hasArguments = context.stream.test('punctuation', '(');
  const args = hasArguments ? parseArguments(context) : [];
  if (source) return { type: 'macro', source, name: key, args, ...at(dot) };
  return { type: 'attribute', target, key, access: hasArguments ? 'method' : 'dot', nullSafe, args, ...at(dot) };
}

/** Splits the number in `a.0.1`, which is tokenized as `a`, `.`, `0.1`, into two keys. */
function splitNumberKey(target: Expression, key: Expression, token: Token, nullSafe: boolean): Expression {
  if (token.kind !== 'number' || !token.value.includes('.')) {
    return { type: 'attribute', target, key, access: 'dot', nullSafe, ...at(token) };
  }
  return token.value.split('.').reduce<Expression>(
    (inner, part) => ({
      type: 'attribute',
      target: inner,
      key: { type: 'constant', value: part, ...at(token) },
      access: 'dot',
      nullSafe,
      ...at(token),
    }),
    target,
  );
}

function parseBracket(context: ParseContext, target: Expression): Expression {
  const { stream } = context;
  const open = stream.next();
  const zero: Expression = { type: 'constant', value: 0, ...at(open) };
  const key = stream.test('punctuation', ':') ? zero : parseExpression(context);
  if (!stream.nextIf('punctuation', ':')) {
    stream.expect('punctuation', ']');
    return { type: 'attribute', target, key, access: 'bracket', nullSafe: false, ...at(open) };
  }
  const rest: Expression = { type: 'constant', value: null, ...at(open) };
  const length = stream.test('punctuation', ']') ? rest : parseExpression(context);
  stream.expect('punctuation', ']');
  const args = [key, length].map((value) => ({ name: null, spread: false, value }));
  return { type: 'filter', name: 'slice', operand: target, args, ...at(open) };
}

/** Parses a filter's name and arguments, after its `|`. */
function parseFilter(context: ParseContext, operand: Expression): Expression {
  const { stream, vocabulary } = context;
  const token = stream.expect('name');
  const args = stream.test('punctuation', '(') ? parseArguments(context) : [];
  if (!vocabulary.hasFilter(token.value)) {
    stream.fail(`Unknown "${token.value}" filter.${suggestName(token.value, vocabulary.filterNames())}`, token);
  }
  return { type: 'filter', name: token.value, operand, args, ...at(token) };
}
