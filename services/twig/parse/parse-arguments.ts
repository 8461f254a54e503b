import type { Argument } from './ast.ts';
import type { ParseContext } from './parse-context.ts';
import { parseExpression, wordPattern } from './parse-expression.ts';
import type { Token } from './tokens.ts';

/**
 * Parses `(…)`: positional, named (`name = value` or `name: value`) and spread arguments, with an optional trailing
 * comma.
 */
export function parseArguments(context: ParseContext): Argument[] {
  const { stream } = context;
  const args: Argument[] = [];
  stream.expect('punctuation', '(');
  while (!stream.test('punctuation', ')')) {
    if (args.length > 0) {
      stream.expect('punctuation', ',', 'Arguments must be separated by a comma.');
      if (stream.test('punctuation', ')')) break;
    }
    args.push(parseArgument(context, args));
  }
  stream.expect('punctuation', ')', 'A list of arguments must be closed by a parenthesis.');
  return args;
}

function parseArgument(context: ParseContext, earlier: Argument[]): Argument {
  const { stream } = context;
  if (stream.nextIf('spread')) return { name: null, spread: true, value: parseExpression(context) };
  const start = stream.current();
  // In an argument list, `a = 1` is a named argument; an assignment needs parentheses there.
  if (start.kind !== 'string' && wordPattern.test(start.value) && startsNamed(stream.look(1))) {
    stream.next();
    stream.next();
    return { name: start.value, spread: false, value: parseExpression(context) };
  }
  const value = parseExpression(context);
  if (startsNamed(stream.current())) stream.fail('A parameter name must be a plain name.', start);
  if (earlier.some((argument) => argument.name !== null)) {
    stream.fail('Positional arguments cannot be used after named arguments.', start);
  }
  return { name: null, spread: false, value };
}

function startsNamed({ kind, value }: Token): boolean {
  return (kind === 'operator' && value === '=') || (kind === 'punctuation' && value === ':');
}
