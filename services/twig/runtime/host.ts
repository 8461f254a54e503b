import { type Key, keysOf, readKey } from './collections.ts';
import type { HostCallable, RenderState } from './state.ts';
import { enter, spendSteps } from './state.ts';
import { EngineValue, isDate, SafeHtml, TwigArrow, TwigDate, type TwigValue, truthy } from './values.ts';

/**
 * Converts a value for host code: hashes made by a template become plain objects without prototype, dates become
 * `Date`. Objects that came from the host are passed back unchanged.
 */
function toHostValue(value: TwigValue, depth = 0): unknown {
  if (depth > 64) throw new TypeError('The argument nests too deeply.');
  if (value === undefined) return null;
  if (value instanceof Map || Array.isArray(value)) spendSteps(1);
  if (value instanceof Map) return hashToObject(value, depth);
  if (Array.isArray(value)) {
    return value.some((item) => item instanceof Map || Array.isArray(item) || item instanceof TwigDate)
      ? value.map((item) => toHostValue(item, depth + 1))
      : value;
  }
  if (value instanceof TwigDate) return new Date(value.epochMs);
  if (value instanceof TwigArrow) throw new TypeError('An arrow function cannot be passed to this function.');
  if (value instanceof EngineValue) throw new TypeError('Only data can be passed to this function.');
  return value;
}

function hashToObject(map: Map<Key, TwigValue>, depth: number): Record<string, unknown> {
  const object: Record<string, unknown> = Object.create(null);
  for (const key of keysOf(map)) object[key] = toHostValue(readKey(map, key), depth + 1);
  return object;
}

/** Accepts only data from the host: no functions, no promises. */
function fromHostValue(value: unknown): TwigValue {
  if (value === undefined) return null;
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError('The function returned a value that is not data.');
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof SafeHtml || isDate(value)) return value;
  if (typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function') {
    throw new TypeError('The function returned a promise: templates are rendered synchronously.');
  }
  return value;
}

function call(state: RenderState, run: HostCallable, args: TwigValue[], named: Map<Key, TwigValue> | null): TwigValue {
  enter(state);
  const result = fromHostValue(
    run(
      args.map((arg) => toHostValue(arg)),
      named ? hashToObject(named, 0) : {},
    ),
  );
  state.depth--;
  return result;
}

/** Calls a host function. */
export function hostFunction(
  state: RenderState,
  name: string,
  args: TwigValue[],
  named: Map<Key, TwigValue> | null,
): TwigValue {
  return call(state, state.functions[name]!, args, named);
}

/** Calls a host filter; its operand is the first argument. */
export function hostFilter(
  state: RenderState,
  name: string,
  value: TwigValue,
  args: TwigValue[],
  named: Map<Key, TwigValue> | null,
): TwigValue {
  return call(state, state.filters[name]!, [value, ...args], named);
}

/** Calls a host test. */
export function hostTest(
  state: RenderState,
  name: string,
  value: TwigValue,
  args: TwigValue[],
  named: Map<Key, TwigValue> | null,
): boolean {
  return truthy(call(state, state.tests[name]!, [value, ...args], named));
}
