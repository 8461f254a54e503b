import { type TwigValue, toText } from './values.ts';

/** A locale as JavaScript names it; English when a template names none. */
export const localeOf = (locale: TwigValue) => toText(locale ?? 'en').replaceAll('_', '-') || 'en';

/** Runs what needs a locale or a code, turning the engine's RangeError into a sentence. */
export function withIntl<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) throw new TypeError(`${what}: ${error.message}`);
    throw error;
  }
}
