import { z } from 'zod';

const maxLength = 35;

/**
 * Returns a BCP 47 tag in its canonical spelling (`pt-br` → `pt-BR`), or null. Extensions and private use are rejected
 * in URLs.
 */
export function canonicalLocale(text: string): string | null {
  if (text.length > maxLength || !/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(text)) return null;
  try {
    const locale = new Intl.Locale(text);
    return locale.baseName === locale.toString() ? locale.baseName : null;
  } catch {
    return null;
  }
}

/** Returns the name of a locale in English: `de` → `German`. */
export function localeName(locale: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language' }).of(locale) ?? locale;
}

export const localeText = z.string().transform((value, ctx) => {
  const canonical = canonicalLocale(value);
  if (canonical) return canonical;
  ctx.addIssue({ code: 'custom', message: 'must be a BCP 47 language tag such as en or pt-BR' });
  return z.NEVER;
});
