import { TwigError } from '../errors.ts';
import type { Expression, Statement, TemplateNode } from './ast.ts';
import { checkChildBody } from './child-body.ts';
import { tokenize } from './lexer.ts';
import {
  createTemplateScope,
  type ParseContext,
  suggestName,
  type TemplateScope,
  type Vocabulary,
} from './parse-context.ts';
import { at, parseExpression } from './parse-expression.ts';
import { tagParsers } from './parse-tags.ts';
import { createTokenStream } from './token-stream.ts';

/**
 * Parses a Twig template from its text, its name for error messages and the names the environment knows. Throws a
 * `TwigError` of kind `syntax` with line and column, or of kind `limit` when it nests too deeply.
 */
export function parseTemplate(source: string, template: string, vocabulary: Vocabulary): TemplateNode {
  try {
    const context = createContext(source, template, vocabulary);
    return parseWhole(context, context.scope, null);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TwigError('limit', 'The template nests too deeply.', { template, line: 1, column: 1 });
  }
}

function createContext(source: string, template: string, vocabulary: Vocabulary): ParseContext {
  let variables = 0;
  const context: ParseContext = {
    stream: createTokenStream(tokenize(source, template), template),
    vocabulary,
    tagLines: [],
    scope: createTemplateScope(),
    parseExpression: () => parseExpression(context),
    parseBody: (tag, ends) => parseBody(context, tag, ends),
    nextVariable: () => `#${++variables}`,
    parseEmbedded: (parent) => parseEmbedded(context, parent),
  };
  return context;
}

function parseWhole(context: ParseContext, scope: TemplateScope, end: string | null): TemplateNode {
  const start = at(context.stream.current());
  const statements = parseBody(context, end, end === null ? [] : [end]);
  const body = scope.parent ? checkChildBody(statements, context.stream) : statements;
  const { parent, blocks, macros, traits, embedded } = scope;
  return { parent, body, blocks, macros, traits, embedded, ...start };
}

/** Parses the body of an `embed` tag: a separate template that extends the one named by the tag. */
function parseEmbedded(context: ParseContext, parent: Expression): TemplateNode {
  const outer = context.scope;
  context.scope = createTemplateScope();
  context.scope.parent = parent;
  const node = parseWhole(context, context.scope, 'endembed');
  context.scope = outer;
  return node;
}

function parseBody(context: ParseContext, tag: string | null, ends: string[]): Statement[] {
  const { stream } = context;
  const opened = context.tagLines.at(-1) ?? 1;
  const body: Statement[] = [];
  for (;;) {
    const token = stream.next();
    if (token.kind === 'text') body.push({ type: 'text', text: token.value, ...at(token) });
    else if (token.kind === 'print-start') {
      body.push({ type: 'print', expression: parseExpression(context), ...at(token) });
      stream.expect('print-end');
    } else if (token.kind === 'tag-start') {
      const name = stream.current();
      if (name.kind === 'name' && ends.includes(name.value)) return body;
      const statement = parseTag(context, tag, opened);
      if (statement) body.push(statement);
    } else if (token.kind === 'end') {
      if (tag === null) return body;
      return stream.fail(`Unexpected end of template: the "${tag}" tag opened on line ${opened} is not closed.`, token);
    } else stream.fail('Unexpected token.', token);
  }
}

function parseTag(context: ParseContext, enclosing: string | null, opened: number): Statement | null {
  const { stream } = context;
  const name = stream.current();
  if (name.kind !== 'name') stream.fail('A block must start with a tag name.', name);
  const parser = tagParsers.get(name.value);
  if (!parser) {
    if (enclosing !== null) {
      const expected = `expecting closing tag for the "${enclosing}" tag opened on line ${opened}`;
      stream.fail(`Unexpected "${name.value}" tag (${expected}).`, name);
    }
    stream.fail(`Unknown "${name.value}" tag.${suggestName(name.value, tagParsers.keys())}`, name);
  }
  stream.next();
  context.tagLines.push(name.line);
  const statement = parser!(context, name);
  context.tagLines.pop();
  return statement;
}
