import type { Expression } from './ast.ts';
import { parseArguments } from './parse-arguments.ts';
import { findImportedMacro, type ParseContext, suggestName } from './parse-context.ts';
import { at, parsePrimary } from './parse-expression.ts';
import type { Token } from './tokens.ts';

/** Parses a test, after `is` or `is not`. */
export function parseTest(context: ParseContext, operand: Expression, operator: Token): Expression {
  const { stream } = context;
  const token = stream.current();
  const name = parseTestName(context);
  let args = stream.test('punctuation', '(') ? parseArguments(context) : [];
  if (args.length === 0 && (name === 'same as' || name === 'divisible by')) {
    args = [{ name: null, spread: false, value: parsePrimary(context) }];
  }
  const macro = name === 'defined' && operand.type === 'name' ? findImportedMacro(context.scope, operand.name) : null;
  if (macro) operand = { type: 'macro', source: macro.source, name: macro.name, args: [], ...at(operand) };
  const test: Expression = { type: 'test', name, operand, args, ...at(token) };
  return operator.value === 'is not' ? { type: 'unary', operator: 'not', operand: test, ...at(operator) } : test;
}

function parseTestName(context: ParseContext): string {
  const { stream, vocabulary } = context;
  const token = stream.expect('name');
  if (stream.test('name')) {
    const two = `${token.value} ${stream.current().value}`;
    if (vocabulary.hasTest(two)) {
      stream.next();
      return two;
    }
  }
  if (vocabulary.hasTest(token.value)) return token.value;
  return stream.fail(`Unknown "${token.value}" test.${suggestName(token.value, vocabulary.testNames())}`, token);
}
