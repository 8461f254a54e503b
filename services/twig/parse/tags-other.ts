import type { Statement } from './ast.ts';
import { parseArguments } from './parse-arguments.ts';
import type { ParseContext } from './parse-context.ts';
import { at } from './parse-expression.ts';
import { parseEnclosed } from './tags-flow.ts';
import type { Token } from './tokens.ts';

/** `{% flush %}`: no effect, because a page is rendered as a whole. */
export function parseFlush(context: ParseContext): null {
  context.stream.expect('tag-end');
  return null;
}

/**
 * `{% deprecated 'why' %}`: no effect, because a build has no reader for the notice; its expression must still parse.
 */
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

/** `{% sandbox %}{% include … %}{% endsandbox %}`: every template runs in the sandbox, so the body is unchanged. */
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

/**
 * `{% guard filter name %}…{% else %}…{% endguard %}`: evaluated by the parser; the discarded branch may use unknown
 * names.
 */
export function parseGuard(context: ParseContext, name: Token): Statement {
  const { stream } = context;
  const { vocabulary } = context;
  const kind = stream.expect('name');
  const words = [stream.expect('name').value];
  while (stream.test('name')) words.push(stream.next().value);
  stream.expect('tag-end');
  const target = words.join(' ');
  const known =
    kind.value === 'filter'
      ? vocabulary.hasFilter(target)
      : kind.value === 'function'
        ? vocabulary.hasFunction(target)
        : kind.value === 'test'
          ? vocabulary.hasTest(target)
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
