import { LRUCache } from 'lru-cache';
import type { Db } from '../../../core/db.ts';
import { formatTimestamp } from '../../../core/timestamp.ts';
import type { ItemInput } from './model.ts';

interface ItemRow extends Omit<ItemInput, 'scheduled_at' | 'published_at' | 'created_at' | 'updated_at' | 'order'> {
  scheduled_at: Date | null;
  published_at: Date | null;
  created_at: Date;
  updated_at: Date;
  created_us: number;
}

interface ItemName {
  id: string;
  revision: number;
  slug: string;
}

const maxItems = 50_000;

const itemColumns = [
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
].join(', ');

function toItem({ created_us, ...row }: ItemRow): ItemInput {
  const published = row.published_at ?? row.created_at;
  return {
    ...row,
    scheduled_at: row.scheduled_at && formatTimestamp(row.scheduled_at),
    published_at: row.published_at && formatTimestamp(row.published_at),
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
    order: [published.getTime(), created_us],
  };
}

/**
 * Reads items without their bodies. What was read once under an id and a revision is remembered, so that the cost of a
 * snapshot follows what has changed.
 */
export function createItemReader() {
  const cache = new LRUCache<string, ItemInput>({ max: maxItems });
  // restoring from the trash may give another slug without a new revision
  const keyOf = ({ id, revision, slug }: ItemName) => `${id}:${revision}:${slug}`;

  /** The published items of a site as they are stored now. */
  async function readPublished(tx: Db, siteId: string): Promise<ItemInput[]> {
    const names = await tx.query<ItemName>(
      `SELECT id, revision, slug FROM content WHERE site_id = $1 AND status = 'published' AND trashed_at IS NULL`,
      [siteId],
    );
    const unknown = names.filter((name) => !cache.has(keyOf(name))).map((name) => name.id);
    const fresh = new Map<string, ItemInput>();
    if (unknown.length > 0) {
      const rows = await tx.query<ItemRow>(
        `SELECT ${itemColumns}, (EXTRACT(EPOCH FROM created_at) * 1000000)::INT8 AS created_us
         FROM content WHERE id = ANY($1::UUID[])`,
        [unknown],
      );
      for (const row of rows) fresh.set(row.id, toItem(row));
    }
    return names.map((name) => {
      const item = cache.get(keyOf(name)) ?? fresh.get(name.id)!;
      cache.set(keyOf(name), item);
      return item;
    });
  }

  /** Items as they were at given revisions; those purged since are left out. */
  async function readPinned(
    tx: Db,
    siteId: string,
    pins: readonly [id: string, revision: number][],
  ): Promise<ItemInput[]> {
    if (pins.length === 0) return [];
    const rows = await tx.query<{
      revision: number;
      created_at: Date;
      created_us: number;
      updated_at: Date;
      id: string;
      record: PinnedRecord;
    }>(
      `SELECT r.content_id AS id, r.revision, r.record, r.created_at AS updated_at, c.created_at,
         (EXTRACT(EPOCH FROM c.created_at) * 1000000)::INT8 AS created_us
       FROM unnest($2::UUID[], $3::INT8[]) AS p (id, revision)
       JOIN content_revisions r ON r.content_id = p.id AND r.revision = p.revision
       JOIN content c ON c.id = r.content_id
       WHERE r.site_id = $1`,
      [siteId, pins.map(([id]) => id), pins.map(([, revision]) => revision)],
    );
    return rows.map(({ record, ...row }) =>
      toItem({
        ...pickRecord(record),
        ...row,
        scheduled_at: record.scheduled_at ? new Date(record.scheduled_at) : null,
        published_at: record.published_at ? new Date(record.published_at) : null,
      }),
    );
  }

  return { readPublished, readPinned };
}

type PinnedRecord = Omit<ItemInput, 'id' | 'revision' | 'created_at' | 'updated_at' | 'order'>;

function pickRecord(record: PinnedRecord) {
  const {
    type,
    title,
    slug,
    locale,
    excerpt,
    author,
    status,
    featured_media_id,
    seo_title,
    seo_description,
    tags,
    source_ref,
    translation_of,
  } = record;
  return {
    type,
    title,
    slug,
    locale,
    excerpt,
    author,
    status,
    featured_media_id,
    seo_title,
    seo_description,
    tags,
    source_ref,
    translation_of,
  };
}

export type ItemReader = ReturnType<typeof createItemReader>;
