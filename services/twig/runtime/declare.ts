import type { Argument } from '../parse/ast.ts';

/** How a built-in filter, function or test is called from generated code. */
export interface Builtin {
  // biome-ignore lint/suspicious/noExplicitAny: every built-in has its own arguments, checked where it is declared
  run: (...values: any[]) => unknown;
  /** Parameter names in order, so that arguments can be named; `…name` takes the rest. */
  parameters: readonly string[];
  /** How many of them must be given. */
  required: number;
  /** The strategies for which its output is safe. */
  safe: readonly string[] | ((args: Argument[]) => readonly string[]);
  /** The strategy by which its operand is escaped first. */
  preEscape?: string;
}

/**
 * Declares a built-in. `signature` lists its parameters as Twig documents them, those after `|` being optional.
 * `run` gets the render state, then the operand if there is one, then the arguments.
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
