/**
 * Passes a stream on and remembers its error, which is the sender's fault, not the store's. `rethrow` throws the
 * sender's error if there is one, else the given one.
 */
export function watchSource(source: AsyncIterable<Buffer>) {
  let fault: { error: unknown } | null = null;
  async function* watched(): AsyncGenerator<Buffer> {
    try {
      yield* source;
    } catch (error) {
      fault = { error };
      throw error;
    }
  }
  return {
    stream: watched(),
    rethrow(error: unknown): never {
      throw fault ? fault.error : error;
    },
  };
}
