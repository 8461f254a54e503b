import { type TwigValue, toText } from './values.ts';

/** Returns a locale in JavaScript's form; English when a template names none. */
export const localeOf = (locale: TwigValue) => toText(locale ?? 'en').replaceAll('_', '-') || 'en';

/**
 * Runs code that depends on a locale or code, converting the engine's RangeError to a TypeError with a clear message.
 */
export function withIntl<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) throw new TypeError(`${what}: ${error.message}`);
    throw error;
  }
}
