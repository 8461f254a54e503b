import { packPosition, TwigError } from '../errors.ts';
import type { At } from '../parse/ast.ts';
import type { Library } from './library.ts';

/** The state of the generator while it writes the code of one function (body, block or macro). */
export interface CodeScope {
  library: Library;
  template: string;
  /** The JavaScript name of the current Twig context. */
  context: string;
  /** The JavaScript name of the current output string. */
  output: string;
  strategy: string | false;
  /** Parameters of the enclosing arrow functions and the variables they assign to, innermost last. */
  locals: Map<string, string>[];
  counter: { value: number };
  /** Temporary variables to declare at the top of the function. */
  temporaries: string[];
  usesMacros: { value: boolean };
  /** The JavaScript expression for the text captured by `apply`. */
  captured: string;
  /** The strategy at each block's position, for the code of that block. */
  blockStrategies: Map<string, string | false>;
}

/** Creates a scope for a new function. */
export function createCodeScope(
  library: Library,
  template: string,
  blockStrategies: Map<string, string | false>,
): CodeScope {
  return {
    library,
    template,
    context: 'c',
    output: 'o',
    strategy: 'html',
    locals: [],
    counter: { value: 0 },
    temporaries: [],
    usesMacros: { value: false },
    captured: '""',
    blockStrategies,
  };
}

/** Returns a JavaScript identifier that is unique in the function. */
export function newName(scope: CodeScope, prefix: string): string {
  return `${prefix}${++scope.counter.value}`;
}

/** Returns a temporary variable, declared at the top of the function. */
export function newTemporary(scope: CodeScope): string {
  const name = newName(scope, 't');
  if (scope.locals.length === 0) scope.temporaries.push(name);
  return name;
}

/** Returns a string as a JavaScript literal that is safe in any position. */
export function literal(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}

/**
 * Returns the property of a context or block table for a Twig name; its prefix prevents collisions with inherited
 * properties.
 */
export function slot(holder: string, name: string): string {
  return `${holder}[${literal(`$${name}`)}]`;
}

/** Returns the JavaScript name of a parameter or local of the enclosing arrow functions, or null. */
export function findLocal(name: string, scope: CodeScope): string | null {
  return scope.locals.findLast((names) => names.has(name))?.get(name) ?? null;
}

/** Returns code that stores the current position, for errors. */
export function mark(at: At): string {
  return `p=${packPosition(at.line, at.column)}`;
}

/** Throws a syntax error found during code generation. */
export function failAt(scope: CodeScope, at: At, message: string): never {
  throw new TwigError('syntax', message, { template: scope.template, line: at.line, column: at.column });
}
