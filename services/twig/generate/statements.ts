import type { Expression, IncludeOptions, Statement } from '../parse/ast.ts';
import { writeTarget } from './assign.ts';
import { generateExpression, generateTruth } from './expressions.ts';
import { generateFor } from './loops.ts';
import { isSafeFor } from './safety.ts';
import { type CodeScope, literal, mark, newName, newTemporary, slot } from './scope.ts';

/** Returns JavaScript that runs statements and appends their output to the scope's output string. */
export function generateStatements(statements: Statement[], scope: CodeScope): string {
  return statements.map((statement) => generateStatement(statement, scope)).join('\n');
}

function generateStatement(statement: Statement, scope: CodeScope): string {
  const { output, context } = scope;
  switch (statement.type) {
    case 'text':
      return `${output}+=${literal(statement.text)};`;
    case 'print':
      return `${mark(statement)};${output}+=${generatePrint(statement.expression, scope)};`;
    case 'do':
      return `${mark(statement)};${generateExpression(statement.expression, scope)};`;
    case 'set':
      return `${mark(statement)};${generateSet(statement, scope)}`;
    case 'capture':
      return generateCapture(
        statement.body,
        scope,
        (captured) => `${slot(context, statement.name)}=R.capture(${captured},rt);`,
      );
    case 'if':
      return generateIf(statement, scope);
    case 'for':
      return generateFor(statement, scope);
    case 'with':
      return generateWith(statement, scope);
    case 'apply':
      return generateApply(statement, scope);
    case 'autoescape': {
      const inner = { ...scope, strategy: statement.strategy };
      return generateStatements(statement.body, inner);
    }
    case 'group':
      return generateStatements(statement.body, scope);
    case 'block':
      scope.blockStrategies.set(statement.name, scope.strategy);
      return `${mark(statement)};${output}+=R.runBlock(${slot('b', statement.name)},${context},b,rt);`;
    case 'include': {
      const template = generateExpression(statement.template, scope);
      const { ignoreMissing } = statement.options;
      return `${mark(statement)};${output}+=R.include(T,rt,${template},${generateInnerContext(statement.options, scope)},${ignoreMissing});`;
    }
    case 'embed': {
      const inner = generateInnerContext(statement.options, scope);
      return `${mark(statement)};${output}+=R.embed(T,${statement.index},rt,${inner},${statement.options.ignoreMissing});`;
    }
    case 'import':
      return generateImport(statement, scope);
  }
}

/**
 * Returns JavaScript for the output of an expression under the current strategy. Each branch of a conditional is
 * escaped separately, so that a literal in one of them stays unescaped.
 */
function generatePrint(expression: Expression, scope: CodeScope): string {
  if (scope.strategy !== false && expression.type === 'conditional') {
    const otherwise = generatePrint(expression.whenFalse, scope);
    if (expression.whenTrue) {
      return `(${generateTruth(expression.test, scope)}?${generatePrint(expression.whenTrue, scope)}:${otherwise})`;
    }
    const temporary = newTemporary(scope);
    const value = printCode(temporary, expression.test, scope);
    return `(R.truthy(${temporary}=${generateExpression(expression.test, scope)})?${value}:${otherwise})`;
  }
  if (scope.strategy !== false && isValueChoice(expression)) {
    const temporary = newTemporary(scope);
    const value = printCode(temporary, expression.left, scope);
    const test = `(${temporary}=${generateExpression(expression.left, scope)})!=null`;
    return `(${test}?${value}:${generatePrint(expression.right, scope)})`;
  }
  return printCode(generateExpression(expression, scope), expression, scope);
}

function isValueChoice(expression: Expression): expression is Expression & { type: 'binary' } {
  if (expression.type !== 'binary' || expression.operator !== '??') return false;
  return expression.left.type !== 'block' && expression.left.type !== 'macro';
}

function printCode(value: string, expression: Expression, { strategy, library }: CodeScope): string {
  if (strategy === false || isSafeFor(expression, strategy, library)) return `R.text(${value})`;
  return strategy === 'html' ? `R.html(${value})` : `R.escape(${value},${literal(strategy)},true)`;
}

function generateSet(statement: Statement & { type: 'set' }, scope: CodeScope): string {
  const { targets, values } = statement;
  const names = values.map(() => newName(scope, 'v'));
  const reads = values.map((value, index) => `const ${names[index]}=${generateExpression(value, scope)}??null;`);
  const writes = targets.map((target, index) => writeTarget(target, names[index]!, scope));
  return `{${reads.join('')}${writes.join('')}}`;
}

function generateCapture(body: Statement[], scope: CodeScope, use: (captured: string) => string): string {
  const output = newName(scope, 'o');
  return `{let ${output}="";\n${generateStatements(body, { ...scope, output })}\n${use(output)}}`;
}

function generateIf(statement: Statement & { type: 'if' }, scope: CodeScope): string {
  const branches = statement.branches.map(
    ({ test, body }) => `if((${mark(test)},${generateTruth(test, scope)})){\n${generateStatements(body, scope)}\n}`,
  );
  const otherwise = statement.otherwise ? `else{\n${generateStatements(statement.otherwise, scope)}\n}` : '';
  return branches.join('else ') + otherwise;
}

function generateWith(statement: Statement & { type: 'with' }, scope: CodeScope): string {
  const context = newName(scope, 'c');
  const variables = statement.variables ? generateExpression(statement.variables, scope) : 'null';
  const base = statement.only ? 'rt.globals' : scope.context;
  const body = generateStatements(statement.body, { ...scope, context });
  return `{${mark(statement)};const ${context}=R.extend(${base},${variables},"with");\n${body}}`;
}

function generateApply(statement: Statement & { type: 'apply' }, scope: CodeScope): string {
  return generateCapture(statement.body, scope, (output) => {
    const captured = newName(scope, 'v');
    const inner = { ...scope, captured };
    const start: Expression = { type: 'captured', line: statement.line, column: statement.column };
    const chain = statement.filters.reduce<Expression>(
      (operand, { name, args, at }) => ({ type: 'filter', name, operand, args, ...at }),
      start,
    );
    return `const ${captured}=R.capture(${output},rt);${scope.output}+=${generatePrint(chain, inner)};`;
  });
}

/** Returns the context for an included template: shared if possible, extended or empty on request. */
function generateInnerContext(options: IncludeOptions, scope: CodeScope): string {
  const variables = options.variables ? generateExpression(options.variables, scope) : 'null';
  if (options.only) return `R.extend(rt.globals,${variables},"include")`;
  return options.variables ? `R.extend(${scope.context},${variables},"include")` : scope.context;
}

function generateImport(statement: Statement & { type: 'import' }, scope: CodeScope): string {
  scope.usesMacros.value = true;
  const isSelf = statement.template.type === 'name' && statement.template.name === '_self';
  const template = isSelf ? 'T' : `R.load(T,${generateExpression(statement.template, scope)},rt)`;
  return `${mark(statement)};${slot('m', statement.variable)}=${template};`;
}
