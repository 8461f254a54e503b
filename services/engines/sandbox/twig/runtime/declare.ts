import type { Builtin } from '../generate/library.ts';

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
