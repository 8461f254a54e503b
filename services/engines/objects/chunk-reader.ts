/** The stream ended before its announced minimum length. */
export class ShortStream extends Error {}

/** Creates a reader that reads a stream in amounts that the caller chooses. */
export function createChunkReader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]();
  let left: Buffer | null = null;

  /** Returns the next bytes, at most `max`; null at the end. */
  async function next(max: number): Promise<Buffer | null> {
    while (!left || left.length === 0) {
      const result = await chunks.next();
      if (result.done) return null;
      left = result.value;
    }
    const taken = left.subarray(0, max);
    left = taken.length < left.length ? left.subarray(taken.length) : null;
    return taken;
  }

  return {
    next,
    /** Fills `block` until it is full or the stream ends; returns the number of bytes filled. */
    async fill(block: Buffer): Promise<number> {
      let filled = 0;
      while (filled < block.length) {
        const chunk = await next(block.length - filled);
        if (!chunk) break;
        filled += chunk.copy(block, filled);
      }
      return filled;
    },
    /** Yields exactly `bytes` bytes, in chunks. Throws ShortStream when there are fewer. */
    async *take(bytes: number): AsyncGenerator<Buffer> {
      for (let rest = bytes; rest > 0; ) {
        const chunk = await next(rest);
        if (!chunk) throw new ShortStream('The stream ended before its announced length.');
        rest -= chunk.length;
        yield chunk;
      }
    },
    /** Yields all remaining chunks. */
    async *rest(): AsyncGenerator<Buffer> {
      for (let chunk = await next(Number.POSITIVE_INFINITY); chunk; chunk = await next(Number.POSITIVE_INFINITY))
        yield chunk;
    },
  };
}

export type ChunkReader = ReturnType<typeof createChunkReader>;
