import { type Collection, expectCollection, fromEntries, keysOf, valuesOf } from './collections.ts';
import { declare } from './declare.ts';
import { localeOf, withIntl } from './locale.ts';
import { expectArrow } from './operators.ts';
import { boundText, type RenderState, takeSteps } from './state.ts';
import { type TwigValue, toText } from './values.ts';

const listTypes = { and: 'conjunction', or: 'disjunction', units: 'unit' } as const;
const listWidths = { wide: 'long', short: 'short', narrow: 'narrow' } as const;

/** Returns one of a table's values by name; throws a `TypeError` that lists the names. */
function pick<T>(table: Record<string, T>, name: TwigValue, what: string): T {
  const text = toText(name);
  if (Object.hasOwn(table, text)) return table[text]!;
  throw new TypeError(`Unknown ${what} "${text.slice(0, 60)}" (valid ones: ${Object.keys(table).join(', ')}).`);
}

function formatList(
  state: RenderState,
  value: TwigValue,
  type: TwigValue = 'and',
  width: TwigValue = 'wide',
  locale: TwigValue = null,
): string {
  const items = valuesOf(expectCollection(value, 'The "format_list" filter'));
  takeSteps(state, items.length);
  const options = { type: pick(listTypes, type, 'list type'), style: pick(listWidths, width, 'list width') };
  return boundText(
    withIntl('Unknown locale', () => new Intl.ListFormat(localeOf(locale), options).format(items.map(toText))),
    state,
  );
}

/** Implements `sort_localized`; keeps the keys. An arrow function returns the sort key of each item. */
function sortLocalized(state: RenderState, value: TwigValue, arrow: TwigValue, locale: TwigValue): Collection {
  const collection = expectCollection(value, 'The "sort_localized" filter');
  const [keys, values] = [keysOf(collection), valuesOf(collection)];
  takeSteps(state, keys.length * Math.ceil(Math.log2(keys.length + 1)));
  const call = arrow === null || arrow === undefined ? null : expectArrow(arrow, '"sort_localized" filter');
  const texts = values.map((item) => toText(call ? call(item) : item));
  const { compare } = withIntl('Unknown locale', () => new Intl.Collator(localeOf(locale)));
  const places = keys.map((_key, index) => index).sort((a, b) => compare(texts[a]!, texts[b]!));
  return fromEntries(
    places.map((place) => keys[place]!),
    places.map((place) => values[place]),
  );
}

export const localeListFilters = [
  declare('format_list', '|type width locale', formatList),
  declare('sort_localized', '|arrow locale', sortLocalized),
];
