/**
 * Returns whether text is an absolute http(s) URL that can be passed on unchanged: without credentials, spaces,
 * backslashes and control characters, which programs interpret differently.
 */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[^/?#]/i.test(text) || /[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.username === '' && url.password === '';
}
