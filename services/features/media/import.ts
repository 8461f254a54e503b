import { invalid, type Problem, problem } from '../../core/errors.ts';
import type { Site } from '../../core/http.ts';
import { noUser } from '../../core/roles.ts';
import { FetchError } from '../../engines/fetch/errors.ts';
import type { GuardedFetcher } from '../../engines/fetch/fetcher.ts';
import type { App } from '../app.ts';
import { filenameOfUrl } from './filename.ts';
import { createMedia, wakeMedia } from './library.ts';
import { largestFile, receiveFile } from './receive.ts';
import type { MediaRow, StoredFile } from './row.ts';
import { selectMediaBySource } from './sql.ts';

/** Dependencies that only a worker has: the gateway never fetches from outside (design: facts). */
export interface ImportDeps {
  app: Pick<App, 'db' | 'objects' | 'config' | 'actors'>;
  fetcher: GuardedFetcher;
}

export interface ImportRequest {
  site: Pick<Site, 'id'>;
  url: string;
  alt: string | null;
  decorative: boolean;
  /** No alt text was written: a title is used instead. */
  altStandIn?: boolean | undefined;
  /** Refuses a file that is not an image before it is added to the library. */
  imagesOnly?: boolean;
}

export interface Imported {
  row: MediaRow;
  /** False when the library already had it and nothing was fetched. */
  isNew: boolean;
}

const totalTimeoutMs = 60_000;
/** Most fetched files are images; this many bytes of each are buffered, so that it is stored in one piece. */
const heldBytes = 8 * 1024 * 1024;

/**
 * Converts a refused or failed download to a Problem for the client; the message of a FetchError reveals nothing
 * internal.
 */
function toProblem(error: FetchError): Problem {
  if (error.code === 'too_large') return problem('too_large', error.message, { cause: error });
  return problem('fetch_refused', error.message, { details: [{ path: 'url', message: error.message }], cause: error });
}

/**
 * Fetches a URL into the object store. Throws `fetch_refused`, `too_large` or `validation_failed`, Problems that a
 * client may see, or `unavailable`. `signal` aborts the transfer.
 */
export async function fetchFile({ app, fetcher }: ImportDeps, url: string, signal?: AbortSignal): Promise<StoredFile> {
  try {
    const response = await fetcher.open(url, {
      maxBytes: largestFile(app.config.mediaLimits),
      totalTimeoutMs,
      requireOk: true,
      ...(signal ? { signal } : {}),
    });
    try {
      return await receiveFile(app, toBuffers(response.body), filenameOfUrl(response.url), { heldBytes });
    } finally {
      response.close();
    }
  } catch (error) {
    throw error instanceof FetchError ? toProblem(error) : error;
  }
}

async function* toBuffers(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of body) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/**
 * Returns the library item of a URL, for use in an activity. If the site has fetched the URL before, nothing is fetched
 * (contract, Mappers: "An image fetched before is not fetched again"); otherwise the file is fetched, stored and queued
 * for variants. An item in the trash stays there; a new one shares its bytes. Throws what `fetchFile` and `createMedia`
 * throw.
 */
export async function importMedia(deps: ImportDeps, request: ImportRequest, signal?: AbortSignal): Promise<Imported> {
  const { app } = deps;
  const { site, url, alt, decorative, altStandIn, imagesOnly = false } = request;
  const requireWanted = ({ kind }: Pick<StoredFile, 'kind'>) => {
    if (imagesOnly && kind !== 'image') throw problem('fetch_refused', 'The URL does not lead to an image.');
  };
  const known = await selectMediaBySource(app.db, site.id, url);
  if (known) requireWanted(known);
  if (known && !known.trashed_at) return { row: known, isNew: false };
  const file = known ? copyOf(known) : await fetchFile(deps, url, signal);
  requireWanted(file);
  const imported = await app.db.transaction(async (tx): Promise<Imported> => {
    // another delivery may have imported it meanwhile
    const existing = await selectMediaBySource(tx, site.id, url);
    if (existing && !existing.trashed_at) return { row: existing, isNew: false };
    return {
      row: await createMedia(
        { app, db: tx, site, writer: noUser },
        { file, alt, decorative, altStandIn, sourceUrl: url },
      ),
      isNew: true,
    };
  });
  if (imported.isNew) wakeMedia(app, imported.row);
  return imported;
}

/** Returns a new file with the same bytes; its variants are made again and are found in the store. */
function copyOf({ kind, filename, mime_type, bytes, sha256, width, height, variants, work }: MediaRow): StoredFile {
  const again = variants.length === 0 ? work : kind === 'image' ? 'variants' : 'video';
  return { kind, filename, mime_type, bytes, sha256, width, height, work: again };
}

/** Throws 422 for an invalid URL, before any work starts. */
export function requireUrl(url: string): void {
  if (!URL.canParse(url)) throw invalid([{ path: 'url', message: 'must be an absolute http(s) URL' }]);
}
