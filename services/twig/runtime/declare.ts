import type { Argument } from '../parse/ast.ts';

/** How generated code calls a built-in filter, function or test. */
export interface Builtin {
  // biome-ignore lint/suspicious/noExplicitAny: every built-in has its own arguments, checked where it is declared
  run: (...values: any[]) => unknown;
  /** Parameter names in order, so that arguments can be named; `…name` receives the rest. */
  parameters: readonly string[];
  /** Number of required parameters. */
  required: number;
  /** The strategies for which its output is safe. */
  safe: readonly string[] | ((args: Argument[]) => readonly string[]);
  /** The strategy with which its operand is escaped first. */
  preEscape?: string;
}

/**
 * Declares a built-in. `signature` lists its parameters as Twig documents them; those after `|` are optional. `run`
 * receives the render state, the operand if any, then the arguments.
 */
export function declare(
  name: string,
  signature: string,
  run: Builtin['run'],
  more: { safe?: Builtin['safe']; preEscape?: string } = {},
): [string, Builtin] {
  const [needed = '', optional = ''] = signature.split('|');
  const words = (text: string) => text.split(' ').filter((word) => word !== '');
  const required = words(needed);
  const builtin: Builtin = {
    run,
    parameters: [...required, ...words(optional)],
    required: required.length,
    safe: more.safe ?? [],
  };
  if (more.preEscape) builtin.preEscape = more.preEscape;
  return [name, builtin];
}
