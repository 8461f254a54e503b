const nowhere = 'https://relative.invalid';

/** Returns the absolute http(s) URL without its fragment if it can be fetched from outside, otherwise null. */
export function externalUrl(text: string): string | null {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed, nowhere)) return null;
  const url = new URL(trimmed, nowhere);
  if (!/^https?:$/.test(url.protocol) || url.origin === nowhere) return null;
  url.hash = '';
  return url.href;
}

/** Returns whether a reference is meant to be external, even if it is not a valid URL. */
export function looksExternal(text: string): boolean {
  return externalUrl(text) !== null || /^\s*(https?:)?[\\/]{2}/i.test(text);
}
