import type { Config } from './config.ts';

/** The members of a media item that determine the path of its original. */
interface Original {
  sha256: string;
  filename: string;
}

/** The same for a variant. */
interface Rendition {
  format: string;
  hash: string;
}

/** The path below which the edge serves every item of every library, published or not. No page can have it. */
export const mediaPrefix = '/_media/';

const formatTypes: Record<string, string> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  mp4: 'video/mp4',
};
const hashLength = 32;

/** Returns the content type of a variant. */
export function variantType(format: string): string {
  return formatTypes[format] ?? 'application/octet-stream';
}

/** Returns the file name of the original, wherever it is served; immutable, because it contains the hash. */
export function originalName({ sha256, filename }: Original): string {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(filename)?.[1]?.toLowerCase() ?? 'bin';
  return `${sha256.slice(0, hashLength)}.${extension}`;
}

/** Returns the file name of a variant, in the same way. */
export function variantName({ format, hash }: Rendition): string {
  return `${hash.slice(0, hashLength)}.${format === 'jpeg' ? 'jpg' : format}`;
}

/** Returns the URL of the original. */
export function originalUrl(config: Pick<Config, 'edgeUrl'>, row: Original & { id: string }): string {
  return `${config.edgeUrl}${mediaPrefix}${row.id}/${originalName(row)}`;
}

export function variantUrl(config: Pick<Config, 'edgeUrl'>, id: string, variant: Rendition): string {
  return `${config.edgeUrl}${mediaPrefix}${id}/${variantName(variant)}`;
}

const pathPattern =
  /^\/_media\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/([0-9a-f]{32})\.[a-z0-9]{1,8}$/;

/** Returns the item and the start of the hash in a path, or null. */
export function parseMediaPath(path: string): { id: string; hashStart: string } | null {
  const [, id, hashStart] = pathPattern.exec(path) ?? [];
  return id && hashStart ? { id, hashStart } : null;
}
