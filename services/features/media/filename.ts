const maxBytes = 200;
const fallbackName = 'file';
/** Control characters, invisible or direction-changing characters, and lone surrogates. */
const unwanted =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|\p{Cs}/gu;

function cutToBytes(text: string, limit: number): string {
  let cut = text;
  while (Buffer.byteLength(cut) > limit) cut = [...cut].slice(0, -1).join('');
  return cut;
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const extension = /\.[A-Za-z0-9]{1,16}$/.exec(name)?.[0] ?? '';
  const stem = name.slice(0, Math.min(name.length - extension.length, maxBytes));
  return cutToBytes(stem, maxBytes - extension.length) + extension;
}

/**
 * Returns a safe base name for the client's name of a file: no folders, no control or direction-changing characters, no
 * leading dots, at most 200 bytes, never empty. It is displayed and used for downloads, and decides nothing.
 */
export function cleanFilename(given: string): string {
  const base = given.toWellFormed().replace(unwanted, '').split(/[/\\]/).at(-1)!;
  const name = base
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/[<>:"|?*]/g, '_')
    .trim()
    .replace(/^[.\s]+/, '');
  return shorten(name).trim() || fallbackName;
}

/** Returns the name of a file from a URL: the last segment of its path. */
export function filenameOfUrl(url: string): string {
  const segment = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return cleanFilename(decodeURIComponent(segment));
  } catch {
    return cleanFilename(segment);
  }
}
