/** Changes that a map collects before all entries are copied into a new one. */
const maxChanges = 1_000;

/** What a map that is changed by copying offers. */
export interface ReadMap<V> {
  readonly size: number;
  get(key: string): V | undefined;
  has(key: string): boolean;
}

/**
 * A map that never changes. A changed copy shares the entries of the map that it was made from, so that it costs about as
 * much as the changes; all entries are copied when too many changes have been collected.
 */
export class PatchedMap<V extends object> implements ReadMap<V> {
  readonly #base: ReadonlyMap<string, V>;
  /** Entries that differ from those of the base; null for one that was removed. */
  readonly #changes: ReadonlyMap<string, V | null>;
  readonly size: number;

  constructor(base: ReadonlyMap<string, V>, changes: ReadonlyMap<string, V | null> = new Map(), size = base.size) {
    this.#base = base;
    this.#changes = changes;
    this.size = size;
  }

  get(key: string): V | undefined {
    const changed = this.#changes.get(key);
    return changed === undefined ? this.#base.get(key) : (changed ?? undefined);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** Returns a copy without the keys `removed`, and then with the entries `added`. */
  patch(removed: Iterable<string>, added: Iterable<readonly [string, V]>): PatchedMap<V> {
    const changes = new Map(this.#changes);
    let { size } = this;
    const isThere = (key: string) => {
      const changed = changes.get(key);
      return changed === undefined ? this.#base.has(key) : changed !== null;
    };
    for (const key of removed) {
      if (isThere(key)) size--;
      changes.set(key, null);
    }
    for (const [key, value] of added) {
      if (!isThere(key)) size++;
      changes.set(key, value);
    }
    if (changes.size <= maxChanges) return new PatchedMap(this.#base, changes, size);
    const all = new Map(this.#base);
    for (const [key, value] of changes) {
      if (value) all.set(key, value);
      else all.delete(key);
    }
    return new PatchedMap(all);
  }
}
