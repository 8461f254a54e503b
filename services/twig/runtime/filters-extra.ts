import anyAscii from 'any-ascii';
import { castNumber } from './arithmetic.ts';
import { isCollection, keysOf, readKey } from './collections.ts';
import { toDate } from './dates.ts';
import { declare } from './declare.ts';
import { escapeUrl } from './escape.ts';
import { localeOf, withIntl } from './locale.ts';
import type { RenderState } from './state.ts';
import { type TwigValue, toText } from './values.ts';

function displayName(
  type: 'region' | 'currency' | 'language',
  value: TwigValue,
  locale: TwigValue,
  languageDisplay: 'dialect' | 'standard' = 'dialect',
): string {
  const code = toText(value).replaceAll('_', '-');
  if (code === '') return '';
  const names = () => new Intl.DisplayNames([localeOf(locale)], { type, languageDisplay });
  return withIntl('Unknown name', () => names().of(code) ?? code);
}

function currencySymbol(_state: RenderState, value: TwigValue, locale: TwigValue): string {
  const currency = toText(value);
  if (currency === '') return '';
  const options = { style: 'currency', currency } as const;
  const parts = withIntl('Unknown currency', () => new Intl.NumberFormat(localeOf(locale), options).formatToParts(0));
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

function formatCurrency(
  _state: RenderState,
  amount: TwigValue,
  currency: TwigValue,
  attributes: TwigValue,
  locale: TwigValue,
): string {
  const digits = numberOptions(attributes);
  const options = { style: 'currency', currency: toText(currency), ...digits } as const;
  return withIntl('Unknown currency', () =>
    new Intl.NumberFormat(localeOf(locale), options).format(castNumber(amount)),
  );
}

const roundingModes = {
  ceiling: 'ceil',
  floor: 'floor',
  down: 'trunc',
  up: 'expand',
  half_even: 'halfEven',
  halfeven: 'halfEven',
  halfdown: 'halfTrunc',
  halfup: 'halfExpand',
} as const;

/** Converts the attributes of the number filters; ICU rounds halves to even by default. */
function numberOptions(attributes: TwigValue): Intl.NumberFormatOptions {
  const options: Intl.NumberFormatOptions & { roundingMode?: string } = { roundingMode: 'halfEven' };
  if (!isCollection(attributes)) return options;
  for (const key of keysOf(attributes)) {
    const raw = readKey(attributes, key);
    const value = castNumber(raw);
    if (key === 'fraction_digit' || key === 'min_fraction_digit') options.minimumFractionDigits = value;
    if (key === 'fraction_digit' || key === 'max_fraction_digit') options.maximumFractionDigits = value;
    if (key === 'grouping_used') options.useGrouping = value !== 0;
    if (key === 'rounding_mode')
      options.roundingMode = roundingModes[toText(raw) as keyof typeof roundingModes] ?? 'halfEven';
  }
  return options;
}

function formatNumber(
  _state: RenderState,
  value: TwigValue,
  attributes: TwigValue,
  style: TwigValue,
  _type: TwigValue,
  locale: TwigValue,
): string {
  const kind = toText(style ?? 'decimal');
  const shape = numberStyles[kind as keyof typeof numberStyles];
  if (!shape) throw new TypeError(`The number style "${kind}" is not supported.`);
  const options: Intl.NumberFormatOptions = { ...shape, ...numberOptions(attributes) };
  return withIntl('Unknown locale', () => new Intl.NumberFormat(localeOf(locale), options).format(castNumber(value)));
}

const numberStyles = {
  decimal: { style: 'decimal' },
  percent: { style: 'percent' },
  scientific: { style: 'decimal', notation: 'scientific' },
} as const satisfies Record<string, Intl.NumberFormatOptions>;

const styledNumber = (style: string) =>
  declare(`format_${style}_number`, '|attrs type locale', (state, value, attributes, type, locale) =>
    formatNumber(state, value, attributes, style, type, locale),
  );

type DateStyle = Intl.DateTimeFormatOptions['dateStyle'];

function formatDateTime(
  state: RenderState,
  value: TwigValue,
  date: TwigValue,
  time: TwigValue,
  zone: TwigValue,
  locale: TwigValue,
): string {
  const moment = toDate(state, value, zone);
  const style = (name: TwigValue): DateStyle => {
    const text = toText(name ?? 'medium');
    if (text === 'none') return undefined;
    if (!['full', 'long', 'medium', 'short'].includes(text))
      throw new TypeError(`The date format "${text}" does not exist.`);
    return text as DateStyle;
  };
  const options: Intl.DateTimeFormatOptions = { timeZone: moment.zone };
  const [dateStyle, timeStyle] = [style(date), style(time)];
  if (dateStyle) options.dateStyle = dateStyle;
  if (timeStyle) options.timeStyle = timeStyle;
  if (!dateStyle && !timeStyle) return '';
  return withIntl('Unknown locale', () => new Intl.DateTimeFormat(localeOf(locale), options).format(moment.epochMs));
}

/** Returns a `data:` URL as PHP's Twig does: base64 unless the type is text. */
function dataUri(_state: RenderState, value: TwigValue, mime: TwigValue, parameters: TwigValue): string {
  const data = toText(value);
  const pairs = keysOf(parameters).map((key) => `;${key}=${escapeUrl(toText(readKey(parameters, key)))}`);
  const type = toText(mime ?? 'text/plain') + pairs.join('');
  if (type.startsWith('text/')) return `data:${type},${escapeUrl(data)}`;
  return `data:${type};base64,${Buffer.from(data, 'utf8').toString('base64')}`;
}

function slug(_state: RenderState, value: TwigValue, separator: TwigValue): string {
  const glue = toText(separator ?? '-');
  const words = anyAscii(toText(value)).match(/[A-Za-z0-9]+/g) ?? [];
  return words.join(glue);
}

/** Filters of Twig's extra packages that need no external service. */
export const extraFilters = [
  declare('country_name', '|locale', (_state, value, locale) => displayName('region', value, locale)),
  declare('currency_name', '|locale', (_state, value, locale) => displayName('currency', value, locale)),
  declare('currency_symbol', '|locale', currencySymbol),
  declare('data_uri', '|mime parameters', dataUri),
  declare('format_currency', 'currency|attrs locale', formatCurrency),
  declare(
    'format_date',
    '|dateFormat pattern timezone calendar locale',
    (state, value, style, _pattern, zone, _calendar, locale) =>
      formatDateTime(state, value, style, 'none', zone, locale),
  ),
  declare(
    'format_datetime',
    '|dateFormat timeFormat pattern timezone calendar locale',
    (state, value, date, time, _pattern, zone, _calendar, locale) =>
      formatDateTime(state, value, date, time, zone, locale),
  ),
  declare('format_number', '|attrs style type locale', formatNumber),
  styledNumber('decimal'),
  styledNumber('percent'),
  styledNumber('scientific'),
  declare(
    'format_time',
    '|timeFormat pattern timezone calendar locale',
    (state, value, style, _pattern, zone, _calendar, locale) =>
      formatDateTime(state, value, 'none', style, zone, locale),
  ),
  declare('language_name', '|locale', (_state, value, locale) => displayName('language', value, locale)),
  declare('locale_name', '|locale', (_state, value, locale) => displayName('language', value, locale, 'standard')),
  declare('slug', '|separator locale', slug),
];
