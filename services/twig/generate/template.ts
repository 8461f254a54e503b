import type { BlockDefinition, MacroDefinition, Statement, TemplateNode } from '../parse/ast.ts';
import { findAssignedNames, findNamesAssignedIn } from './assignments.ts';
import { generateExpression } from './expressions.ts';
import type { Library } from './library.ts';
import { type CodeScope, createCodeScope, literal, mark } from './scope.ts';
import { generateStatements } from './statements.ts';

/**
 * Generates the JavaScript of a whole template: the body of a function `(R, F, G, E, P)` that returns a list of
 * definitions, the template first, then its embedded ones. Throws a `TwigError` for invalid calls.
 */
export function generateTemplate(node: TemplateNode, template: string, library: Library): string {
  return `"use strict";return ${generateDefinition(node, template, library)};`;
}

function generateDefinition(node: TemplateNode, template: string, library: Library): string {
  const strategies = new Map<string, string | false>();
  const scopeFor = () => createCodeScope(library, template, strategies);
  const body = generateBody(node, scopeFor());
  const parent = node.parent ? generateParent(node, scopeFor()) : 'null';
  const blocks = [...node.blocks.values()].map(
    (block) => `${literal(`$${block.name}`)}:${generateBlock(block, scopeFor())}`,
  );
  const macros = [...node.macros.values()].map(
    (macro) => `[${literal(macro.name)},${generateMacro(macro, scopeFor())}]`,
  );
  const traits = node.traits.map(
    ({ template: source, aliases, line, column }) =>
      `{template:${literal(source)},aliases:${literal(JSON.stringify([...aliases]))},position:${mark({ line, column }).slice(2)}}`,
  );
  const embedded = node.embedded.map((inner) => generateDefinition(inner, template, library));
  const isConstantParent = node.parent?.type === 'constant';
  return `(T=>({
parentIsConstant:${isConstantParent},
parent:${parent},
assigns:${findAssignedNames(node.body).size > 0},
isTrait:${!node.parent && node.body.every((statement) => isBlank(statement))},
body:${body},
blocks:{${blocks.join(',\n')}},
macros:new Map([${macros.join(',\n')}]),
traits:[${traits.join(',')}],
embedded:[${embedded.join(',\n')}]}))`;
}

function isBlank(statement: Statement): boolean {
  return statement.type === 'block' || (statement.type === 'text' && statement.text.trim() === '');
}

function generateParent(node: TemplateNode, scope: CodeScope): string {
  const expression = generateExpression(node.parent!, scope);
  const copy = findNamesAssignedIn([node.parent]).size > 0 ? 'c={...c};' : '';
  return wrap(scope, `${copy}${mark(node.parent!)};return ${expression};`);
}

function generateBody(node: TemplateNode, scope: CodeScope): string {
  const statements = generateStatements(node.body, scope);
  const end = node.parent ? `${mark(node.parent)};return R.runParent(T,c,b,rt);` : 'return o;';
  return wrap(scope, `let o="";\n${statements}\n${end}`, 'R.macrosOf(T,rt)');
}

function generateBlock(block: BlockDefinition, scope: CodeScope): string {
  scope.strategy = scope.blockStrategies.get(block.name) ?? 'html';
  const copy = findAssignedNames(block.body).size > 0 ? 'c={...c};' : '';
  const statements = generateStatements(block.body, scope);
  return wrap(scope, `${copy}let o="";\n${statements}\nreturn o;`);
}

function generateMacro(macro: MacroDefinition, scope: CodeScope): string {
  const fallbacks = macro.parameters.map(({ fallback }) =>
    fallback ? `()=>{let p=0;return ${generateExpression(fallback, scope)}}` : 'null',
  );
  const statements = generateStatements(macro.body, scope);
  const run = wrap(scope, `let o="";\n${statements}\nreturn R.capture(o,rt);`);
  const names = macro.parameters.map(({ name }) => literal(name));
  return `{names:[${names.join(',')}],fallbacks:[${fallbacks.join(',')}],run:${run}}`;
}

/** Returns a function that tracks its position, so that every error names the line. */
function wrap(scope: CodeScope, code: string, macroTable = '{...R.macrosOf(T,rt)}'): string {
  const temporaries = scope.temporaries.length > 0 ? `let ${scope.temporaries.join(',')};` : '';
  const macros = scope.usesMacros.value ? `const m=${macroTable};` : '';
  return `(c,b,rt)=>{let p=0;${temporaries}try{${macros}${code}}catch(e){throw R.locate(e,T.name,p)}}`;
}
