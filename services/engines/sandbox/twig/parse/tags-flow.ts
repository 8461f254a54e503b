import type { Argument, At, Expression, IfBranch, SetTarget, Statement } from './ast.ts';
import { parseArguments } from './parse-arguments.ts';
import { type ParseContext, suggestName } from './parse-context.ts';
import { at, wordPattern } from './parse-expression.ts';
import type { Token } from './tokens.ts';

const reserved = new Set(['true', 'false', 'none', 'null', '_self']);

/** Takes a variable that a tag may assign to. */
export function parseTargetName(context: ParseContext): string {
  const { stream } = context;
  const token = stream.current();
  const isWord = token.kind === 'operator' && wordPattern.test(token.value);
  if (isWord) stream.next();
  else stream.expect('name', undefined, 'Only variables can be assigned to.');
  if (reserved.has(token.value.toLowerCase())) stream.fail(`You cannot assign a value to "${token.value}".`, token);
  return token.value;
}

/** Parses up to `end…`, takes that tag whole and returns what stood before it. */
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

function parseTarget(context: ParseContext): SetTarget {
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
    const key = stream.expect('name').value;
    entries.push({ key, name: stream.nextIf('punctuation', ':') ? parseTargetName(context) : key });
    if (!stream.nextIf('punctuation', ',')) break;
  }
  stream.expect('punctuation', '}');
  return { kind: 'hash', entries };
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

/** `{% flush %}`: there is nothing to flush when a page is rendered whole. */
export function parseFlush(context: ParseContext): null {
  context.stream.expect('tag-end');
  return null;
}

/** `{% deprecated 'why' %}`: the notice has no reader in a build; its expression must still parse. */
export function parseDeprecated(context: ParseContext): null {
  context.parseExpression();
  while (context.stream.nextIf('name')) {
    context.stream.expect('operator', '=');
    context.parseExpression();
  }
  context.stream.expect('tag-end');
  return null;
}

/** `{% types {name: 'type'} %}`: a declaration for tools, without effect. */
export function parseTypes(context: ParseContext): null {
  const { stream } = context;
  const braces = stream.nextIf('punctuation', '{') !== null;
  while (!stream.test('tag-end') && !stream.test('punctuation', '}')) {
    stream.expect('name');
    stream.nextIf('punctuation', '?');
    stream.expect('punctuation', ':');
    stream.expect('string');
    if (!stream.nextIf('punctuation', ',')) break;
  }
  if (braces) stream.expect('punctuation', '}');
  stream.expect('tag-end');
  return null;
}

/** `{% sandbox %}{% include … %}{% endsandbox %}`: every template runs in the sandbox, so the body is left as it is. */
export function parseSandbox(context: ParseContext, name: Token): Statement {
  const { stream } = context;
  stream.expect('tag-end');
  const body = parseEnclosed(context, 'sandbox');
  const other = body.find((inner) => inner.type !== 'include' && !(inner.type === 'text' && inner.text.trim() === ''));
  if (other) stream.fail('Only "include" tags are allowed within a "sandbox" section.', other);
  return { type: 'group', body, ...at(name) };
}

/** `{% cache key ttl(300) %}…{% endcache %}`: pages are rendered once per build, so the body is always rendered. */
export function parseCache(context: ParseContext, name: Token): Statement {
  const { stream } = context;
  context.parseExpression();
  while (stream.test('name')) {
    const option = stream.next();
    if (option.value !== 'ttl' && option.value !== 'tags')
      stream.fail(`Unknown "${option.value}" configuration.`, option);
    parseArguments(context);
  }
  stream.expect('tag-end');
  return { type: 'group', body: parseEnclosed(context, 'cache'), ...at(name) };
}

/** `{% guard filter name %}…{% else %}…{% endguard %}`: decided while parsing; the part not taken may use unknown names. */
export function parseGuard(context: ParseContext, name: Token): Statement {
  const { stream } = context;
  const { vocabulary } = context;
  const kind = stream.expect('name');
  const words = [stream.expect('name').value];
  while (stream.test('name')) words.push(stream.next().value);
  stream.expect('tag-end');
  const wanted = words.join(' ');
  const known =
    kind.value === 'filter'
      ? vocabulary.hasFilter(wanted)
      : kind.value === 'function'
        ? vocabulary.hasFunction(wanted)
        : kind.value === 'test'
          ? vocabulary.hasTest(wanted)
          : stream.fail(`Supported guard types are function, filter and test, "${kind.value}" given.`, kind);
  const body = parseGuarded(context, known, ['else', 'endguard']);
  let otherwise: Statement[] = [];
  if (stream.nextIf('name', 'else')) {
    stream.expect('tag-end');
    otherwise = parseGuarded(context, !known, ['endguard']);
  }
  stream.expect('name', 'endguard');
  stream.expect('tag-end');
  return { type: 'group', body: known ? body : otherwise, ...at(name) };
}

function parseGuarded(context: ParseContext, taken: boolean, ends: string[]): Statement[] {
  const real = context.vocabulary;
  const lenient = { ...real, hasFilter: () => true, hasFunction: () => true, hasTest: () => true };
  if (!taken) context.vocabulary = lenient;
  const body = context.parseBody('guard', ends);
  context.vocabulary = real;
  return body;
}
