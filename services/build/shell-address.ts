import path from 'node:path';

function decode(file: string): string {
  try {
    return decodeURI(file);
  } catch {
    return file;
  }
}

/**
 * The shell file that an address in a file of the shell means, relative to that file or from the shell's root; null for other
 * hosts, data and fragments.
 */
export function shellTarget(address: string, from: string): string | null {
  const [, file = ''] = /^([^?#]*)/.exec(address) ?? [];
  if (file === '' || /^[a-z][a-z0-9+.-]*:/i.test(file) || file.startsWith('//')) return null;
  const plain = decode(file);
  const joined = plain.startsWith('/') ? plain.slice(1) : path.posix.join(path.posix.dirname(from), plain);
  return path.posix.normalize(joined);
}

/** What an address has after the name of the file. */
export function addressSuffix(address: string): string {
  return /[?#].*$/s.exec(address)?.[0] ?? '';
}
