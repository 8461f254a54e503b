import type { Config } from './config.ts';

/** What of a media item decides where its original bytes are served. */
interface Original {
  sha256: string;
  filename: string;
}

/** The same of a variant. */
interface Rendition {
  format: string;
  hash: string;
}

/** Under this path the edge serves every item of every library, published or not. No page can have it. */
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

/** The content type of a variant. */
export function variantType(format: string): string {
  return formatTypes[format] ?? 'application/octet-stream';
}

/** The file name of the original bytes, wherever they are served; the hash in it makes it immutable. */
export function originalName({ sha256, filename }: Original): string {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(filename)?.[1]?.toLowerCase() ?? 'bin';
  return `${sha256.slice(0, hashLength)}.${extension}`;
}

/** The same of a variant. */
export function variantName({ format, hash }: Rendition): string {
  return `${hash.slice(0, hashLength)}.${format === 'jpeg' ? 'jpg' : format}`;
}

/** Where the original bytes can be fetched. */
export function originalUrl(config: Pick<Config, 'edgeUrl'>, row: Original & { id: string }): string {
  return `${config.edgeUrl}${mediaPrefix}${row.id}/${originalName(row)}`;
}

export function variantUrl(config: Pick<Config, 'edgeUrl'>, id: string, variant: Rendition): string {
  return `${config.edgeUrl}${mediaPrefix}${id}/${variantName(variant)}`;
}

const pathPattern =
  /^\/_media\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/([0-9a-f]{32})\.[a-z0-9]{1,8}$/;

/** The item and the start of the hash that a path names, or null. */
export function parseMediaPath(path: string): { id: string; hashStart: string } | null {
  const [, id, hashStart] = pathPattern.exec(path) ?? [];
  return id && hashStart ? { id, hashStart } : null;
}
