import type { Expression, SetTarget, Statement } from '../parse/ast.ts';

/** Returns the variables that statements assign to, except those that `with` and loops restore themselves. */
export function findAssignedNames(statements: Statement[], found = new Set<string>()): Set<string> {
  for (const statement of statements) {
    findNamesAssignedIn(expressionsOf(statement), found);
    switch (statement.type) {
      case 'set':
        for (const target of statement.targets) for (const name of namesOf(target)) found.add(name);
        break;
      case 'capture':
        found.add(statement.name);
        findAssignedNames(statement.body, found);
        break;
      case 'if':
        for (const branch of statement.branches) findAssignedNames(branch.body, found);
        findAssignedNames(statement.otherwise ?? [], found);
        break;
      case 'for':
        findAssignedNames(statement.body, found);
        findAssignedNames(statement.otherwise ?? [], found);
        break;
      case 'apply':
      case 'autoescape':
      case 'group':
        findAssignedNames(statement.body, found);
        break;
      default:
    }
  }
  return found;
}

/** Returns the expressions that a statement evaluates in its own context, without those of nested statements. */
function expressionsOf(statement: Statement): unknown[] {
  switch (statement.type) {
    case 'print':
    case 'do':
      return [statement.expression];
    case 'set':
      return statement.values;
    case 'if':
      return statement.branches.map(({ test }) => test);
    case 'for':
      return [statement.sequence];
    case 'with':
      return [statement.variables];
    case 'apply':
      return statement.filters;
    case 'include':
      return [statement.template, statement.options];
    case 'embed':
      return [statement.options];
    case 'import':
      return [statement.template];
    default:
      return [];
  }
}

/** Returns the variables that expressions assign to. Assignments in arrow functions are local to them. */
export function findNamesAssignedIn(nodes: unknown[], found = new Set<string>()): Set<string> {
  const waiting = [...nodes];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null || (node as Expression).type === 'arrow') continue;
    if ((node as Expression).type === 'assign') {
      for (const name of namesOf((node as Expression & { type: 'assign' }).target)) found.add(name);
    }
    for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) waiting.push(child);
  }
  return found;
}

/** Returns the names that a target of `set` assigns to. */
export function namesOf(target: SetTarget): string[] {
  if (target.kind === 'name') return [target.name];
  if (target.kind === 'list') return target.names.filter((name) => name !== null);
  return target.entries.map((entry) => entry.name);
}

/** The part of the `loop` variable that a body uses; a smaller part costs less per iteration. */
export type LoopUse = 'none' | 'counters' | 'parent';

const counters = new Set(['index', 'index0', 'revindex', 'revindex0', 'first', 'last', 'length']);
const contextFunctions = new Set(['include', 'block', 'parent']);

/** Determines how a body uses `loop`; whatever passes on the whole context may use all of it. */
export function findLoopUse(body: Statement[]): LoopUse {
  let use: LoopUse = 'none';
  const visit = (node: unknown): void => {
    if (use === 'parent' || typeof node !== 'object' || node === null) return;
    const typed = node as Statement | Expression;
    if (Array.isArray(node)) node.forEach(visit);
    else if (passesContext(typed)) use = 'parent';
    else if (typed.type === 'attribute' && isLoopCounter(typed)) use = 'counters';
    else if (typed.type === 'name' && (typed.name === 'loop' || typed.name === '_context')) use = 'parent';
    else for (const child of Object.values(typed)) visit(child);
  };
  visit(body);
  return use;
}

function passesContext(node: Statement | Expression): boolean {
  if (node.type === 'include' || node.type === 'embed') return !node.options.only || node.options.variables !== null;
  if (node.type === 'call') return contextFunctions.has(node.name);
  return node.type === 'block' || node.type === 'parent';
}

function isLoopCounter(node: Expression & { type: 'attribute' }): boolean {
  if (node.target.type !== 'name' || node.target.name !== 'loop' || node.key.type !== 'constant') return false;
  return counters.has(String(node.key.value));
}
