import { formatDate } from './date-format.ts';
import { modifyDate, parseDate } from './date-parse.ts';
import { normaliseZone } from './date-zone.ts';
import type { RenderState } from './state.ts';
import { isDate, TwigDate, type TwigValue, toText } from './values.ts';

/**
 * Converts a value to a date as Twig documents: null and 'now' are the current time, numbers are Unix time, strings are
 * parsed as in PHP. The zone is UTC by default; `false` keeps the date's own.
 */
export function toDate(state: RenderState, value: TwigValue, zone?: TwigValue): TwigDate {
  const shown = zone === null || zone === undefined ? 'UTC' : zone === false ? null : normaliseZone(toText(zone));
  const date = readValue(state, value, shown ?? 'UTC');
  return shown === null || shown === date.zone ? date : new TwigDate(date.epochMs, shown);
}

function readValue(state: RenderState, value: TwigValue, zone: string): TwigDate {
  if (isDate(value)) {
    const moment = value instanceof TwigDate ? value : new TwigDate(value.getTime());
    if (Number.isNaN(moment.epochMs)) throw new TypeError('The date is not valid.');
    return moment;
  }
  if (value === null || value === undefined) return new TwigDate(state.nowMs, zone);
  const text = toText(value);
  if (text.toLowerCase() === 'now') return new TwigDate(state.nowMs, zone);
  if (/^-?\d+$/.test(text) || typeof value === 'number') return new TwigDate(Math.trunc(Number(text)) * 1000, 'UTC');
  return parseDate(text, 'UTC', state.nowMs);
}

/** Implements the filter `date`. */
export function dateFilter(state: RenderState, value: TwigValue, format?: TwigValue, zone?: TwigValue): string {
  const pattern = format === null || format === undefined ? 'F j, Y H:i' : toText(format);
  return formatDate(toDate(state, value, zone), pattern);
}

/** Implements the filter `date_modify`. */
export function dateModifyFilter(state: RenderState, value: TwigValue, modifier: TwigValue): TwigDate {
  return modifyDate(toDate(state, value, false), toText(modifier));
}
