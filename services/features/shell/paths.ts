import { invalid } from '../../core/errors.ts';

/** The file types of a shell (spec: Shell file; contract: Shell paths), and the content type of each. */
const shellContentTypes: Readonly<Record<string, string>> = {
  twig: 'text/x-twig; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
};

export const shellMaxBytes = 5_000_000;
const maxPathBytes = 255;

function extensionOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

export function contentTypeOf(path: string): string {
  return shellContentTypes[extensionOf(path)] ?? 'application/octet-stream';
}

/**
 * Returns why a path cannot name a shell file, as the rest of a sentence; null for a valid path (contract: Shell
 * paths).
 */
export function findPathFault(path: string): string | null {
  if (path === '') return 'must not be empty';
  if (Buffer.byteLength(path) > maxPathBytes) return `must be at most ${maxPathBytes} bytes`;
  if (/[\u0000-\u001f\u007f-\u009f]/.test(path)) return 'must not contain control characters';
  if (path.includes('\\')) return 'must not contain a backslash';
  for (const segment of path.split('/')) {
    if (segment === '') return 'must be relative, without empty segments';
    if (segment.startsWith('.')) return 'must not have a segment that begins with a dot';
  }
  return null;
}

/**
 * Decodes the percent-encoded path of a shell file in a URL, once. Throws 422 for an invalid path (contract: Shell
 * paths).
 */
export function requireShellPath(encoded: string): string {
  let path: string;
  try {
    path = decodeURIComponent(encoded);
  } catch {
    throw invalid([{ path: 'path', message: 'must be percent-encoded UTF-8' }]);
  }
  return checkShellPath(path);
}

/** Applies the same rules to a decoded path. */
export function checkShellPath(path: string): string {
  const fault = findPathFault(path);
  if (fault) throw invalid([{ path: 'path', message: `the path of a shell file ${fault}` }]);
  return path;
}

/** Returns why a path cannot be written; it must also have one of the allowed extensions (spec: Shell file). */
export function findWriteFault(path: string): string | null {
  const fault = findPathFault(path);
  if (fault || Object.hasOwn(shellContentTypes, extensionOf(path))) return fault;
  const allowed = Object.keys(shellContentTypes).map((extension) => `.${extension}`);
  return `must end in one of ${allowed.join(', ')}`;
}

/** Throws 422 for a path that cannot be written. */
export function requireWritablePath(path: string): void {
  const fault = findWriteFault(path);
  if (fault) throw invalid([{ path: 'path', message: `the path of a shell file ${fault}` }]);
}

/**
 * Limits of a whole theme as one archive. They apply to the unpacked data, so that a small archive cannot use much
 * memory.
 */
export const themeLimits = {
  archiveBytes: 32 * 1024 * 1024,
  unpackedBytes: 64 * 1024 * 1024,
  entries: 2_000,
  /** Number of archives that a process unpacks concurrently; each is in memory meanwhile. */
  atOnce: 3,
} as const;

/** Returns the rules above as data, for the authoring guide. */
export function describeShellPaths() {
  const { archiveBytes, unpackedBytes, entries } = themeLimits;
  return {
    archive: {
      formats: ['tar', 'tar.gz', 'zip'],
      max_bytes: archiveBytes,
      max_unpacked_bytes: unpackedBytes,
      max_entries: entries,
    },
    max_path_bytes: maxPathBytes,
    max_file_bytes: shellMaxBytes,
    content_types: { ...shellContentTypes },
    rules: [
      'relative, segments separated by /',
      'no empty segment and none that begins with a dot',
      'no backslash, no control character, no NUL; checked after percent-decoding, which is done once',
    ],
  };
}
