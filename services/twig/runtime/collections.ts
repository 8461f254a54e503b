import { type RenderState, takeSteps } from './state.ts';
import { isPlainObject, SafeHtml, type TwigValue } from './values.ts';

/** A key of a PHP array: a whole number or a string; `'1'` is the number 1. */
export type Key = string | number;

/** A list or a hash. */
export type Collection = TwigValue[] | Map<Key, TwigValue> | Record<string, TwigValue>;

/** Converts any value to a key, as PHP does. */
export function normaliseKey(value: TwigValue): Key {
  if (typeof value === 'string') return /^(0|-?[1-9]\d{0,15})$/.test(value) && value !== '-0' ? Number(value) : value;
  if (typeof value === 'number') return Number.isFinite(value) ? Math.trunc(value) : 0;
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof SafeHtml) return normaliseKey(value.html);
  throw new TypeError('A list or a hash cannot be a key.');
}

/** Returns whether a value can be looped over. */
export function isCollection(value: TwigValue): value is Collection {
  return Array.isArray(value) || value instanceof Map || isPlainObject(value);
}

/** Returns the values in order; empty for anything but a list or a hash. */
export function valuesOf(value: TwigValue): TwigValue[] {
  if (Array.isArray(value)) return value;
  if (value instanceof Map) return [...value.values()];
  return isPlainObject(value) ? Object.keys(value).map((key) => value[key]) : [];
}

/** Returns the keys in order. */
export function keysOf(value: TwigValue): Key[] {
  if (Array.isArray(value)) return value.map((_item, index) => index);
  if (value instanceof Map) return [...value.keys()];
  return isPlainObject(value) ? Object.keys(value).map(normaliseKey) : [];
}

/** Returns the keys in order, or null for a list, whose keys are its indexes. */
export function keysOrNull(value: TwigValue): Key[] | null {
  return Array.isArray(value) ? null : keysOf(value);
}

/** Returns the number of values. */
export function countOf(value: Collection): number {
  if (Array.isArray(value)) return value.length;
  return value instanceof Map ? value.size : Object.keys(value).length;
}

/** Returns a collection of these keys and values: an array when the keys are 0, 1, 2, …, otherwise a `Map`. */
export function fromEntries(keys: Key[], values: TwigValue[]): Collection {
  if (keys.every((key, index) => key === index)) return values;
  return new Map(keys.map((key, index) => [key, values[index]]));
}

/** Numbers numeric keys from zero again and keeps names, like PHP's array functions. */
export function renumber(keys: Key[]): Key[] {
  let next = 0;
  return keys.map((key) => (typeof key === 'number' ? next++ : key));
}

/** Returns whether the keys are 0, 1, 2, …; true for an empty collection. */
export function isList(value: TwigValue): boolean {
  if (Array.isArray(value)) return true;
  return isCollection(value) && keysOf(value).every((key, index) => key === index);
}

/** Returns the value of a key, undefined when not found. Reads only own members of plain values. */
export function readKey(value: TwigValue, key: Key): TwigValue {
  if (Array.isArray(value))
    return typeof key === 'number' && key >= 0 && key < value.length ? (value[key] ?? null) : undefined;
  if (value instanceof Map) return value.get(key);
  if (isPlainObject(value) && Object.hasOwn(value, key)) return value[key] ?? null;
  return undefined;
}

/** Returns the key for appending like PHP's `[]`: the next free whole number. */
export function nextIndex(map: Map<Key, TwigValue>): number {
  let next = 0;
  for (const key of map.keys()) if (typeof key === 'number' && key >= next) next = key + 1;
  return next;
}

/** Marks a spread in the flat list passed to `buildHash`. */
export const spreadMark: unique symbol = Symbol('spread');

/** Builds a hash from a flat list of keys and values. */
export function buildHash(state: RenderState, parts: unknown[]): Map<Key, TwigValue> {
  const map = new Map<Key, TwigValue>();
  for (let index = 0; index < parts.length; index += 2) {
    if (parts[index] === spreadMark) spreadInto(state, map, parts[index + 1]);
    else map.set(parts[index] as Key, parts[index + 1] ?? null);
  }
  return map;
}

function spreadInto(state: RenderState, map: Map<Key, TwigValue>, value: TwigValue): void {
  const values = spread(state, value);
  let next = nextIndex(map);
  keysOf(value).forEach((name, place) => {
    map.set(typeof name === 'number' ? next++ : name, values[place]);
  });
}

/** Builds a list from a flat list of marks and values; a mark is true when the value is spread. */
export function buildList(state: RenderState, parts: unknown[]): Collection {
  const keys: Key[] = [];
  const values: TwigValue[] = [];
  for (let index = 0; index < parts.length; index += 2) {
    const value = parts[index + 1];
    const isSpread = parts[index] === true;
    for (const name of isSpread ? keysOf(value) : [0]) keys.push(name);
    for (const item of isSpread ? spread(state, value) : [value]) values.push(item);
  }
  return fromEntries(renumber(keys), values);
}

/** Returns the values of a spread collection; each costs a step, so that lists cannot double indefinitely. */
export function spread(state: RenderState, value: TwigValue): TwigValue[] {
  const values = valuesOf(expectCollection(value, 'The spread operator'));
  takeSteps(state, values.length);
  return values;
}

/** Returns a value that is a list or a hash, otherwise throws an error that starts with `who`. */
export function expectCollection(value: TwigValue, who: string): Collection {
  if (isCollection(value)) return value;
  throw new TypeError(`${who} only works with lists and hashes, got ${typeName(value)}.`);
}

/** Returns PHP's name for the type of a value, for messages. */
export function typeName(value: TwigValue): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (typeof value === 'string') return 'string';
  return isCollection(value) ? 'array' : 'object';
}

/** Converts a value to a key, for generated code. */
export function key(value: TwigValue): Key {
  return normaliseKey(value);
}

/** Returns the own member of a plain value for `a.b` and `a['b']`; undefined when not found. */
export function attribute(target: TwigValue, name: Key): TwigValue {
  return typeof target === 'object' && target !== null ? readKey(target, name) : undefined;
}

/** Passes a value to code that destructures it, and returns the value. */
export function assign(value: TwigValue, write: (value: TwigValue) => void): TwigValue {
  write(value);
  return value;
}

/** Returns whether that member exists, even if null. */
export function hasAttribute(target: TwigValue, name: Key): boolean {
  if (Array.isArray(target)) return typeof name === 'number' && name >= 0 && name < target.length;
  if (target instanceof Map) return target.has(name);
  return isPlainObject(target) && Object.hasOwn(target, name);
}
