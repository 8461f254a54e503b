import type { IncomingMessage } from 'node:http';
import type { Db } from '../core/db.ts';
import { edgeLeaseMs } from '../core/edge-freshness.ts';
import { ownHosts } from '../core/hosts.ts';
import type { Logger } from '../core/log.ts';
import { readPreviewToken } from '../core/preview-token.ts';
import { type HashedPlace, MissingObject, type ObjectStore, type Place } from '../engines/objects/store.ts';
import { createBlobCache } from './blobs.ts';
import { createLibraryDirectory } from './library.ts';
import { createEdgeCounts } from './metrics.ts';
import { createPointerAges } from './pointers.ts';
import { createReleaseCache } from './releases.ts';
import type { Reply } from './reply.ts';
import { createSiteDirectory } from './sites.ts';
import { respondToVisit } from './visit.ts';

interface EdgeSettings {
  edgeCacheBytes: number;
  secretKeys: readonly Buffer[];
  url: string;
  edgeUrl: string;
  domainProof: 'off' | 'txt';
}

interface EdgeEngines {
  db: Db;
  objects: Pick<ObjectStore, 'readAt' | 'getBytes' | 'locate'>;
  log: Logger;
}

/** Large files are read in pieces of this size, so that a slow visitor holds little memory and no connection. */
const pieceBytes = 512 * 1024;
/** The share of the edge's memory for manifests; bodies use the rest. */
const manifestShare = 0.25;

/** Creates the edge from its engines: `respond` handles one request, `counts` are its counters, `ages` know its lease. */
export function createEdge(settings: EdgeSettings, { db, objects, log }: EdgeEngines) {
  const { domainProof } = settings;
  const counts = createEdgeCounts();
  const ages = createPointerAges(edgeLeaseMs);
  const manifestBytes = Math.floor(settings.edgeCacheBytes * manifestShare);
  const blobs = createBlobCache(settings.edgeCacheBytes - manifestBytes);

  function readCounted(place: Place): Promise<Buffer> {
    counts.bodyReads++;
    counts.bodyBytes += place.bytes;
    return objects.readAt(place);
  }

  /** Returns the current place of the bytes; throws `error` when there is no other place. */
  async function findMoved({ hash, key }: HashedPlace, error: unknown): Promise<HashedPlace> {
    const moved = error instanceof MissingObject ? (await objects.locate([hash])).get(hash) : undefined;
    if (!moved || moved.key === key) throw error;
    return moved;
  }

  /** Reads a file, which may have been stored elsewhere since the manifest was written. */
  async function readAt(place: HashedPlace): Promise<Buffer> {
    return readCounted(place).catch(async (error) => readCounted(await findMoved(place, error)));
  }

  async function* readPieces(place: HashedPlace, first: number, last: number) {
    let file = place;
    for (let offset = first; offset <= last; offset += pieceBytes) {
      const bytes = Math.min(pieceBytes, last - offset + 1);
      const read = () => readCounted({ key: file.key, offset: file.offset + offset, bytes });
      yield await read().catch(async (error) => {
        file = await findMoved(file, error);
        return read();
      });
    }
  }

  const countedDb: Db = {
    query(sql, params) {
      counts.lookups++;
      return db.query(sql, params);
    },
  };
  const noteOutage = (error: unknown) =>
    log.warn({ err: error }, 'The database does not respond; serving cached data.');
  const deps = {
    sites: createSiteDirectory(countedDb, {
      rules: { ownHosts: ownHosts(settings), domainProof },
      ages,
      onFailure: noteOutage,
    }),
    library: createLibraryDirectory(countedDb, noteOutage),
    releases: createReleaseCache({
      maxBytes: manifestBytes,
      readBody: readAt,
      onDamage: (error, hash) => log.error({ err: error, hash }, 'A manifest or a part of one is lost or damaged.'),
      onSwap() {
        counts.swaps++;
      },
      readManifest(hash) {
        counts.manifestReads++;
        return objects.getBytes(hash);
      },
    }),
    files: { blobs, readPieces },
    readBody: readAt,
    openPreview: (token: string) => readPreviewToken(settings.secretKeys, token),
  };
  return {
    respond: (request: IncomingMessage): Promise<Reply> => respondToVisit(deps, request),
    counts,
    ages,
    blobCounts: blobs.counts,
  };
}
