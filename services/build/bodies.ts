import { LRUCache } from 'lru-cache';
import type { Db } from '../core/db.ts';
import type { ObjectStore } from '../engines/objects/store.ts';
import type { ItemInput } from './model.ts';

/** Thrown when an item's revision was purged while the build ran. The build restarts. */
export class RevisionGone extends Error {}

const chunkItems = 200;

interface BodyRow {
  id: string;
  revision: number;
  body_html: string;
  body_hash: string | null;
}

/** Creates a reader of bodies by item and revision. Bodies are cached, because a revision never changes. */
export function createBodyReader(db: Db, objects: Pick<ObjectStore, 'getBytes'>, cacheCharacters = 16_000_000) {
  const cache = new LRUCache<string, string>({ maxSize: cacheCharacters, sizeCalculation: (body) => body.length + 1 });
  const keyOf = ({ id, revision }: ItemInput) => `${id}:${revision}`;

  const readTable = (table: 'content_revisions' | 'purged_revisions', items: readonly ItemInput[]) =>
    db.query<BodyRow>(
      `SELECT r.content_id AS id, r.revision, r.body_html, r.body_hash
       FROM unnest($1::UUID[], $2::INT8[]) AS p (id, revision)
       JOIN ${table} r ON r.content_id = p.id AND r.revision = p.revision`,
      [items.map((item) => item.id), items.map((item) => item.revision)],
    );

  /**
   * Returns the rows of these items by id, including purged items that are still live. Large bodies are in the object
   * store and are not read yet.
   */
  async function readRows(items: readonly ItemInput[]): Promise<Map<string, BodyRow>> {
    if (items.length === 0) return new Map();
    const rows = await readTable('content_revisions', items);
    const found = new Set(rows.map(({ id }) => id));
    const missing = items.filter(({ id }) => !found.has(id));
    if (missing.length > 0) rows.push(...(await readTable('purged_revisions', missing)));
    return new Map(rows.map((row) => [row.id, row]));
  }

  async function readBody(item: ItemInput, row: BodyRow | undefined): Promise<string> {
    if (!row) throw new RevisionGone(`Revision ${item.revision} of ${item.id} is gone.`);
    const body = row.body_hash ? (await objects.getBytes(row.body_hash)).toString('utf8') : row.body_html;
    cache.set(keyOf(item), body);
    return body;
  }

  /**
   * Returns the bodies of these items at the revisions of the snapshot, by item id. Stops after `maxCharacters`, to
   * bound memory; later items are missing from the result. Throws RevisionGone.
   */
  return async function readBodies(
    items: readonly ItemInput[],
    maxCharacters = Number.POSITIVE_INFINITY,
  ): Promise<Map<string, string>> {
    const bodies = new Map<string, string>();
    let characters = 0;
    for (let start = 0; start < items.length; start += chunkItems) {
      const chunk = items.slice(start, start + chunkItems);
      // kept here, because the cache may evict them while the others are read
      const known = new Map(chunk.map((item) => [item.id, cache.get(keyOf(item))]));
      const rows = await readRows(chunk.filter(({ id }) => known.get(id) === undefined));
      for (const item of chunk) {
        if (bodies.has(item.id)) continue;
        const body = known.get(item.id) ?? (await readBody(item, rows.get(item.id)));
        bodies.set(item.id, body);
        characters += body.length;
        if (characters > maxCharacters) return bodies;
      }
    }
    return bodies;
  };
}

export type BodyReader = ReturnType<typeof createBodyReader>;
