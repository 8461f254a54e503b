import anyAscii from 'any-ascii';
import { castNumber } from './arithmetic.ts';
import { isCollection, keysOf, readKey } from './collections.ts';
import { toDate } from './dates.ts';
import { declare } from './declare.ts';
import type { RenderState } from './state.ts';
import { type TwigValue, toText } from './values.ts';

const localeOf = (locale: TwigValue) => toText(locale ?? 'en').replaceAll('_', '-') || 'en';

/** Runs what needs a locale or a code, turning the engine's RangeError into a sentence. */
function withIntl<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) throw new TypeError(`${what}: ${error.message}`);
    throw error;
  }
}

function displayName(type: 'region' | 'currency' | 'language', value: TwigValue, locale: TwigValue): string {
  const code = toText(value);
  if (code === '') return '';
  return withIntl(
    'Unknown name',
    () => new Intl.DisplayNames([localeOf(locale)], { type }).of(code.replaceAll('_', '-')) ?? code,
  );
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
  const digits = fractionDigits(attributes);
  const options = { style: 'currency', currency: toText(currency), ...digits } as const;
  return withIntl('Unknown currency', () =>
    new Intl.NumberFormat(localeOf(locale), options).format(castNumber(amount)),
  );
}

function fractionDigits(attributes: TwigValue): Intl.NumberFormatOptions {
  if (!isCollection(attributes)) return {};
  const options: Intl.NumberFormatOptions = {};
  for (const key of keysOf(attributes)) {
    const value = castNumber(readKey(attributes, key));
    if (key === 'fraction_digit' || key === 'min_fraction_digit') options.minimumFractionDigits = value;
    if (key === 'fraction_digit' || key === 'max_fraction_digit') options.maximumFractionDigits = value;
    if (key === 'grouping_used') options.useGrouping = value !== 0;
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
  if (kind !== 'decimal' && kind !== 'percent') throw new TypeError(`The number style "${kind}" is not supported.`);
  const options: Intl.NumberFormatOptions = { style: kind, ...fractionDigits(attributes) };
  return withIntl('Unknown locale', () => new Intl.NumberFormat(localeOf(locale), options).format(castNumber(value)));
}

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

/** PHP's `data:` URLs: base64 unless the type is text. */
function dataUri(_state: RenderState, value: TwigValue, mime: TwigValue): string {
  const data = toText(value);
  const type = toText(mime ?? 'text/plain');
  if (type.startsWith('text/'))
    return `data:${type},${encodeURIComponent(data.toWellFormed()).replace(/[!'()*]/g, encodeRest)}`;
  return `data:${type};base64,${Buffer.from(data, 'utf8').toString('base64')}`;
}

const encodeRest = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

function slug(_state: RenderState, value: TwigValue, separator: TwigValue): string {
  const glue = toText(separator ?? '-');
  const words = anyAscii(toText(value)).match(/[A-Za-z0-9]+/g) ?? [];
  return words.join(glue);
}

/** Filters of Twig's extra packages that make sense without a service behind them. */
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
  declare(
    'format_time',
    '|timeFormat pattern timezone calendar locale',
    (state, value, style, _pattern, zone, _calendar, locale) =>
      formatDateTime(state, value, 'none', style, zone, locale),
  ),
  declare('language_name', '|locale', (_state, value, locale) => displayName('language', value, locale)),
  declare('locale_name', '|locale', (_state, value, locale) => displayName('language', value, locale)),
  declare('slug', '|separator locale', slug),
];
