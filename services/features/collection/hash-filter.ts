const bitsPerHash = 16;
const minBits = 2 ** 16;
const maxBits = 2 ** 31;
const words = 8;

/**
 * Creates a set of SHA-256 hashes that takes two bytes for each (a Bloom filter; the hash itself provides the eight
 * random numbers). It has no false negatives. Its false positive rate is about one in two thousand, which only keeps
 * some garbage.
 */
export function createHashFilter(expected: number) {
  let size = minBits;
  while (size < expected * bitsPerHash && size < maxBits) size *= 2;
  const bits = new Uint8Array(size / 8);

  function positions(hash: string): number[] {
    return Array.from({ length: words }, (_, n) => Number.parseInt(hash.slice(n * 8, n * 8 + 8), 16) % size);
  }

  return {
    add(hash: string): void {
      for (const at of positions(hash)) bits[at >>> 3]! |= 1 << (at & 7);
    },
    has(hash: string): boolean {
      return positions(hash).every((at) => (bits[at >>> 3]! & (1 << (at & 7))) !== 0);
    },
  };
}

export type HashFilter = ReturnType<typeof createHashFilter>;
