import { decodePath } from '../core/public-paths.ts';
import type { HashedPlace } from '../engines/objects/store.ts';
import type { StoredTree } from './release-tree/tree.ts';

/**
 * A release is an immutable manifest: everything that visitors can request, by URL path, and where its bytes are
 * stored.
 *
 * Keys of `files` are URL paths relative to the site's root, percent-decoded, exactly as a browser requests them: a
 * page ends with a slash (`/`, `/posts/hello/`, `/fr/`), a file does not (`/feed.xml`, `/_assets/style.1a2b3c4d.css`).
 * Strings that many files share (object keys, types, policies) are stored once and referred to by index.
 */
export interface ManifestChunk {
  /** Object keys that `FileEntry` refers to. */
  packs: string[];
  /** Content types that `FileEntry` refers to. */
  types: string[];
  /** Content-Security-Policy values that `FileEntry` refers to. */
  policies: string[];
  files: Record<string, FileEntry>;
}

/** What a manifest contains besides its files. */
export interface ManifestHead {
  site: string;
  release: string;
  default_locale: string;
  /**
   * From a percent-decoded path to a path of the site or an absolute URL; chains are flattened. Redirects take
   * precedence over files.
   */
  redirects: Record<string, [to: string, status: number]>;
  /** The 404 page of each locale, longest prefix first; the last prefix is `/`. */
  not_found: [prefix: string, path: string][];
}

/** A manifest as one document. */
export interface Manifest extends ManifestHead, ManifestChunk {
  format: 1;
}

/**
 * A manifest whose files are in chunks of their own (release-tree/tree.ts). Workers of earlier versions read it as a
 * manifest without files, and render all pages.
 */
export interface ManifestRoot extends ManifestHead, ManifestChunk, StoredTree {
  format: 2;
}

/**
 * SHA-256 in hex, size in bytes, indexes into `types` and `packs`, offset in the pack, index into `policies` (-1: no
 * policy).
 */
export type FileEntry = [hash: string, bytes: number, type: number, pack: number, offset: number, policy: number];

/** A file of a release in the form that the edge uses. */
export interface ManifestFile extends HashedPlace {
  path: string;
  /** Content-Type, with its charset. */
  type: string;
  /** Content-Security-Policy, for pages. */
  csp: string | null;
  /** The name contains the hash, so the file may be cached indefinitely. */
  immutable: boolean;
}

export type Resolved =
  | { kind: 'file'; file: ManifestFile }
  /** `to` is a path from the site's root (the edge adds its own prefix) or an absolute URL. */
  | { kind: 'redirect'; to: string; status: number }
  /**
   * `file` is the 404 page of the locale; its links must go through `adaptNotFoundLinks`. Null when the release has no
   * such page.
   */
  | { kind: 'not_found'; file: ManifestFile | null };

/** Every file under this path has its hash in the name. */
export const assetsPrefix = '/_assets/';

/** Prefix of links in the 404 page, which is served at every depth. Never part of another page. */
export const notFoundRoot = '/.root/';

/** Returns one file of a manifest by its exact path, or null. */
export function getManifestFile(manifest: ManifestChunk, path: string): ManifestFile | null {
  const entry = Object.hasOwn(manifest.files, path) ? manifest.files[path] : undefined;
  if (!entry) return null;
  const [hash, bytes, type, pack, offset, policy] = entry;
  return {
    path,
    hash,
    bytes,
    type: manifest.types[type]!,
    key: manifest.packs[pack]!,
    offset,
    csp: manifest.policies[policy] ?? null,
    immutable: path.startsWith(assetsPrefix),
  };
}

function findRedirect(manifest: ManifestHead, path: string): Resolved | null {
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
  for (const from of [path, other]) {
    const found = Object.hasOwn(manifest.redirects, from) ? manifest.redirects[from] : undefined;
    if (found) return { kind: 'redirect', to: found[0], status: found[1] };
  }
  return null;
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/**
 * Returns the chunk with the files at a path, with or without its trailing slash; undefined if the release has none
 * there.
 */
export type FindChunk = (path: string) => ManifestChunk | undefined;

function findFile(chunkAt: FindChunk, path: string): ManifestFile | null {
  const chunk = chunkAt(path);
  return chunk ? getManifestFile(chunk, path) : null;
}

function findNotFound(manifest: ManifestHead, chunkAt: FindChunk, path: string): Resolved {
  const found = manifest.not_found.find(([prefix]) => path.startsWith(prefix));
  return { kind: 'not_found', file: found ? findFile(chunkAt, found[1]) : null };
}

/**
 * Resolves a URL path relative to the site's root, percent-encoded and without the query. Returns the file, a redirect
 * (an editor's own; `/about` to `/about/`; `/index.html` to `/`) or the 404 page of the locale.
 */
export function resolvePath(manifest: ManifestHead, chunkAt: FindChunk, urlPath: string): Resolved {
  const path = decodePath(urlPath);
  if (path === null || !path.startsWith('/')) return findNotFound(manifest, chunkAt, '/');
  const redirect = findRedirect(manifest, path);
  if (redirect) return redirect;
  const file = findFile(chunkAt, path);
  if (file) return { kind: 'file', file };
  if (path.endsWith('/')) return findNotFound(manifest, chunkAt, path);
  const folder = path.endsWith('/index.html') ? path.slice(0, -'index.html'.length) : `${path}/`;
  if (findFile(chunkAt, folder)) return { kind: 'redirect', to: encodePath(folder), status: 301 };
  return findNotFound(manifest, chunkAt, path);
}

/** Makes the links of a 404 page, which start with `notFoundRoot`, relative to the request path. */
export function adaptNotFoundLinks(html: string, urlPath: string): string {
  const depth = Math.max(0, urlPath.split('/').length - 2);
  return html.replaceAll(notFoundRoot, depth === 0 ? './' : '../'.repeat(depth));
}
