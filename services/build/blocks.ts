/** A block of a list, and what was made of it. */
export interface Block<T, V> {
  elements: readonly T[];
  value: V;
}

function isSame<T>(a: readonly T[], b: readonly T[]): boolean {
  let same = a.length;
  while (same > 0 && a[same - 1] === b[same - 1]) same--;
  return same === 0 && a.length === b.length;
}

/**
 * Divides a list into blocks, counted from its end: of a list that is sorted with the newest first, an addition changes the
 * last block alone. Returns them, the end of the list first. Blocks that an earlier list had at the same number are the same
 * objects. `make` returns the value of a block.
 */
export function makeBlocks<T, V>(
  list: readonly T[],
  size: number,
  earlier: readonly Block<T, V>[],
  make: (elements: readonly T[], number: number) => V,
): Block<T, V>[] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, number) => {
    const end = list.length - number * size;
    const elements = list.slice(Math.max(0, end - size), end);
    const known = earlier[number];
    return known && isSame(known.elements, elements) ? known : { elements, value: make(elements, number) };
  });
}
