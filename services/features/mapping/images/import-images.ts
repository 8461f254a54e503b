import { problem } from '../../../core/errors.ts';
import { createFairQueue, takeTurn } from '../../../core/fair-queue.ts';
import type { Imported, ImportRequest } from '../../media/index.ts';

/** Maximum number of concurrent transfers in one worker, for any number of articles. */
const maxTransfers = 12;

/** Imports a file into the library; see `importMedia`. */
export type Transfer = (request: ImportRequest, signal: AbortSignal) => Promise<Imported>;
/** Runs a transfer that has reached the front of the queue, within its timeout. */
export type RunTransfer = (transfer: (signal: AbortSignal) => Promise<Imported>) => Promise<Imported>;

/** Imports files into the library for mappers, with bounded concurrency and each URL of a site once at a time. */
export interface ImageImporter {
  /** Imports any file. Throws what `importMedia` throws. */
  importFile(request: ImportRequest, run: RunTransfer): Promise<Imported>;
  /** Imports an image; any other file is refused before it is added to the library. */
  importImage(request: ImportRequest, run: RunTransfer): Promise<Imported>;
}

/** Creates the importer of a worker. */
export function createImageImporter(transfer: Transfer, atOnce = maxTransfers): ImageImporter {
  // several articles with the same image: the others find the item of the first
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
