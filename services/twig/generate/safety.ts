import type { Expression } from '../parse/ast.ts';
import type { Library } from './library.ts';

/** The escaping strategies for which an expression's output needs no escaping; `all` means every strategy. */
export type Safety = readonly string[];

/**
 * Returns the strategies for which an expression's output is safe (reference: `escape`, "automatic escaping rules").
 */
function analyseSafety(expression: Expression, library: Library): Safety {
  switch (expression.type) {
    case 'constant':
    case 'block':
    case 'parent':
    case 'macro':
      return ['all'];
    case 'conditional': {
      const first = expression.whenTrue ?? expression.test;
      return intersect(analyseSafety(first, library), analyseSafety(expression.whenFalse, library));
    }
    case 'binary':
      if (expression.operator !== '??') return [];
      return intersect(analyseSafety(expression.left, library), analyseSafety(expression.right, library));
    case 'filter':
      return library.filterSafety(expression.name, expression.args);
    case 'call':
      return library.functionSafety(expression.name);
    default:
      return [];
  }
}

/** Returns whether an expression may be printed under a strategy without escaping. */
export function isSafeFor(expression: Expression, strategy: string, library: Library): boolean {
  const safety = analyseSafety(expression, library);
  return safety.includes('all') || safety.includes(strategy);
}

function intersect(a: Safety, b: Safety): Safety {
  if (a.includes('all')) return b;
  if (b.includes('all')) return a;
  return a.filter((strategy) => b.includes(strategy));
}
