import type { Argument, Expression } from './ast.ts';
import { parseArguments } from './parse-arguments.ts';
import { findImportedMacro, type ParseContext, suggestName } from './parse-context.ts';
import { at } from './parse-expression.ts';
import type { Token } from './tokens.ts';

/** Parses a call; `parent`, `block` and `attribute` are language constructs, not functions. */
export function parseFunction(context: ParseContext, name: Token): Expression {
  const { scope, stream, vocabulary } = context;
  if (name.value === 'parent') return parseParent(context, name);
  const macro = findImportedMacro(scope, name.value);
  const args = parseArguments(context);
  if (name.value === 'block') return buildBlock(context, name, args);
  if (name.value === 'attribute') return buildAttribute(context, name, args);
  if (macro) return { type: 'macro', source: macro.source, name: macro.name, args, ...at(name) };
  if (!vocabulary.hasFunction(name.value)) {
    stream.fail(`Unknown "${name.value}" function.${suggestName(name.value, vocabulary.functionNames())}`, name);
  }
  return { type: 'call', name: name.value, args, ...at(name) };
}

function parseParent(context: ParseContext, name: Token): Expression {
  const { scope, stream } = context;
  parseArguments(context);
  const block = scope.blockStack.at(-1);
  if (block === undefined) return stream.fail('Calling "parent" outside a block is forbidden.', name);
  if (!scope.parent && scope.traits.length === 0) {
    stream.fail('Calling "parent" on a template that does not extend nor "use" another template is forbidden.', name);
  }
  return { type: 'parent', block, ...at(name) };
}

function buildBlock(context: ParseContext, name: Token, args: Argument[]): Expression {
  const block = pickArgument(args, 'name', 0);
  if (!block) return context.stream.fail('The "block" function takes one argument (the block name).', name);
  return { type: 'block', name: block, template: pickArgument(args, 'template', 1), ...at(name) };
}

function buildAttribute(context: ParseContext, name: Token, args: Argument[]): Expression {
  const target = pickArgument(args, 'variable', 0);
  const key = pickArgument(args, 'attribute', 1);
  if (!target || !key) {
    return context.stream.fail(
      'The "attribute" function takes at least two arguments (the variable and the attribute).',
      name,
    );
  }
  return { type: 'attribute', target, key, access: args.length > 2 ? 'method' : 'dot', nullSafe: false, ...at(name) };
}

function pickArgument(args: Argument[], name: string, position: number): Expression | null {
  const argument = args.find((candidate) => candidate.name === name) ?? args[position];
  return argument && (argument.name === null || argument.name === name) ? argument.value : null;
}
