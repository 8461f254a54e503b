import { packPosition, TwigError } from '../errors.ts';
import type { At } from '../parse/ast.ts';
import type { Library } from './library.ts';

/** What is known while the code of one function (body, block or macro) is written. */
export interface CodeScope {
  library: Library;
  template: string;
  /** The JavaScript name of the current Twig context. */
  context: string;
  /** The JavaScript name of the current output string. */
  output: string;
  strategy: string | false;
  /** Parameters of the arrow functions around and what they assign to, innermost last. */
  locals: Map<string, string>[];
  counter: { value: number };
  /** Temporary variables to declare at the top of the function. */
  temporaries: string[];
  usesMacros: { value: boolean };
  /** The JavaScript of what `apply` captured. */
  captured: string;
  /** The strategy in force where each block stands, for the code of that block. */
  blockStrategies: Map<string, string | false>;
}

/** A scope for a new function. */
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

/** A JavaScript identifier that no other in the function has. */
export function newName(scope: CodeScope, prefix: string): string {
  return `${prefix}${++scope.counter.value}`;
}

/** A temporary variable, declared at the top of the function. */
export function newTemporary(scope: CodeScope): string {
  const name = newName(scope, 't');
  if (scope.locals.length === 0) scope.temporaries.push(name);
  return name;
}

/** A string as a JavaScript literal that is safe wherever a literal may stand. */
export function literal(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}

/** The property of a context or block table that holds a Twig name; the prefix keeps it apart from every inherited one. */
export function slot(holder: string, name: string): string {
  return `${holder}[${literal(`$${name}`)}]`;
}

/** The JavaScript name of a parameter or a local of the arrow functions around, or null. */
export function findLocal(name: string, scope: CodeScope): string | null {
  return scope.locals.findLast((names) => names.has(name))?.get(name) ?? null;
}

/** Code that notes where the template is, for errors. */
export function mark(at: At): string {
  return `p=${packPosition(at.line, at.column)}`;
}

/** Throws a syntax error found while code is written. */
export function failAt(scope: CodeScope, at: At, message: string): never {
  throw new TwigError('syntax', message, { template: scope.template, line: at.line, column: at.column });
}
