import type { Statement } from './ast.ts';
import type { ParseContext } from './parse-context.ts';
import { at } from './parse-expression.ts';
import { parseTarget } from './parse-target.ts';
import { parseEnclosed } from './tags-flow.ts';
import type { Token } from './tokens.ts';

/** `{% set a = 1 %}`, `{% set a, b = 1, 2 %}`, `{% set [a, b] = list %}`, `{% set a %}…{% endset %}` */
export function parseSet(context: ParseContext, name: Token): Statement {
  const { stream } = context;
  const targets = [parseTarget(context)];
  while (stream.nextIf('punctuation', ',')) targets.push(parseTarget(context));
  if (stream.nextIf('operator', '=')) {
    const values = [context.parseExpression()];
    while (stream.nextIf('punctuation', ',')) values.push(context.parseExpression());
    stream.expect('tag-end');
    if (values.length !== targets.length) {
      stream.fail('When using set, you must have the same number of variables and assignments.', name);
    }
    return { type: 'set', targets, values, ...at(name) };
  }
  const only = targets[0]!;
  if (targets.length > 1 || only.kind !== 'name') {
    stream.fail('When using set with a block, you cannot have a multi-target.', name);
  }
  stream.expect('tag-end');
  return { type: 'capture', name: (only as { name: string }).name, body: parseEnclosed(context, 'set'), ...at(name) };
}
