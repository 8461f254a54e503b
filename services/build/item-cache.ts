import { LRUCache } from 'lru-cache';
import {
  type ContentRow,
  columnsOfRevision,
  createRowReader,
  type PageMembers,
  type PageName,
  pageNames,
  type WrittenName,
} from '../core/content-model.ts';
import type { Db } from '../core/db.ts';
import { type ItemChanges, isCut, readItemChanges, restartItemChanges } from './item-changes.ts';
import type { ItemInput } from './model.ts';

/** Columns of an item, and its creation time in microseconds since 1970. */
interface ItemRow extends Pick<ContentRow, PageName> {
  created_us: number;
}

/**
 * The members of an item stored in a revision (`revisionRecord`), with times as text. A revision older than a field
 * does not have it.
 */
type PinnedRecord = Partial<Pick<PageMembers, PageName & WrittenName>>;

interface PinnedRow extends Pick<ItemRow, 'id' | 'revision' | 'created_at' | 'updated_at' | 'created_us'> {
  record: PinnedRecord;
}

/** Returns the columns of an item as they were when its revision was written. */
const pinnedColumns = ({ record, ...row }: PinnedRow) =>
  ({ ...columnsOfRevision(record), ...row }) as unknown as ItemRow;

type ItemName = Pick<ItemInput, 'id' | 'revision'>;

/** About a kilobyte each. A site with more items is read again by every build. */
const defaultMaxItems = 150_000;

/** Rows that are read at once: each is kept until all of them have become items. */
const rowsAtOnce = 2_000;

const readItem = createRowReader(pageNames);
const createdUs = (column: string) => `(EXTRACT(EPOCH FROM ${column}) * 1000000)::INT8 AS created_us`;

const itemColumns = `${pageNames.join(', ')}, ${createdUs('created_at')}`;

/** Builds the item with its members in one fixed order, whatever the source: traces digest its JSON text. */
function toItem(row: ItemRow): ItemInput {
  const published = row.published_at ?? row.created_at;
  const item = readItem(row as unknown as Record<string, unknown>);
  item['order'] = [published.getTime(), row.created_us];
  return item as unknown as ItemInput;
}

/** Reads what many names refer to, some at once. Returns everything read. */
async function inChunks<N>(names: readonly N[], read: (chunk: readonly N[]) => Promise<ItemInput[]>) {
  const items: ItemInput[] = [];
  for (let start = 0; start < names.length; start += rowsAtOnce)
    for (const item of await read(names.slice(start, start + rowsAtOnce))) items.push(item);
  return items;
}

/** An item as builds read it, from a row that need not be stored like this. */
export const itemOfRow = (row: ContentRow): ItemInput =>
  toItem({ ...row, created_us: row.created_at.getTime() * 1000 });

/** The published items of a site at one time, and the writes that they contain. */
interface KnownItems {
  siteId: string;
  items: ItemInput[];
  changes: ItemChanges;
}

/**
 * Creates a reader of items without their bodies. Items are cached by id and revision, and the published items of a site
 * with the writes that they contain, so the cost of a snapshot depends on what changed.
 */
export function createItemReader(maxItems = defaultMaxItems) {
  const cache = new LRUCache<string, ItemInput>({ max: maxItems });
  const keyOf = ({ id, revision }: ItemName) => `${id}:${revision}`;
  const published = new LRUCache<string, KnownItems>({
    maxSize: maxItems,
    sizeCalculation: ({ items, changes }) => 1 + items.length + changes.items.size,
  });
  /** What was read in transactions that may not have been committed. */
  const uncertain = new WeakMap<readonly ItemInput[], KnownItems>();

  async function readItems(tx: Db, ids: readonly string[]): Promise<ItemInput[]> {
    const rows = await tx.query<ItemRow>(`SELECT ${itemColumns} FROM content WHERE id = ANY($1::UUID[])`, [ids]);
    return rows.map(toItem);
  }

  /** Reads all published items of a site. */
  async function readAll(tx: Db, siteId: string): Promise<ItemInput[]> {
    // one value, because reading a row for each item takes most of the time of a claim
    const [row] = await tx.query<{ names: string | null }>(
      `SELECT string_agg(id::TEXT || ':' || revision::TEXT, ',') AS names
       FROM content WHERE site_id = $1 AND status = 'published' AND trashed_at IS NULL`,
      [siteId],
    );
    const known: ItemInput[] = [];
    const unknown: string[] = [];
    for (const name of row?.names?.split(',') ?? []) {
      const item = cache.get(name);
      if (item) known.push(item);
      else unknown.push(name.slice(0, name.indexOf(':')));
    }
    const fresh = await inChunks(unknown, (ids) => readItems(tx, ids));
    for (const item of fresh) cache.set(keyOf(item), item);
    return [...known, ...fresh];
  }

  /** Returns the known items with those that have been written since; the order of the others stays. */
  async function readChanged(tx: Db, known: KnownItems, changes: ItemChanges): Promise<ItemInput[]> {
    const written = [...changes.items].filter(([id]) => !known.changes.items.has(id)).map(([, item]) => item);
    if (written.length === 0) return known.items;
    const ids = new Set(written);
    const rows = await tx.query<ItemRow>(
      `SELECT ${itemColumns} FROM content
       WHERE id = ANY($1::UUID[]) AND site_id = $2 AND status = 'published' AND trashed_at IS NULL`,
      [[...ids], known.siteId],
    );
    const now = rows.map((row) => cache.get(keyOf(row)) ?? toItem(row));
    for (const item of now) cache.set(keyOf(item), item);
    const same = new Set(now);
    const kept = known.items.filter((item) => !ids.has(item.id) || same.delete(item));
    return [...kept, ...same];
  }

  /**
   * Reads the published items of a site as stored now. `isClaim`: the transaction holds the site's row, and may delete the
   * record of its writes when that is long. Call `keep` after the commit, so that the next read is of what changed.
   */
  async function readPublished(tx: Db, siteId: string, isClaim = false): Promise<ItemInput[]> {
    const recorded = await readItemChanges(tx, siteId);
    const isLong = recorded !== null && isCut(recorded);
    const known = published.get(siteId);
    const isKnown = known !== undefined && !isLong && known.changes.epoch === recorded?.epoch;
    const items = isKnown ? await readChanged(tx, known, recorded) : await readAll(tx, siteId);
    const changes = !isLong ? recorded : isClaim ? await restartItemChanges(tx, siteId) : null;
    if (changes) uncertain.set(items, { siteId, items, changes });
    return items;
  }

  /** Remembers items that were read in a transaction that has been committed. */
  function keep(items: readonly ItemInput[]): void {
    const known = uncertain.get(items);
    if (known) published.set(known.siteId, known);
  }

  /** Reads items at given revisions, including purged items that the live release shows. */
  async function readPinned(
    tx: Db,
    siteId: string,
    pins: readonly [id: string, revision: number][],
  ): Promise<ItemInput[]> {
    const known = pins.flatMap(([id, revision]) => cache.get(keyOf({ id, revision })) ?? []);
    const cached = new Set(known.map(({ id }) => id));
    const open = pins.filter(([id]) => !cached.has(id));
    const fresh = await inChunks(open, (chunk) => readRevisions(tx, siteId, chunk));
    for (const item of fresh) cache.set(keyOf(item), item);
    return [...known, ...fresh];
  }

  async function readRevisions(tx: Db, siteId: string, pins: readonly [id: string, revision: number][]) {
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
    return [...rows, ...purged].map((row) => toItem(pinnedColumns(row)));
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

  return { readPublished, readPinned, keep };
}

export type ItemReader = ReturnType<typeof createItemReader>;
