const firstBlockBytes = 16 * 1024;

/** Receives the chunks of a body. */
export interface BodySink {
  /** Throws a Problem if the bytes cannot be held. */
  write(chunk: Buffer): void;
}

interface Collector extends BodySink {
  /** Returns all bytes written so far. */
  bytes(): Buffer;
}

/** Discards the bytes of a body that is only observed. */
export const discardingSink: Collector = { write: () => undefined, bytes: () => Buffer.alloc(0) };

/**
 * Collects the chunks of a body in one growing buffer. Chunks are copied: a body in a million chunks of one byte would
 * otherwise take a hundred times its length. `hold` is called with the buffer's size before the buffer grows; `write`
 * throws what `hold` throws.
 */
export function createCollector(maxBytes: number, hold: (bytes: number) => void = () => undefined): Collector {
  let block = Buffer.alloc(0);
  let filled = 0;
  return {
    write(chunk) {
      const needed = filled + chunk.length;
      if (needed > block.length) {
        const bytes = Math.max(needed, Math.min(maxBytes, Math.max(2 * block.length, firstBlockBytes)));
        hold(bytes);
        const larger = Buffer.allocUnsafeSlow(bytes);
        block.copy(larger, 0, 0, filled);
        block = larger;
      }
      filled += chunk.copy(block, filled);
    },
    bytes: () => block.subarray(0, filled),
  };
}
