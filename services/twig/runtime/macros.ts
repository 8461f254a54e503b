import { TwigError } from '../errors.ts';
import { parentOf } from './blocks.ts';
import { enter, type RenderState, type TemplateInstance, type TwigContext } from './state.ts';
import type { TwigValue } from './values.ts';

/** Returns the templates that `import` and `from` bound in a template during this render. */
export function macrosOf(template: TemplateInstance, state: RenderState): Record<string, TemplateInstance> {
  let table = state.macros.get(template);
  if (!table) state.macros.set(template, (table = {}));
  return table;
}

function findMacro(template: TemplateInstance | undefined, name: string, context: TwigContext, state: RenderState) {
  let current: TemplateInstance | null = template ?? null;
  for (let depth = 0; current && depth <= state.maxDepth; depth++) {
    const macro = current.code.macros.get(name);
    if (macro) return { macro, owner: current };
    current = parentOf(current, context, {}, state);
  }
  return null;
}

/** Returns whether a macro exists. */
export function hasMacro(
  template: TemplateInstance | undefined,
  name: string,
  context: TwigContext,
  state: RenderState,
): boolean {
  return findMacro(template, name, context, state) !== null;
}

/** Calls a macro: it sees only its arguments and the globals. */
export function callMacro(
  template: TemplateInstance | undefined,
  name: string,
  context: TwigContext,
  state: RenderState,
  args: TwigValue[],
  named: Map<string | number, TwigValue> | null,
): TwigValue {
  const found = findMacro(template, name, context, state);
  if (!found)
    throw new TwigError(
      'runtime',
      `Macro "${name.slice(0, 255)}" is not defined in template "${template?.name ?? ''}".`,
    );
  const { names, fallbacks, run } = found.macro;
  const inner: TwigContext = { ...state.globals };
  names.forEach((parameter, index) => {
    const given = index < args.length ? (args[index] ?? null) : named?.get(parameter);
    inner[`$${parameter}`] = given === undefined ? (fallbacks[index]?.() ?? null) : given;
  });
  for (const key of named?.keys() ?? []) {
    if (!names.includes(String(key))) throw new TwigError('runtime', `Unknown argument "${key}" for macro "${name}".`);
  }
  inner['$varargs'] = args.slice(names.length);
  enter(state);
  const result = run(inner, {}, state);
  state.depth--;
  return result;
}
