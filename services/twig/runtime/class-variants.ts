import { isCollection, type Key, keysOf, readKey, valuesOf } from './collections.ts';
import { declare } from './declare.ts';
import { boundText, type RenderState, takeSteps } from './state.ts';
import { EngineValue, SafeHtml, type TwigValue, toText } from './values.ts';

/** The result of `html_cva`: class names by variant (reference: `html_cva`). Its only method is `apply`. */
class ClassVariants extends EngineValue {
  readonly base: TwigValue;
  readonly variants: TwigValue;
  readonly compounds: TwigValue;
  readonly defaults: TwigValue;

  constructor(base: TwigValue, variants: TwigValue, compounds: TwigValue, defaults: TwigValue) {
    super();
    this.base = base;
    this.variants = variants;
    this.compounds = compounds;
    this.defaults = defaults;
  }
}

const member = (value: TwigValue, key: Key) => (isCollection(value) ? (readKey(value, key) ?? null) : null);

/** Converts a choice to the name of a variant: booleans become `true` and `false`. */
const choiceOf = (value: TwigValue): string => (typeof value === 'boolean' ? String(value) : toText(value));

/** Returns the members of a list or hash from a template; each costs a step. */
function keysWithin(state: RenderState, value: TwigValue): Key[] {
  const keys = isCollection(value) ? keysOf(value) : [];
  takeSteps(state, keys.length);
  return keys;
}

/** Returns texts and the texts of lists, each costing a step; other values are not classes. */
function classesIn(state: RenderState, value: TwigValue): string[] {
  const items = isCollection(value) ? valuesOf(value) : [value];
  takeSteps(state, items.length);
  return items.filter((item) => typeof item === 'string' || item instanceof SafeHtml).map(toText);
}

function variantClasses(state: RenderState, cva: ClassVariants, name: Key, choice: TwigValue): string[] {
  return classesIn(state, member(member(cva.variants, name), choiceOf(choice)));
}

function fits(state: RenderState, compound: TwigValue, choices: TwigValue): boolean {
  return keysWithin(state, compound).every((name) => {
    if (name === 'class') return true;
    const choice = member(choices, name);
    const required = member(compound, name);
    const allowed = isCollection(required) ? valuesOf(required) : [required];
    takeSteps(state, allowed.length);
    return choice !== null && allowed.some((one) => choiceOf(one) === choiceOf(choice));
  });
}

/**
 * Implements `cva.apply(choices, class, …)`: every class once, in the order base, variants, compounds, defaults,
 * additional classes.
 */
function applyVariants(state: RenderState, cva: ClassVariants, choices: TwigValue, more: TwigValue[]): string {
  const compounds = keysWithin(state, cva.compounds).map((key) => member(cva.compounds, key));
  const texts = [
    ...classesIn(state, cva.base),
    ...keysWithin(state, choices).flatMap((name) => variantClasses(state, cva, name, member(choices, name))),
    ...compounds
      .filter((compound) => fits(state, compound, choices))
      .flatMap((compound) => classesIn(state, member(compound, 'class'))),
    ...keysWithin(state, cva.defaults)
      .filter((name) => member(choices, name) === null)
      .flatMap((name) => variantClasses(state, cva, name, member(cva.defaults, name))),
    ...more.flatMap((value) => classesIn(state, value)),
  ];
  const names = boundText(texts.join(' '), state).split(/\s+/);
  return [...new Set(names.filter((name) => name !== ''))].join(' ');
}

/** Implements `a.b(…)`: data has no methods, so the result is null; class variants have `apply`. */
export function callMethod(state: RenderState, target: TwigValue, name: Key, args: TwigValue[]): TwigValue {
  if (!(target instanceof ClassVariants)) return null;
  if (name !== 'apply') throw new TypeError(`The result of "html_cva" has no method "${String(name).slice(0, 60)}".`);
  const [choices, ...more] = args;
  return applyVariants(state, target, choices, more);
}

export const variantFunctions = [
  declare(
    'html_cva',
    '|base variants compound_variants default_variant',
    (_state, base, variants, compounds, defaults) => new ClassVariants(base, variants, compounds, defaults),
  ),
];
