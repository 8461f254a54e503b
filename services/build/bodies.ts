import { LRUCache } from 'lru-cache';
import type { Db } from '../core/db.ts';
import type { ObjectStore } from '../engines/objects/store.ts';
import type { ItemInput } from './model.ts';

/** An item's revision is gone: it was purged while the build ran. The build starts over. */
export class RevisionGone extends Error {}

const chunkItems = 200;

/** Reads bodies by item and revision; what was read lately is remembered, since a revision never changes. */
export function createBodyReader(db: Db, objects: Pick<ObjectStore, 'getBytes'>, cacheCharacters = 64_000_000) {
  const cache = new LRUCache<string, string>({ maxSize: cacheCharacters, sizeCalculation: (body) => body.length + 1 });
  const keyOf = ({ id, revision }: ItemInput) => `${id}:${revision}`;

  const readRows = (table: 'content_revisions' | 'purged_revisions', items: readonly ItemInput[]) =>
    db.query<{ id: string; revision: number; body_html: string; body_hash: string | null }>(
      `SELECT r.content_id AS id, r.revision, r.body_html, r.body_hash
       FROM unnest($1::UUID[], $2::INT8[]) AS p (id, revision)
       JOIN ${table} r ON r.content_id = p.id AND r.revision = p.revision`,
      [items.map((item) => item.id), items.map((item) => item.revision)],
    );

  async function readChunk(items: readonly ItemInput[]): Promise<Map<string, string>> {
    const rows = await readRows('content_revisions', items);
    const found = new Set(rows.map(({ id }) => id));
    const missing = items.filter(({ id }) => !found.has(id));
    if (missing.length > 0) rows.push(...(await readRows('purged_revisions', missing)));
    const bodies = new Map<string, string>();
    for (const row of rows) {
      const body = row.body_hash ? (await objects.getBytes(row.body_hash)).toString('utf8') : row.body_html;
      cache.set(`${row.id}:${row.revision}`, body);
      bodies.set(row.id, body);
    }
    return bodies;
  }

  /** The bodies of these items as of the revisions they have in the snapshot, by item id. Throws RevisionGone. */
  return async function readBodies(items: readonly ItemInput[]): Promise<Map<string, string>> {
    const bodies = new Map<string, string>();
    for (let start = 0; start < items.length; start += chunkItems) {
      const chunk = items.slice(start, start + chunkItems);
      const unknown: ItemInput[] = [];
      for (const item of chunk) {
        const body = cache.get(keyOf(item));
        if (body === undefined) unknown.push(item);
        else bodies.set(item.id, body);
      }
      if (unknown.length === 0) continue;
      // not by way of the cache, which may be too small for all that is wanted at once
      const read = await readChunk(unknown);
      for (const { id, revision } of unknown) {
        const body = read.get(id);
        if (body === undefined) throw new RevisionGone(`Revision ${revision} of ${id} is gone.`);
        bodies.set(id, body);
      }
    }
    return bodies;
  };
}

export type BodyReader = ReturnType<typeof createBodyReader>;
