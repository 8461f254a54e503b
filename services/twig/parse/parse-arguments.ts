import type { Argument } from './ast.ts';
import type { ParseContext } from './parse-context.ts';
import { parseExpression } from './parse-expression.ts';

/** Parses `(…)`: positional, named (`name = value` or `name: value`) and spread arguments, a trailing comma allowed. */
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
  const value = parseExpression(context);
  if (!stream.nextIf('operator', '=') && !stream.nextIf('punctuation', ':')) {
    if (earlier.some((argument) => argument.name !== null)) {
      stream.fail('Positional arguments cannot be used after named arguments.', start);
    }
    return { name: null, spread: false, value };
  }
  if (value.type !== 'name') return stream.fail('A parameter name must be a plain name.', start);
  return { name: value.name, spread: false, value: parseExpression(context) };
}
