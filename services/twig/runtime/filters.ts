import type { Argument } from '../parse/ast.ts';
import { castInteger, castNumber, toNumber } from './arithmetic.ts';
import { countOf, isCollection, keysOf, readKey, valuesOf } from './collections.ts';
import { dateFilter, dateModifyFilter } from './dates.ts';
import { declare } from './declare.ts';
import { escapeUrl, escapeValue } from './escape.ts';
import { jsonEncode } from './json.ts';
import {
  batchList,
  columnOf,
  filterList,
  findInList,
  firstOrLast,
  mapList,
  mergeLists,
  reduceList,
  reverseValue,
  shuffleList,
  sortList,
} from './lists.ts';
import { expectArrow } from './operators.ts';
import { roundHalfUp, sprintf, toFixed } from './sprintf.ts';
import { boundText, enter, type RenderState, takeSteps } from './state.ts';
import { capitalize, join, lengthOf, replacePairs, slice, split, stripTags, titleCase, trim } from './strings.ts';
import { isEmpty, type TwigValue, toText } from './values.ts';

const attributeStrategies = ['html_attr', 'html_attr_relaxed'];

const escapeSafety = (args: Argument[]): readonly string[] => {
  const first = args.find((argument) => argument.name === null || argument.name === 'strategy');
  if (!first) return ['html'];
  if (first.value.type !== 'constant') return [];
  const strategy = String(first.value.value);
  return attributeStrategies.includes(strategy) ? ['html', 'html_attr', strategy] : [strategy];
};

const escapeFilter = (_state: RenderState, value: TwigValue, strategy: TwigValue = 'html') =>
  escapeValue(value, toText(strategy), false);

/** Implements `arrow|invoke(…)`; an arrow function may invoke itself, so it counts as a nested call. */
function invoke(state: RenderState, arrow: TwigValue, ...values: TwigValue[]): TwigValue {
  enter(state);
  const result = expectArrow(arrow, '"invoke" filter')(...values);
  state.depth--;
  return result;
}

/** The filters of Twig's core, as listed in its reference. */
export const coreFilters = [
  declare('abs', '', (_state, value) => Math.abs(toNumber(value))),
  declare('batch', 'size|fill preserve_keys', batchList),
  declare('capitalize', '', (_state, value) => capitalize(toText(value))),
  declare('column', 'name|index', columnOf),
  declare('convert_encoding', 'to from', convertEncoding),
  declare('date', '|format timezone', dateFilter),
  declare('date_modify', 'modifier', dateModifyFilter),
  declare('default', '|default', (_state, value, fallback = '') => (isEmpty(value) ? fallback : value)),
  declare('e', '|strategy charset', escapeFilter, { safe: escapeSafety }),
  declare('escape', '|strategy charset', escapeFilter, { safe: escapeSafety }),
  declare('filter', 'arrow', filterList),
  declare('find', 'arrow', findInList),
  declare('first', '', (_state, value) => firstOrLast(value, 'first')),
  declare('format', '|values', (state, format, ...values) => boundText(sprintf(toText(format), values), state)),
  declare('invoke', '|arguments', invoke),
  declare('join', '|glue and', (state, value, glue = '', and = null) => join(state, value, glue, and)),
  declare('json_encode', '|options depth', jsonEncode),
  declare('keys', '', (_state, value) => keysOf(value)),
  declare('last', '', (_state, value) => firstOrLast(value, 'last')),
  declare('length', '', (_state, value) => (isCollection(value) ? countOf(value) : lengthOf(toText(value)))),
  declare('lower', '', (_state, value) => toText(value).toLowerCase()),
  declare('map', 'arrow', mapList),
  declare('merge', '|arrays', mergeLists),
  declare('nl2br', '', (state, value) => boundText(toText(value).replace(/\r\n|\n\r|\n|\r/g, '<br />$&'), state), {
    safe: ['html'],
    preEscape: 'html',
  }),
  declare('number_format', '|decimal decimal_point thousand_sep', numberFormat),
  declare('raw', '', (_state, value) => value, { safe: ['all'] }),
  declare('reduce', 'arrow|initial', reduceList),
  declare('replace', 'from', (state, value, pairs) => boundText(replacePairs(state, toText(value), pairs), state)),
  declare('reverse', '|preserve_keys', reverseValue),
  declare('round', '|precision method', round),
  declare('shuffle', '', shuffleList),
  declare('slice', 'start|length preserve_keys', (state, value, start, length, preserve) => {
    takeSteps(state, 1);
    return slice(value, start, length, preserve);
  }),
  declare('sort', '|arrow', sortList),
  declare('spaceless', '', (_state, value) => trim(toText(value).replace(/>[ \t\n\r\f\v]+</g, '><'), null, 'both'), {
    safe: ['html'],
    preEscape: 'html',
  }),
  declare('split', 'delimiter|limit', (state, value, delimiter, limit) =>
    split(state, toText(value), toText(delimiter), limit),
  ),
  declare('striptags', '|allowable_tags', (_state, value, allowed) => stripTags(toText(value), allowed)),
  declare('title', '', (_state, value) => titleCase(toText(value))),
  declare('trim', '|character_mask side', (_state, value, mask, side) => trim(value, mask, side)),
  declare('upper', '', (_state, value) => toText(value).toUpperCase()),
  declare('url_encode', '', (state, value) =>
    isCollection(value) ? buildQuery(state, value, null) : escapeUrl(toText(value)),
  ),
];

function numberFormat(
  _state: RenderState,
  value: TwigValue,
  decimals: TwigValue,
  point: TwigValue,
  separator: TwigValue,
): string {
  const places = decimals === null || decimals === undefined ? 0 : Math.max(castInteger(decimals), 0);
  const fixed = toFixed(castNumber(value), places);
  const [whole = '0', fraction] = fixed.replace('-', '').split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, () =>
    separator === null || separator === undefined ? ',' : toText(separator),
  );
  const sign = fixed.startsWith('-') && /[1-9]/.test(fixed) ? '-' : '';
  const dot = point === null || point === undefined ? '.' : toText(point);
  return sign + grouped + (fraction === undefined ? '' : dot + fraction);
}

function round(_state: RenderState, value: TwigValue, precision: TwigValue = 0, method: TwigValue = 'common'): number {
  const [number, places] = [castNumber(value), castInteger(precision)];
  const how = toText(method);
  if (how === 'common') return roundHalfUp(number, places);
  if (how !== 'ceil' && how !== 'floor') {
    throw new TypeError('The round filter only supports the "common", "ceil", and "floor" methods.');
  }
  const factor = 10 ** places;
  return (how === 'ceil' ? Math.ceil(number * factor) : Math.floor(number * factor)) / factor + 0;
}

/** Texts are Unicode: only conversions between compatible encodings are supported. */
function convertEncoding(_state: RenderState, value: TwigValue, to: TwigValue, from: TwigValue): string {
  const known = /^(utf-?8|us-ascii|ascii|iso-8859-1|latin1)$/i;
  for (const name of [to, from]) {
    if (!known.test(toText(name))) throw new TypeError(`The encoding "${toText(name).slice(0, 40)}" is not supported.`);
  }
  return toText(value);
}

/** Implements PHP's `http_build_query` with RFC 3986: nested members in brackets, nulls omitted. */
function buildQuery(state: RenderState, value: TwigValue, prefix: string | null): string {
  takeSteps(state, valuesOf(value).length);
  const parts = keysOf(value).map((key) => {
    const item = readKey(value, key);
    const name = prefix === null ? escapeUrl(String(key)) : `${prefix}%5B${escapeUrl(String(key))}%5D`;
    if (isCollection(item)) return buildQuery(state, item, name);
    if (item === null || item === undefined) return '';
    return `${name}=${escapeUrl(item === false ? '0' : toText(item))}`;
  });
  return parts.filter((part) => part !== '').join('&');
}
