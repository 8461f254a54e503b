/** A place in a sorted list where an element is removed, or one is inserted before the one that is there. */
type Edit<T> = { at: number; removes: true } | { at: number; inserts: T };

/** What turns a sorted list into another one; also a list of something else about each element, in the same places. */
export type Edits<T> = readonly Edit<T>[];

/** Returns the first place whose element does not come before `item`. */
function placeOf<T>(sorted: readonly T[], item: T, compare: (a: T, b: T) => number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (compare(sorted[middle]!, item) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * Returns the edits that remove `gone`, which are elements of the list, and insert `fresh`. `compare` is the order of the
 * list, in which no two elements are equal. Throws if the list lacks one of `gone`.
 */
export function findEdits<T>(
  sorted: readonly T[],
  { gone, fresh }: { gone: readonly T[]; fresh: readonly T[] },
  compare: (a: T, b: T) => number,
): Edits<T> {
  const edits: Edit<T>[] = gone.map((item) => {
    const at = placeOf(sorted, item, compare);
    if (sorted[at] !== item) throw new Error('The sorted list lacks an element that is to be removed.');
    return { at, removes: true };
  });
  for (const item of fresh.toSorted(compare)) edits.push({ at: placeOf(sorted, item, compare), inserts: item });
  // an element is inserted before the one at its place; the sort is stable, so several at one place keep their order
  return edits.sort((a, b) => a.at - b.at || Number('removes' in a) - Number('removes' in b));
}

/** Returns the edited list. `valueFor` returns the element for an inserted one. */
export function applyEdits<T, V>(list: readonly V[], edits: Edits<T>, valueFor: (item: T) => V): V[] {
  const pieces: V[][] = [];
  let from = 0;
  for (const edit of edits) {
    if (edit.at > from) pieces.push(list.slice(from, edit.at));
    from = edit.at;
    if ('removes' in edit) from++;
    else pieces.push([valueFor(edit.inserts)]);
  }
  pieces.push(list.slice(from));
  return ([] as V[]).concat(...pieces);
}
