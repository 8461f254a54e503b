const linkSchemes = ['http', 'https', 'mailto', 'tel'];
const mediaUrlPattern = /^media:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the scheme of a URL in lower case, undefined for a relative one. */
const schemeOf = (url: string): string | undefined => /^([^/?#\\]*?):/.exec(url)?.[1]?.toLowerCase();

const isClean = (url: string): boolean => url.length <= 8192 && !/[\0-\x1f\x7f]|<!--/.test(url) && url === url.trim();

/** Whether the sanitizer keeps this value of `href` as it is. The service checks again; a test compares both. */
export function isAllowedLink(url: string): boolean {
  const scheme = schemeOf(url);
  return isClean(url) && (scheme === undefined || linkSchemes.includes(scheme));
}

/** Whether the sanitizer keeps this value of an image's `src` as it is. */
export function isAllowedImage(url: string): boolean {
  const scheme = schemeOf(url);
  return isClean(url) && (scheme === undefined || ['http', 'https'].includes(scheme) || mediaUrlPattern.test(url));
}

/** The id of the library's image that a `src` names, else undefined. */
export const mediaIdOf = (url: string): string | undefined => (mediaUrlPattern.test(url) ? url.slice(6) : undefined);
