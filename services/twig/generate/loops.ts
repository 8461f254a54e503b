import type { Statement } from '../parse/ast.ts';
import { findAssignedNames, findLoopUse, type LoopUse } from './assignments.ts';
import { generateExpression } from './expressions.ts';
import { type CodeScope, mark, newName, slot } from './scope.ts';
import { generateStatements } from './statements.ts';

type For = Statement & { type: 'for' };

/**
 * Returns JavaScript for a loop. Afterwards its variables are restored, variables first defined in the body are gone,
 * and changes of outer variables stay (reference: `for`; PHP's Twig merges the contexts that way).
 */
export function generateFor(statement: For, scope: CodeScope): string {
  const names = {
    source: newName(scope, 'q'),
    sequence: newName(scope, 's'),
    keys: newName(scope, 'k'),
    index: newName(scope, 'i'),
    loop: newName(scope, 'l'),
  };
  const { context, output } = scope;
  const bodies = [...statement.body, ...(statement.otherwise ?? [])];
  const use = findLoopUse(bodies);
  const restored = [
    statement.value,
    ...(statement.key === null ? [] : [statement.key]),
    ...(use === 'none' ? [] : ['loop']),
  ];
  const dropped = [...findAssignedNames(bodies)].filter((name) => !restored.includes(name));
  const saves = restored.map((name) => ({ name, variable: newName(scope, 'r') }));
  const absent = dropped.map((name) => ({ name, variable: newName(scope, 'd') }));
  const sequence = generateExpression(statement.sequence, scope);
  const turn = [
    `if(--rt.budget<0)R.overBudget(rt);if(${output}.length>rt.maxLength)R.tooLong(rt);`,
    `${slot(context, statement.value)}=${names.sequence}[${names.index}];`,
    statement.key === null
      ? ''
      : `${slot(context, statement.key)}=${names.keys}===null?${names.index}:${names.keys}[${names.index}];`,
    use === 'none' ? '' : `R.turnLoop(${names.loop},${names.index});`,
    `\n${generateStatements(statement.body, scope)}`,
  ];
  const otherwise = statement.otherwise
    ? `if(${names.sequence}.length===0){\n${generateStatements(statement.otherwise, scope)}\n}`
    : '';
  const lines = [
    `{${mark(statement)};const ${names.source}=${sequence},${names.sequence}=R.valuesOf(${names.source});`,
    statement.key === null ? '' : `const ${names.keys}=R.keysOrNull(${names.source});`,
    openLoop(use, names, context),
    ...saves.map(({ name, variable }) => `const ${variable}=${slot(context, name)};`),
    ...absent.map(({ name, variable }) => `const ${variable}=${slot(context, name)}===undefined;`),
    use === 'none' ? '' : `${slot(context, 'loop')}=${names.loop};`,
    `for(let ${names.index}=0;${names.index}<${names.sequence}.length;${names.index}++){${turn.join('')}\n}`,
    otherwise,
    ...saves.map(({ name, variable }) => `${slot(context, name)}=${variable};`),
    ...absent.map(({ name, variable }) => `if(${variable})${slot(context, name)}=undefined;`),
  ];
  return `${lines.join('')}}`;
}

function openLoop(use: LoopUse, names: { sequence: string; loop: string }, context: string): string {
  if (use === 'none') return '';
  const parent = use === 'parent' ? `R.contextToHash(${context})` : 'null';
  return `const ${names.loop}=R.openLoop(${names.sequence}.length,${parent});`;
}
