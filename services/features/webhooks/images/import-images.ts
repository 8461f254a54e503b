import { problem } from '../../../core/errors.ts';
import { type ImportDeps, type Imported, type ImportRequest, importMedia } from '../../media/service.ts';

/** Transfers at once in one worker, whatever the number of articles. */
const maxTransfers = 12;

/** Fetches files into the library for mappers: bounded, and each URL of a site once at a time. */
export interface ImageImporter {
  /** Whatever the URL leads to. Throws what `importMedia` throws. */
  importFile(request: ImportRequest, signal: AbortSignal): Promise<Imported>;
  /** Only an image; anything else is refused before it gets into the library. */
  importImage(request: ImportRequest, signal: AbortSignal): Promise<Imported>;
}

function createGate(limit: number) {
  let free = limit;
  const queue: (() => void)[] = [];
  return async function pass<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else free++;
    }
  };
}

export function createImageImporter(deps: ImportDeps): ImageImporter {
  const pass = createGate(maxTransfers);
  const underWay = new Map<string, Promise<Imported>>();

  async function importFile(request: ImportRequest, signal: AbortSignal): Promise<Imported> {
    // two articles with one image: the second finds the first one's item
    const key = `${request.site.id} ${request.url}`;
    const before = underWay.get(key);
    if (before) await before.catch(() => undefined);
    const running = pass(() => importMedia(deps, request, signal));
    underWay.set(key, running);
    try {
      return await running;
    } finally {
      if (underWay.get(key) === running) underWay.delete(key);
    }
  }

  return {
    importFile,
    async importImage(request, signal) {
      const imported = await importFile({ ...request, imagesOnly: true }, signal);
      if (imported.row.kind !== 'image') throw problem('fetch_refused', 'The URL does not lead to an image.');
      return imported;
    },
  };
}
