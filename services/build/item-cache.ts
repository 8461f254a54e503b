import { LRUCache } from 'lru-cache';
import type { Db } from '../core/db.ts';
import { formatTimestamp, timestampOrNull } from '../core/timestamp.ts';
import type { ItemInput } from './model.ts';

/** An item as its row has it. */
interface ItemRow extends Omit<ItemInput, 'scheduled_at' | 'published_at' | 'created_at' | 'updated_at' | 'order'> {
  scheduled_at: Date | null;
  published_at: Date | null;
  created_at: Date;
  updated_at: Date;
  created_us: number;
}

/** What a revision keeps of an item (`revisionRecord`), where times are text. */
type PinnedRecord = Omit<ItemInput, 'id' | 'revision' | 'created_at' | 'updated_at' | 'order'>;

interface PinnedRow extends Pick<ItemRow, 'id' | 'revision' | 'created_at' | 'updated_at' | 'created_us'> {
  record: PinnedRecord;
}

function pinnedTimes({ scheduled_at, published_at }: PinnedRecord) {
  return {
    scheduled_at: scheduled_at ? new Date(scheduled_at) : null,
    published_at: published_at ? new Date(published_at) : null,
  };
}

type ItemName = Pick<ItemInput, 'id' | 'revision'>;

const itemMembers = [
  'id',
  'revision',
  'type',
  'title',
  'slug',
  'locale',
  'excerpt',
  'author',
  'status',
  'scheduled_at',
  'published_at',
  'featured_media_id',
  'seo_title',
  'seo_description',
  'tags',
  'source_ref',
  'translation_of',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof ItemInput)[];

const createdUs = (column: string) => `(EXTRACT(EPOCH FROM ${column}) * 1000000)::INT8 AS created_us`;

/** The members in one order, wherever they come from: what pages remember of an item is a digest of its text. */
function toItem(row: ItemRow): ItemInput {
  const published = row.published_at ?? row.created_at;
  const members = Object.fromEntries(itemMembers.map((name) => [name, row[name]])) as unknown as ItemRow;
  return {
    ...members,
    scheduled_at: timestampOrNull(row.scheduled_at),
    published_at: timestampOrNull(row.published_at),
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
    order: [published.getTime(), row.created_us],
  };
}

/**
 * Reads items without their bodies. What was read once under an id and a revision is remembered, so that the cost of a
 * snapshot follows what has changed.
 */
export function createItemReader(maxItems = 50_000) {
  const cache = new LRUCache<string, ItemInput>({ max: maxItems });
  const keyOf = ({ id, revision }: ItemName) => `${id}:${revision}`;

  async function readItems(tx: Db, ids: readonly string[]): Promise<ItemInput[]> {
    if (ids.length === 0) return [];
    const rows = await tx.query<ItemRow>(
      `SELECT ${itemMembers.join(', ')}, ${createdUs('created_at')} FROM content WHERE id = ANY($1::UUID[])`,
      [ids],
    );
    return rows.map(toItem);
  }

  /** The published items of a site as they are stored now. */
  async function readPublished(tx: Db, siteId: string): Promise<ItemInput[]> {
    const names = await tx.query<ItemName>(
      `SELECT id, revision FROM content WHERE site_id = $1 AND status = 'published' AND trashed_at IS NULL`,
      [siteId],
    );
    const known = names.flatMap((name) => cache.get(keyOf(name)) ?? []);
    const found = new Set(known.map(({ id }) => id));
    const fresh = await readItems(
      tx,
      names.flatMap(({ id }) => (found.has(id) ? [] : id)),
    );
    for (const item of fresh) cache.set(keyOf(item), item);
    return [...known, ...fresh];
  }

  /** Items as they were at given revisions, also those purged since that the live release shows. */
  async function readPinned(
    tx: Db,
    siteId: string,
    pins: readonly [id: string, revision: number][],
  ): Promise<ItemInput[]> {
    if (pins.length === 0) return [];
    const rows = await tx.query<PinnedRow>(
      `SELECT r.content_id AS id, r.revision, r.record, r.created_at AS updated_at, c.created_at, ${createdUs('c.created_at')}
       FROM unnest($2::UUID[], $3::INT8[]) AS p (id, revision)
       JOIN content_revisions r ON r.content_id = p.id AND r.revision = p.revision
       JOIN content c ON c.id = r.content_id
       WHERE r.site_id = $1`,
      [siteId, pins.map(([id]) => id), pins.map(([, revision]) => revision)],
    );
    const found = new Set(rows.map(({ id }) => id));
    const missing = pins.filter(([id]) => !found.has(id));
    const purged = missing.length > 0 ? await readPurged(tx, siteId, missing) : [];
    return [...rows, ...purged].map(({ record, ...row }) => toItem({ ...record, ...row, ...pinnedTimes(record) }));
  }

  async function readPurged(tx: Db, siteId: string, pins: readonly [id: string, revision: number][]) {
    return tx.query<PinnedRow>(
      `SELECT r.content_id AS id, r.revision, r.record, r.created_at AS updated_at, r.item_created_at AS created_at,
         ${createdUs('r.item_created_at')}
       FROM unnest($2::UUID[], $3::INT8[]) AS p (id, revision)
       JOIN purged_revisions r ON r.content_id = p.id AND r.revision = p.revision
       WHERE r.site_id = $1`,
      [siteId, pins.map(([id]) => id), pins.map(([, revision]) => revision)],
    );
  }

  return { readPublished, readPinned };
}

export type ItemReader = ReturnType<typeof createItemReader>;
