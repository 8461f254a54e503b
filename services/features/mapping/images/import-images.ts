import { problem } from '../../../core/errors.ts';
import { createFairQueue, takeTurn } from '../../../core/fair-queue.ts';
import type { Imported, ImportRequest } from '../../media/index.ts';

/** Transfers at once in one worker, whatever the number of articles. */
const maxTransfers = 12;

/** Gets a file into the library; see `importMedia`. */
export type Transfer = (request: ImportRequest, signal: AbortSignal) => Promise<Imported>;
/** Runs a transfer whose turn has come, within the time that it has. */
export type RunTransfer = (transfer: (signal: AbortSignal) => Promise<Imported>) => Promise<Imported>;

/** Fetches files into the library for mappers: bounded, and each URL of a site once at a time. */
export interface ImageImporter {
  /** Whatever the URL leads to. Throws what `importMedia` throws. */
  importFile(request: ImportRequest, run: RunTransfer): Promise<Imported>;
  /** Only an image; anything else is refused before it gets into the library. */
  importImage(request: ImportRequest, run: RunTransfer): Promise<Imported>;
}

/** Makes the importer of a worker. */
export function createImageImporter(transfer: Transfer, atOnce = maxTransfers): ImageImporter {
  // several articles with one image: the others find the first one's item
  const queue = createFairQueue({ capacity: atOnce, share: 1, maxWaiting: Number.POSITIVE_INFINITY });
  const importFile = (request: ImportRequest, run: RunTransfer) =>
    takeTurn(queue, `${request.site.id} ${request.url}`, () => run((signal) => transfer(request, signal)));

  return {
    importFile,
    async importImage(request, run) {
      const imported = await importFile({ ...request, imagesOnly: true }, run);
      if (imported.row.kind !== 'image') throw problem('fetch_refused', 'The URL does not lead to an image.');
      return imported;
    },
  };
}
