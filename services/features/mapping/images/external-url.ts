const nowhere = 'https://relative.invalid';

/** What can be fetched from outside: an absolute http(s) URL without its fragment, or null for everything else. */
export function externalUrl(text: string): string | null {
  const trimmed = text.trim();
  if (!URL.canParse(trimmed, nowhere)) return null;
  const url = new URL(trimmed, nowhere);
  if (!/^https?:$/.test(url.protocol) || url.origin === nowhere) return null;
  url.hash = '';
  return url.href;
}

/** Whether a reference is meant to lead outside, also one that no URL can be made of. */
export function isMeantExternal(text: string): boolean {
  return externalUrl(text) !== null || /^\s*(https?:)?[\\/]{2}/i.test(text);
}
