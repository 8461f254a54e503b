import type { Expression, IncludeOptions, Statement, TemplateNode } from './ast.ts';
import { createImportScope, type ParseContext } from './parse-context.ts';
import { at } from './parse-expression.ts';
import { parseTargetName } from './parse-target.ts';
import type { Token } from './tokens.ts';

/** `{% extends template %}` */
export function parseExtends(context: ParseContext, name: Token): null {
  const { scope, stream } = context;
  if (scope.blockStack.length > 0) stream.fail('Cannot use "extends" in a block.', name);
  if (scope.imports.length > 1) stream.fail('Cannot use "extends" in a macro.', name);
  if (scope.parent) stream.fail('Multiple extends tags are forbidden.', name);
  scope.parent = context.parseExpression();
  stream.expect('tag-end');
  return null;
}

/** `{% block name %}…{% endblock name %}`, or short `{% block name expression %}` */
export function parseBlock(context: ParseContext, tag: Token): Statement {
  const { scope, stream } = context;
  const name = stream.expect('name').value;
  const earlier = scope.blocks.get(name);
  if (earlier) stream.fail(`The block '${name}' has already been defined line ${earlier.line}.`, tag);
  const block = { name, body: [] as Statement[], ...at(tag) };
  scope.blocks.set(name, block);
  scope.imports.push(createImportScope());
  scope.blockStack.push(name);
  if (stream.nextIf('tag-end')) {
    block.body = context.parseBody('block', ['endblock']);
    stream.next();
    const closing = stream.nextIf('name');
    if (closing && closing.value !== name) {
      stream.fail(`Expected endblock for block "${name}" (but "${closing.value}" given).`, closing);
    }
  } else {
    const expression = context.parseExpression();
    block.body = [{ type: 'print', expression, ...at(expression) }];
  }
  stream.expect('tag-end');
  scope.blockStack.pop();
  scope.imports.pop();
  return { type: 'block', name, ...at(tag) };
}

/** `{% use 'template' with name as alias %}` */
export function parseUse(context: ParseContext, name: Token): null {
  const { scope, stream } = context;
  const template = context.parseExpression();
  if (template.type !== 'constant')
    return stream.fail('The template references in a "use" statement must be a string.', name);
  const aliases = new Map<string, string>();
  if (stream.nextIf('name', 'with')) {
    do {
      const block = stream.expect('name').value;
      aliases.set(block, stream.nextIf('name', 'as') ? stream.expect('name').value : block);
    } while (stream.nextIf('punctuation', ','));
  }
  stream.expect('tag-end');
  scope.traits.push({ template: String(template.value), aliases, ...at(name) });
  return null;
}

function parseIncludeOptions(context: ParseContext): IncludeOptions {
  const { stream } = context;
  let ignoreMissing = false;
  if (stream.nextIf('name', 'ignore')) {
    stream.expect('name', 'missing');
    ignoreMissing = true;
  }
  const variables = stream.nextIf('name', 'with') ? context.parseExpression() : null;
  const only = stream.nextIf('name', 'only') !== null;
  stream.expect('tag-end');
  return { variables, only, ignoreMissing };
}

/** `{% include template ignore missing with {…} only %}` */
export function parseInclude(context: ParseContext, name: Token): Statement {
  const template = context.parseExpression();
  return { type: 'include', template, options: parseIncludeOptions(context), ...at(name) };
}

/** `{% embed template with {…} only %}{% block … %}{% endembed %}` */
export function parseEmbed(context: ParseContext, name: Token): Statement {
  const parent: Expression = context.parseExpression();
  const options = parseIncludeOptions(context);
  const node: TemplateNode = context.parseEmbedded(parent);
  context.stream.expect('name', 'endembed');
  context.stream.expect('tag-end');
  const index = context.scope.embedded.push(node) - 1;
  return { type: 'embed', index, options, ...at(name) };
}

/** `{% macro name(a, b = 1) %}…{% endmacro %}` */
export function parseMacro(context: ParseContext, tag: Token): null {
  const { scope, stream } = context;
  const name = stream.expect('name').value;
  const parameters = parseParameters(context, name);
  stream.expect('tag-end');
  scope.imports.push(createImportScope());
  const outerBlocks = scope.blockStack;
  scope.blockStack = [];
  const body = context.parseBody('macro', ['endmacro']);
  stream.next();
  const closing = stream.nextIf('name');
  if (closing && closing.value !== name) {
    stream.fail(`Expected endmacro for macro "${name}" (but "${closing.value}" given).`, closing);
  }
  stream.expect('tag-end');
  scope.blockStack = outerBlocks;
  scope.imports.pop();
  scope.macros.set(name, { name, parameters, body, ...at(tag) });
  return null;
}

function parseParameters(context: ParseContext, macro: string): { name: string; fallback: Expression | null }[] {
  const { stream } = context;
  const parameters: { name: string; fallback: Expression | null }[] = [];
  stream.expect('punctuation', '(');
  while (!stream.test('punctuation', ')')) {
    if (parameters.length > 0) {
      stream.expect('punctuation', ',', 'Arguments must be separated by a comma.');
      if (stream.test('punctuation', ')')) break;
    }
    const token = stream.expect('name');
    if (token.value === 'varargs') {
      stream.fail(`The argument "varargs" in macro "${macro}" cannot be defined: the name is reserved.`, token);
    }
    const hasFallback = stream.nextIf('operator', '=') ?? stream.nextIf('punctuation', ':');
    const fallback = hasFallback ? context.parseExpression() : null;
    if (fallback && !isConstant(fallback)) {
      stream.fail(
        'A default value for an argument must be a constant (a boolean, a string, a number, or an array).',
        fallback,
      );
    }
    parameters.push({ name: token.value, fallback });
  }
  stream.expect('punctuation', ')');
  return parameters;
}

function isConstant(expression: Expression): boolean {
  switch (expression.type) {
    case 'constant':
      return true;
    case 'unary':
      return expression.operator !== 'not' && isConstant(expression.operand);
    case 'array':
      return expression.items.every((item) => isConstant(item.value));
    case 'hash':
      return expression.items.every((item) => (!item.key || isConstant(item.key)) && isConstant(item.value));
    default:
      return false;
  }
}

/** `{% import template as name %}` */
export function parseImport(context: ParseContext, tag: Token): Statement {
  const { scope, stream } = context;
  const template = context.parseExpression();
  stream.expect('name', 'as');
  const variable = parseTargetName(context);
  stream.expect('tag-end');
  scope.imports.at(-1)!.templates.add(variable);
  return { type: 'import', template, variable, global: scope.imports.length === 1, ...at(tag) };
}

/** `{% from template import macro as alias %}` */
export function parseFrom(context: ParseContext, tag: Token): Statement {
  const { scope, stream } = context;
  const template = context.parseExpression();
  stream.expect('name', 'import');
  const variable = context.nextVariable();
  do {
    const name = stream.expect('name').value;
    const alias = stream.nextIf('name', 'as') ? stream.expect('name').value : name;
    scope.imports.at(-1)!.macros.set(alias, { variable, name });
  } while (stream.nextIf('punctuation', ','));
  stream.expect('tag-end');
  return { type: 'import', template, variable, global: scope.imports.length === 1, ...at(tag) };
}
