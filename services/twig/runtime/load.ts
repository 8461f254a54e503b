import { TwigError } from '../errors.ts';
import { isCollection, valuesOf } from './collections.ts';
import type { RenderState, TemplateInstance } from './state.ts';
import { type TwigValue, toText } from './values.ts';

const instances = new WeakSet<object>();

/** Registers an object as a template, so that `template_from_string` can return one as a value. */
export function registerInstance(instance: TemplateInstance): TemplateInstance {
  instances.add(instance);
  return instance;
}

const asInstance = (value: TwigValue): TemplateInstance | null =>
  typeof value === 'object' && value !== null && instances.has(value) ? (value as TemplateInstance) : null;

/**
 * Finds a template by the value of an expression: a name, a list of names (the first that exists is used), or a
 * template.
 */
export function load(_from: TemplateInstance, reference: TwigValue, state: RenderState): TemplateInstance {
  const instance = asInstance(reference);
  if (instance) return instance;
  if (!isCollection(reference)) return state.findTemplate(toText(reference));
  const names = valuesOf(reference);
  for (const name of names) {
    const found = asInstance(name) ?? tryFind(state, toText(name));
    if (found) return found;
  }
  throw new TwigError('loader', `Unable to find one of the following templates: "${names.map(toText).join('", "')}".`);
}

function tryFind(state: RenderState, name: string): TemplateInstance | null {
  try {
    return state.findTemplate(name);
  } catch (error) {
    if (error instanceof TwigError && error.kind === 'loader') return null;
    throw error;
  }
}
