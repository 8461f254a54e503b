const firstBlockBytes = 16 * 1024;

/** What becomes of the chunks of a body. */
export interface BodySink {
  /** Throws a Problem when the bytes cannot be held. */
  write(chunk: Buffer): void;
}

interface Collector extends BodySink {
  /** All that was written and held. */
  bytes(): Buffer;
}

/** A body that is looked at as it passes and not held. */
export const dropped: Collector = { write: () => undefined, bytes: () => Buffer.alloc(0) };

/**
 * Puts the chunks of a body into one block of memory, which grows with them. Chunks are copied: a body in a million chunks of one byte
 * would otherwise take a hundred times its length. `hold` is told before how many bytes the block will have; what it throws,
 * `write` throws.
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
