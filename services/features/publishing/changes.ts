import type { StoredInputs } from '../../build/format.ts';
import { readLiveInputs, readStoredParts, type StoredParts } from '../../build/index.ts';
import type { Db } from '../../core/db.ts';
import type { Site } from '../../core/http.ts';
import type { ReadBytes } from '../../engines/objects/held-objects.ts';

/** The number of changed items that are listed; all are counted. */
const maxListed = 50;

export type ChangeKind = 'added' | 'updated' | 'removed';

/** A published item that differs from what the live release shows. */
export interface ChangedItem {
  id: string;
  change: ChangeKind;
  /** The members are null if the item has been purged. */
  title: string | null;
  type: string | null;
  locale: string | null;
  updated_at: Date | null;
}

/** What a publish would change. */
export interface Changes {
  items: Record<ChangeKind, number> & { listed: ChangedItem[] };
  /** The names of other things that were added, changed or removed. */
  shell: string[];
  components: string[];
  redirects: string[];
  scripts: string[];
  /** Whether name, settings, languages or domain differ. */
  site: boolean;
}

/** Counts and lists the published items whose revision is not the live one, the latest first. */
async function selectChangedItems(db: Db, siteId: string, live: StoredInputs['items']): Promise<Changes['items']> {
  const rows = await db.query<ChangedItem & { number: number }>(
    `SELECT d.id, d.change, c.title, c.type, c.locale, c.updated_at, d.number
     FROM (SELECT *, count(*) OVER (PARTITION BY change) AS number
           FROM (SELECT coalesce(n.id, l.id) AS id,
                   CASE WHEN l.id IS NULL THEN 'added' WHEN n.id IS NULL THEN 'removed' ELSE 'updated' END AS change
                 FROM (SELECT id, revision FROM content
                       WHERE site_id = $1 AND status = 'published' AND trashed_at IS NULL) n
                 FULL JOIN unnest($2::UUID[], $3::INT8[]) AS l (id, revision) ON n.id = l.id
                 WHERE n.revision IS DISTINCT FROM l.revision) x) d
     LEFT JOIN content c ON c.id = d.id
     ORDER BY c.updated_at DESC NULLS LAST, d.id
     LIMIT $4`,
    [siteId, live.map(([id]) => id), live.map(([, revision]) => revision), maxListed],
  );
  const numberOf = (kind: ChangeKind) => rows.find(({ change }) => change === kind)?.number ?? 0;
  return {
    added: numberOf('added'),
    updated: numberOf('updated'),
    removed: numberOf('removed'),
    listed: rows.map(({ number: _, ...item }) => item),
  };
}

/** Returns the names of what is only in one of the lists, or differs. Members are compared in the form in which inputs are stored. */
function compareNamed<T>(live: readonly T[], stored: readonly T[], nameOf: (one: T) => string): string[] {
  const known = new Map(live.map((one) => [nameOf(one), JSON.stringify(one)]));
  const changed = stored.map(nameOf).filter((name, at) => known.get(name) !== JSON.stringify(stored[at]));
  const names = new Set(stored.map(nameOf));
  return [...changed, ...[...known.keys()].filter((name) => !names.has(name))];
}

const nothing: Omit<StoredInputs, 'format' | 'site' | 'media'> = {
  items: [],
  shell: [],
  components: [],
  redirects: [],
  scripts: [],
};

function compareParts(live: StoredInputs | null, stored: StoredParts): Omit<Changes, 'items'> {
  const released = live ?? nothing;
  return {
    shell: released.shell ? compareNamed(released.shell, stored.shell, ({ path }) => path) : [],
    components: compareNamed(released.components, stored.components, ({ handle }) => handle),
    redirects: compareNamed(released.redirects, stored.redirects, ({ from }) => from),
    scripts: compareNamed(released.scripts, stored.scripts, ({ id, src }) => src ?? id),
    site: live !== null && JSON.stringify(live.site) !== JSON.stringify(stored.site),
  };
}

/**
 * Compares the stored site with its live release: what the next publish would change. Descriptions of media are not compared. Throws
 * MissingObject.
 */
export async function findChanges(db: Db, objects: ReadBytes, site: Site): Promise<Changes> {
  const live = await readLiveInputs(db, objects, site.id);
  const parts = compareParts(live, await readStoredParts(db, site));
  return { items: await selectChangedItems(db, site.id, live?.items ?? []), ...parts };
}
