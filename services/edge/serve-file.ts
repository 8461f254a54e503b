import type { IncomingHttpHeaders } from 'node:http';
import { namesTag } from '../core/etag.ts';
import type { HashedPlace } from '../engines/objects/store.ts';
import type { BlobCache } from './blobs.ts';
import { mayUseRange, parseRange } from './conditional.ts';
import { type AcceptedCodings, type Coding, chooseCoding, readAcceptEncoding } from './encoding.ts';
import { plainReplies, type Reply } from './reply.ts';
import { fullHead, type ServedFile } from './served-file.ts';

export interface FileSource {
  blobs: BlobCache;
  /** Reads the bytes `first` to `last` of a large file in pieces, as fast as the visitor receives them. */
  readPieces(place: HashedPlace, first: number, last: number): AsyncIterable<Buffer>;
}

/**
 * Evaluates the conditions of a request (RFC 9110, section 13.2.2: If-Match, If-None-Match). Returns a 304 or 412, or
 * undefined to send the body.
 */
function evaluateConditions(headers: IncomingHttpHeaders, file: ServedFile, coding: Coding): Reply | undefined {
  const etag = file.etags[coding];
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined && !namesTag(ifMatch, etag, 'strong')) return plainReplies[412];
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch === undefined || !namesTag(ifNoneMatch, etag)) return undefined;
  return { status: 304, head: ['ETag', etag, ...file.metaHead] };
}

function wantedRange(headers: IncomingHttpHeaders, method: string, file: ServedFile, accepted: AcceptedCodings) {
  // another replica may compress differently, so a compressed body cannot be resumed safely: ranges use uncompressed
  // bytes
  if (headers.range === undefined || method !== 'GET' || accepted.refusesIdentity) return 'whole';
  if (!mayUseRange(headers['if-range'] as string | undefined, file.etags.identity)) return 'whole';
  return parseRange(headers.range, file.place.bytes);
}

/**
 * Responds to a request for an existing file: 200 in the best acceptable coding, 206, 304, 406, 412 or 416. Rejects
 * when the bytes cannot be read.
 */
export async function serveFile(
  source: FileSource,
  method: string,
  headers: IncomingHttpHeaders,
  file: ServedFile,
): Promise<Reply> {
  const accepted = readAcceptEncoding(headers['accept-encoding'] as string | undefined);
  const range = wantedRange(headers, method, file, accepted);
  const coding = range === 'whole' ? chooseCoding(accepted, file.worthCompressing) : 'identity';
  if (coding === undefined || (file.streamed && coding !== 'identity')) return plainReplies[406];
  const early = evaluateConditions(headers, file, coding);
  if (early) return early;
  if (range === 'unsatisfiable') return rangeRefused(file);
  if (range !== 'whole') return servePart(source, file, range.first, range.last);
  const { place } = file;
  if (file.streamed) {
    const head = fullHead(file, coding, place.bytes);
    return { status: 200, head, pieces: () => source.readPieces(place, 0, place.bytes - 1) };
  }
  const stored = source.blobs.get(place.hash, coding, file.read);
  const body = stored instanceof Promise ? await stored : stored;
  return { status: 200, head: fullHead(file, coding, body.length), body };
}

async function servePart(source: FileSource, file: ServedFile, first: number, last: number): Promise<Reply> {
  const { place } = file;
  const described = [
    'Content-Length',
    String(last - first + 1),
    'Content-Range',
    `bytes ${first}-${last}/${place.bytes}`,
  ];
  const head = [
    ...file.bodyHead,
    ...described,
    'ETag',
    file.etags.identity,
    ...file.metaHead,
    'Accept-Ranges',
    'bytes',
  ];
  if (file.streamed) return { status: 206, head, pieces: () => source.readPieces(place, first, last) };
  const body = await source.blobs.get(place.hash, 'identity', file.read);
  return { status: 206, head, body: body.subarray(first, last + 1) };
}

function rangeRefused(file: ServedFile): Reply {
  const head = ['Content-Range', `bytes */${file.place.bytes}`, 'Content-Length', '0', 'Cache-Control', 'no-store'];
  return { status: 416, head };
}
