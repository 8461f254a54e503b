import path from 'node:path';

function decode(file: string): string {
  try {
    return decodeURI(file);
  } catch {
    return file;
  }
}

/**
 * Resolves a URL in a shell file, relative to that file or the shell's root, to the shell file it refers to. Returns
 * null for other hosts, data URLs and fragments.
 */
export function resolveShellUrl(url: string, from: string): string | null {
  const [, file = ''] = /^([^?#]*)/.exec(url) ?? [];
  if (file === '' || /^[a-z][a-z0-9+.-]*:/i.test(file) || file.startsWith('//')) return null;
  const plain = decode(file);
  const joined = plain.startsWith('/') ? plain.slice(1) : path.posix.join(path.posix.dirname(from), plain);
  return path.posix.normalize(joined);
}

/** Returns the query and fragment of a URL. */
export function urlSuffix(url: string): string {
  return /[?#].*$/s.exec(url)?.[0] ?? '';
}
