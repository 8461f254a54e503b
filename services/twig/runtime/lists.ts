import { castInteger } from './arithmetic.ts';
import {
  attribute,
  type Collection,
  expectCollection,
  fromEntries,
  isCollection,
  type Key,
  keysOf,
  nextIndex,
  normaliseKey,
  readKey,
  renumber,
  valuesOf,
} from './collections.ts';
import { compare } from './compare.ts';
import { expectArrow } from './operators.ts';
import { type RenderState, takeSteps } from './state.ts';
import { charactersOf, slice } from './strings.ts';
import { type TwigValue, toText, truthy } from './values.ts';

function open(state: RenderState, value: TwigValue, who: string): { keys: Key[]; values: TwigValue[] } {
  const collection = expectCollection(value, who);
  const keys = keysOf(collection);
  takeSteps(state, keys.length);
  return { keys, values: valuesOf(collection) };
}

/** Implements the filter `filter`; keeps the keys. */
export function filterList(state: RenderState, value: TwigValue, arrow: TwigValue): Collection {
  const { keys, values } = open(state, value, 'The "filter" filter');
  const call = expectArrow(arrow, '"filter" filter');
  const kept = keys.map((_key, index) => index).filter((index) => truthy(call(values[index], keys[index])));
  return fromEntries(
    kept.map((index) => keys[index]!),
    kept.map((index) => values[index]),
  );
}

/** Implements the filter `map`; keeps the keys. */
export function mapList(state: RenderState, value: TwigValue, arrow: TwigValue): Collection {
  const { keys, values } = open(state, value, 'The "map" filter');
  const call = expectArrow(arrow, '"map" filter');
  return fromEntries(
    keys,
    values.map((item, index) => call(item, keys[index]) ?? null),
  );
}

/** Implements the filter `reduce`. */
export function reduceList(state: RenderState, value: TwigValue, arrow: TwigValue, initial: TwigValue): TwigValue {
  const { keys, values } = open(state, value, 'The "reduce" filter');
  const call = expectArrow(arrow, '"reduce" filter');
  return values.reduce((carry, item, index) => call(carry, item, keys[index]), initial ?? null);
}

/** Implements the filter `find`: returns the first match, or null. */
export function findInList(state: RenderState, value: TwigValue, arrow: TwigValue): TwigValue {
  const { keys, values } = open(state, value, 'The "find" filter');
  const call = expectArrow(arrow, '"find" filter');
  const index = values.findIndex((item, place) => truthy(call(item, keys[place])));
  return index < 0 ? null : values[index];
}

/** Implements the filter `sort`; keeps the keys. An arrow function compares. */
export function sortList(state: RenderState, value: TwigValue, arrow: TwigValue): Collection {
  const { keys, values } = open(state, value, 'The "sort" filter');
  takeSteps(state, keys.length * Math.ceil(Math.log2(keys.length + 1)));
  const call = arrow === null || arrow === undefined ? null : expectArrow(arrow, '"sort" filter');
  const order = call ? (a: TwigValue, b: TwigValue) => castInteger(call(a, b)) : compare;
  const places = keys.map((_key, index) => index).sort((a, b) => order(values[a], values[b]));
  return fromEntries(
    places.map((place) => keys[place]!),
    places.map((place) => values[place]),
  );
}

/** Implements the filter `merge`: names are overridden, numeric keys are numbered again. */
export function mergeLists(state: RenderState, ...lists: TwigValue[]): Collection {
  if (lists.every(Array.isArray)) {
    takeSteps(
      state,
      lists.reduce((sum, list) => sum + list.length, 0),
    );
    return lists.flat(1);
  }
  const merged = new Map<Key, TwigValue>();
  let next = 0;
  for (const list of lists) {
    const { keys, values } = open(state, list, 'The "merge" filter');
    keys.forEach((key, index) => {
      merged.set(typeof key === 'number' ? next++ : key, values[index]);
    });
  }
  return fromEntries([...merged.keys()], [...merged.values()]);
}

/** Implements the filter `reverse`: reverses the characters of a text, or the order of a list. */
export function reverseValue(state: RenderState, value: TwigValue, preserveKeys: TwigValue): TwigValue {
  if (!isCollection(value)) return charactersOf(toText(value)).reverse().join('');
  const { keys, values } = open(state, value, 'The "reverse" filter');
  const reversed = keys.toReversed();
  return fromEntries(preserveKeys ? reversed : renumber(reversed), values.toReversed());
}

/** Implements the filter `batch`: pieces of a given size, the last one padded if a filler is given. */
export function batchList(
  state: RenderState,
  value: TwigValue,
  size: TwigValue,
  fill: TwigValue,
  preserveKeys: TwigValue = true,
): Collection {
  const { keys, values } = open(state, value, 'The "batch" filter');
  const count = Math.ceil(Number(toText(size)) || 0);
  if (count < 1) throw new TypeError('The size of a batch must be at least 1.');
  const batches: TwigValue[] = [];
  for (let start = 0; start < keys.length; start += count) {
    const names = keys.slice(start, start + count);
    const items = values.slice(start, start + count);
    batches.push(fillBatch(state, preserveKeys ? names : names.map((_key, index) => index), items, count, fill));
  }
  return batches;
}

function fillBatch(state: RenderState, keys: Key[], values: TwigValue[], count: number, fill: TwigValue): Collection {
  if (fill === null || fill === undefined || values.length === count) return fromEntries(keys, values);
  takeSteps(state, count);
  const map = new Map(keys.map((key, index) => [key, values[index]]));
  let next = nextIndex(map);
  for (let missing = count - values.length; missing > 0; missing--) map.set(next++, fill);
  return fromEntries([...map.keys()], [...map.values()]);
}

/** Implements the filter `column`: one member of every row that has it, optionally keyed by another member. */
export function columnOf(state: RenderState, value: TwigValue, name: TwigValue, index: TwigValue): Collection {
  const { values } = open(state, value, 'The "column" filter');
  const result = new Map<Key, TwigValue>();
  let next = 0;
  for (const row of values) {
    const found = name === null || name === undefined ? row : attribute(row, normaliseKey(name));
    if (found === undefined) continue;
    const label = index === null || index === undefined ? undefined : attribute(row, normaliseKey(index));
    const key = label === undefined ? next : normaliseKey(label);
    if (typeof key === 'number' && key >= next) next = key + 1;
    result.set(key, found);
  }
  return fromEntries([...result.keys()], [...result.values()]);
}

/** Implements the filters `first` and `last`. */
export function firstOrLast(value: TwigValue, side: 'first' | 'last'): TwigValue {
  const piece = slice(value, side === 'first' ? 0 : -1, 1, false);
  if (typeof piece === 'string') return piece;
  return valuesOf(piece)[0] ?? null;
}

/** Implements the filter `shuffle`: keys are lost, as in PHP. */
export function shuffleList(state: RenderState, value: TwigValue): TwigValue[] {
  const shuffled = [...open(state, value, 'The "shuffle" filter').values];
  for (let index = shuffled.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1));
    [shuffled[index], shuffled[other]] = [shuffled[other], shuffled[index]];
  }
  return shuffled;
}

/** Implements `max` and `min`: of a list, or of all arguments. */
export function maxOrMin(state: RenderState, args: TwigValue[], direction: 1 | -1): TwigValue {
  const values = args.length === 1 ? open(state, args[0], direction > 0 ? '"max"' : '"min"').values : args;
  if (values.length === 0) throw new TypeError('There must be at least one value to choose from.');
  return values.reduce((best, value) => (compare(value, best) * direction > 0 ? value : best));
}

/** Implements `random`: a number up to a given one, a character of a text, or a member of a list. */
export function randomValue(state: RenderState, values: TwigValue, max: TwigValue): TwigValue {
  const between = (low: number, high: number) => low + Math.floor(Math.random() * (high - low + 1));
  if (values === null || values === undefined)
    return between(0, max === null || max === undefined ? 2147483647 : castInteger(max));
  if (typeof values === 'number') {
    if (max !== null && max !== undefined) return between(Math.trunc(values), castInteger(max));
    return values < 0 ? between(Math.trunc(values), 0) : between(0, Math.trunc(values));
  }
  if (!isCollection(values)) {
    const characters = charactersOf(toText(values));
    return characters[between(0, characters.length - 1)] ?? '';
  }
  const keys = keysOf(values);
  takeSteps(state, 1);
  if (keys.length === 0) throw new TypeError('The random function cannot pick from an empty array.');
  return readKey(values, keys[between(0, keys.length - 1)]!);
}
