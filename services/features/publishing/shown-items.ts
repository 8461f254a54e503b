import { type Manifest, type ReadBytes, readDocument, readManifest, type StoredInputs } from '../../build/format.ts';
import type { Db } from '../../core/db.ts';
import { itemPath, type PathItem } from '../../core/public-paths.ts';
import { MissingObject } from '../../engines/objects/store.ts';

/** The documents of a release that determine what it shows. */
export interface ShownRelease {
  manifest: Manifest;
  inputs: StoredInputs;
}

export interface ShownReleases {
  now: ShownRelease;
  before: ShownRelease | null;
}

type Revision = [id: string, revision: number];

/** The page of an item in one release. */
interface ShownItem extends PathItem {
  path: string;
}

interface ShownRow extends PathItem {
  content_id: string;
  revision: number;
}

/** Members of items, by revision (`nameOf`). */
export type ShownRecords = ReadonlyMap<string, PathItem>;

const nameOf = ([id, revision]: Revision) => `${id}:${revision}`;

interface DocumentsRow {
  id: string;
  manifest_hash: string;
  inputs_hash: string;
}

async function readDocuments(objects: ReadBytes, { manifest_hash, inputs_hash }: DocumentsRow): Promise<ShownRelease> {
  const [manifest, inputs] = await Promise.all([
    readManifest(objects, manifest_hash),
    readDocument<StoredInputs>(objects, inputs_hash),
  ]);
  return { manifest, inputs };
}

/**
 * Reads what two releases show. `before` is null if there was no release, or if the store has lost its documents, which must not stop the
 * next publish. Throws MissingObject.
 */
export async function readBoth(
  tx: Db,
  objects: ReadBytes,
  { release, replaced }: { release: string; replaced: string | null },
): Promise<ShownReleases> {
  const rows = await tx.query<DocumentsRow>(
    'SELECT id, manifest_hash, inputs_hash FROM releases WHERE id = ANY($1::UUID[])',
    [[release, ...(replaced ? [replaced] : [])]],
  );
  const whenLost = (error: unknown) => {
    if (error instanceof MissingObject) return null;
    throw error;
  };
  const earlier = rows.find(({ id }) => id === replaced);
  const [now, before] = await Promise.all([
    readDocuments(objects, rows.find(({ id }) => id === release)!),
    earlier ? readDocuments(objects, earlier).catch(whenLost) : null,
  ]);
  return { now, before };
}

/** Returns the members of items at these revisions, including those of purged items while they are kept. */
async function selectRecords(tx: Db, siteId: string, revisions: readonly Revision[]): Promise<ShownRecords> {
  const select = (table: string) =>
    `SELECT r.content_id, r.revision, r.record->>'type' AS type, r.record->>'slug' AS slug, r.record->>'locale' AS locale
     FROM ${table} r JOIN unnest($2::UUID[], $3::INT8[]) AS p (id, revision) ON r.content_id = p.id AND r.revision = p.revision
     WHERE r.site_id = $1`;
  const rows = await tx.query<ShownRow>(`${select('content_revisions')} UNION ALL ${select('purged_revisions')}`, [
    siteId,
    revisions.map(([id]) => id),
    revisions.map(([, revision]) => revision),
  ]);
  return new Map(rows.map(({ content_id, revision, ...item }) => [nameOf([content_id, revision]), item]));
}

/** Returns the members of every item that a release shows, for a caller that will delete the revisions. Throws MissingObject. */
export async function readShownRecords(
  tx: Db,
  objects: ReadBytes,
  siteId: string,
  releaseId: string,
): Promise<ShownRecords> {
  const { items } = (await readBoth(tx, objects, { release: releaseId, replaced: null })).now.inputs;
  return selectRecords(tx, siteId, items);
}

/** Returns an item with the path of its page in a release, or null without a page, as in a language that the site has removed. */
function pageOf({ manifest, inputs: { site } }: ShownRelease, item: PathItem): ShownItem | null {
  if (!site.locales.some(({ locale }) => locale === item.locale)) return null;
  const path = itemPath(item, site);
  return Object.hasOwn(manifest.files, path) ? { ...item, path } : null;
}

/** An item whose page was published, updated or unpublished, as it is now or, if unpublished, was last. */
export interface ItemChange extends ShownItem {
  id: string;
}

export interface ItemDifference {
  published: ItemChange[];
  updated: ItemChange[];
  unpublished: ItemChange[];
}

const languagesOf = ({ inputs: { site } }: ShownRelease) => JSON.stringify([site.default_locale, site.locales]);

/** Returns the revisions of the items of a release that `differs` accepts, by id. */
const pick = (release: ShownRelease | null, differs: (id: string) => boolean) =>
  new Map(release?.inputs.items.filter(([id]) => differs(id)));

/** Returns the items that may have changed: those with another revision, or all if the languages differ, because paths depend on them. */
function findCandidates({ now, before }: ShownReleases) {
  const [shown, known] = [new Map(now.inputs.items), new Map(before?.inputs.items)];
  const all = before !== null && languagesOf(now) !== languagesOf(before);
  const differs = (id: string) => all || shown.get(id) !== known.get(id);
  return { now: pick(now, differs), before: pick(before, differs) };
}

/** Returns whether an item with a page in both releases was updated: its path changed, or its new revision has other bytes. */
function isUpdated({ now, before }: ShownReleases, page: ShownItem, old: ShownItem, sameRevision: boolean): boolean {
  if (page.path !== old.path) return true;
  return !sameRevision && now.manifest.files[page.path]![0] !== before!.manifest.files[old.path]![0];
}

/**
 * Compares two releases by the pages of their items (events `content.…`). `recordsBefore`: the members at revisions that are already
 * deleted. Omits an item if its revision in either release is no longer stored.
 */
export async function compareItems(
  tx: Db,
  siteId: string,
  releases: ShownReleases,
  recordsBefore: ShownRecords = new Map(),
): Promise<ItemDifference> {
  const candidates = findCandidates(releases);
  const records = await selectRecords(tx, siteId, [...candidates.now, ...candidates.before]);
  const difference: ItemDifference = { published: [], updated: [], unpublished: [] };
  for (const id of new Set([...candidates.now.keys(), ...candidates.before.keys()])) {
    const [revision, known] = [candidates.now.get(id), candidates.before.get(id)];
    const record = revision === undefined ? null : records.get(nameOf([id, revision]));
    const name = nameOf([id, known ?? 0]);
    const recordBefore = known === undefined ? null : (recordsBefore.get(name) ?? records.get(name));
    if (record === undefined || recordBefore === undefined) continue;
    const page = record && pageOf(releases.now, record);
    const old = recordBefore && pageOf(releases.before!, recordBefore);
    if (page && !old) difference.published.push({ id, ...page });
    else if (old && !page) difference.unpublished.push({ id, ...old });
    else if (page && old && isUpdated(releases, page, old, revision === known))
      difference.updated.push({ id, ...page });
  }
  return difference;
}
