import type { Argument, At, Expression, IfBranch, Statement } from './ast.ts';
import { parseArguments } from './parse-arguments.ts';
import { type ParseContext, suggestName } from './parse-context.ts';
import { at } from './parse-expression.ts';
import { parseTargetName } from './parse-target.ts';
import type { Token } from './tokens.ts';

/** Parses up to and including `end…`; returns the statements before that tag. */
export function parseEnclosed(context: ParseContext, tag: string): Statement[] {
  const body = context.parseBody(tag, [`end${tag}`]);
  context.stream.next();
  context.stream.expect('tag-end');
  return body;
}

/** `{% if %}…{% elseif %}…{% else %}…{% endif %}` */
export function parseIf(context: ParseContext, name: Token): Statement {
  const { stream } = context;
  const branches: IfBranch[] = [];
  let otherwise: Statement[] | null = null;
  const parseBranch = () => {
    const test = context.parseExpression();
    stream.expect('tag-end');
    branches.push({ test, body: context.parseBody('if', ['elseif', 'else', 'endif']) });
  };
  parseBranch();
  while (stream.nextIf('name', 'elseif')) parseBranch();
  if (stream.nextIf('name', 'else')) {
    stream.expect('tag-end');
    otherwise = context.parseBody('if', ['endif']);
  }
  stream.expect('name', 'endif');
  stream.expect('tag-end');
  return { type: 'if', branches, otherwise, ...at(name) };
}

/** `{% for value in sequence %}…{% else %}…{% endfor %}`, also with a key */
export function parseFor(context: ParseContext, name: Token): Statement {
  const { stream } = context;
  const first = parseTargetName(context);
  const second = stream.nextIf('punctuation', ',') ? parseTargetName(context) : null;
  stream.expect('operator', 'in');
  const sequence = context.parseExpression();
  stream.expect('tag-end');
  const body = context.parseBody('for', ['else', 'endfor']);
  let otherwise: Statement[] | null = null;
  if (stream.nextIf('name', 'else')) {
    stream.expect('tag-end');
    otherwise = context.parseBody('for', ['endfor']);
  }
  stream.expect('name', 'endfor');
  stream.expect('tag-end');
  const key = second === null ? null : first;
  return { type: 'for', key, value: second ?? first, sequence, body, otherwise, ...at(name) };
}

/** `{% with {…} only %}…{% endwith %}` */
export function parseWith(context: ParseContext, name: Token): Statement {
  const { stream } = context;
  let variables: Expression | null = null;
  let only = false;
  if (!stream.test('tag-end')) {
    only = stream.nextIf('name', 'only') !== null;
    if (!only) variables = context.parseExpression();
    only ||= stream.nextIf('name', 'only') !== null;
  }
  stream.expect('tag-end');
  return { type: 'with', variables, only, body: parseEnclosed(context, 'with'), ...at(name) };
}

/** `{% apply filter|filter %}…{% endapply %}` */
export function parseApply(context: ParseContext, name: Token): Statement {
  const { stream, vocabulary } = context;
  const filters: { name: string; args: Argument[]; at: At }[] = [];
  do {
    const token = stream.expect('name');
    if (!vocabulary.hasFilter(token.value)) {
      stream.fail(`Unknown "${token.value}" filter.${suggestName(token.value, vocabulary.filterNames())}`, token);
    }
    filters.push({
      name: token.value,
      args: stream.test('punctuation', '(') ? parseArguments(context) : [],
      at: at(token),
    });
  } while (stream.nextIf('punctuation', '|'));
  stream.expect('tag-end');
  return { type: 'apply', filters, body: parseEnclosed(context, 'apply'), ...at(name) };
}

/** `{% autoescape 'html' %}…{% endautoescape %}` */
export function parseAutoescape(context: ParseContext, name: Token): Statement {
  const { stream } = context;
  let strategy: string | false = 'html';
  if (!stream.test('tag-end')) {
    const expression = context.parseExpression();
    const value = expression.type === 'constant' ? expression.value : null;
    if (typeof value !== 'string' && value !== false)
      stream.fail('An escaping strategy must be a string or false.', expression);
    strategy = value as string | false;
  }
  stream.expect('tag-end');
  return { type: 'autoescape', strategy, body: parseEnclosed(context, 'autoescape'), ...at(name) };
}

/** `{% do expression %}` */
export function parseDo(context: ParseContext, name: Token): Statement {
  const expression = context.parseExpression();
  context.stream.expect('tag-end');
  return { type: 'do', expression, ...at(name) };
}
