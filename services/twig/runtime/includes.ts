import { TwigError } from '../errors.ts';
import { display } from './blocks.ts';
import { expectCollection, keysOf, readKey } from './collections.ts';
import { load } from './load.ts';
import { enter, type RenderState, type TemplateInstance, type TwigContext } from './state.ts';
import { markSafe, type SafeHtml, type TwigValue, truthy } from './values.ts';

/** Returns a copy of a context with the members of a hash added. */
export function extend(context: TwigContext, variables: TwigValue, tag: string): TwigContext {
  const extended = { ...context };
  if (variables === null || variables === undefined) return extended;
  const hash = expectCollection(variables, `The variables of the "${tag}" tag: a hash is needed; it`);
  for (const key of keysOf(hash)) extended[`$${key}`] = readKey(hash, key) ?? null;
  return extended;
}

/** Returns all variables as a hash: `_context`, `loop.parent`. */
export function contextToHash(context: TwigContext): Map<string | number, TwigValue> {
  const names = Object.keys(context).filter((name) => context[name] !== undefined);
  return new Map(names.map((name) => [name.slice(1), context[name]]));
}

function renderInner(template: TemplateInstance, context: TwigContext, state: RenderState): string {
  enter(state);
  const own = template.code.assigns || template.code.parent ? { ...context } : context;
  const text = display(template, own, null, state);
  state.depth--;
  return text;
}

/** Implements the tag `include`. */
export function include(
  from: TemplateInstance,
  state: RenderState,
  reference: TwigValue,
  context: TwigContext,
  ignoreMissing: boolean,
): string {
  const template = loadOrNull(from, state, reference, ignoreMissing);
  return template ? renderInner(template, context, state) : '';
}

function loadOrNull(
  from: TemplateInstance,
  state: RenderState,
  reference: TwigValue,
  ignoreMissing: boolean,
): TemplateInstance | null {
  try {
    return load(from, reference, state);
  } catch (error) {
    if (ignoreMissing && error instanceof TwigError && error.kind === 'loader') return null;
    throw error;
  }
}

/** Implements the function `include`. */
export function includeFunction(
  from: TemplateInstance,
  state: RenderState,
  context: TwigContext,
  reference: TwigValue,
  variables?: TwigValue,
  withContext: TwigValue = true,
  ignoreMissing: TwigValue = false,
): string {
  const inner = extend(truthy(withContext) ? context : state.globals, variables, 'include');
  return include(from, state, reference, inner, truthy(ignoreMissing));
}

/**
 * Implements the function `include_only`: the template sees the given variables and the globals. Its result is not
 * escaped again.
 */
export function includeOnly(
  from: TemplateInstance,
  state: RenderState,
  reference: TwigValue,
  variables?: TwigValue,
  ignoreMissing: TwigValue = false,
): SafeHtml {
  const inner = extend(state.globals, variables, 'include_only');
  return markSafe(include(from, state, reference, inner, truthy(ignoreMissing)));
}

/** Implements the tag `embed`: renders an inline template. */
export function embed(
  template: TemplateInstance,
  index: number,
  state: RenderState,
  context: TwigContext,
  ignoreMissing: boolean,
): string {
  const embedded = template.embedded[index]!;
  if (ignoreMissing && !loadOrNull(template, state, embedded.code.parent!(context, {}, state), true)) return '';
  return renderInner(embedded, context, state);
}
