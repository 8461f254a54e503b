import type { Db } from '../core/db.ts';
import { itemPath } from '../core/public-paths.ts';
import type { ItemReader } from './item-cache.ts';
import { mediaInputColumns, refreshMedia } from './media-progress.ts';
import type {
  BuildInputs,
  ComponentInput,
  ItemInput,
  MediaInput,
  RedirectInput,
  ScriptInput,
  ShellInput,
  SiteInput,
  StoredInputs,
} from './model.ts';

function siteInput(site: SiteInput): SiteInput {
  const { id, slug, name, domain, default_locale, locales, settings } = site;
  return { id, slug, name, domain, default_locale, locales, settings };
}

async function readShell(tx: Db, siteId: string): Promise<ShellInput[]> {
  return tx.query<ShellInput>(
    'SELECT path, hash, bytes, content_type FROM shell_files WHERE site_id = $1 ORDER BY path',
    [siteId],
  );
}

async function readComponents(tx: Db, siteId: string): Promise<ComponentInput[]> {
  return tx.query<ComponentInput>(
    `SELECT handle, type, source_hash, compiled_hash, css, variables_schema, sha256 FROM components WHERE site_id = $1 ORDER BY handle`,
    [siteId],
  );
}

async function readRedirects(tx: Db, siteId: string): Promise<RedirectInput[]> {
  return tx.query<RedirectInput>(
    `SELECT from_path AS "from", to_url AS "to", status FROM redirects WHERE site_id = $1 ORDER BY from_path`,
    [siteId],
  );
}

async function readScripts(tx: Db, siteId: string): Promise<ScriptInput[]> {
  return tx.query<ScriptInput>(
    'SELECT id, position, src, code FROM scripts WHERE site_id = $1 ORDER BY created_at, id',
    [siteId],
  );
}

async function readMedia(tx: Db, siteId: string): Promise<MediaInput[]> {
  return tx.query<MediaInput>(
    `SELECT ${mediaInputColumns} FROM media WHERE site_id = $1 AND trashed_at IS NULL AND status <> 'failed'`,
    [siteId],
  );
}

/** The stored state without items and media. */
export type StoredParts = Omit<BuildInputs, 'items' | 'media'>;

/** Reads the stored state without items and media. */
export async function readStoredParts(tx: Db, site: SiteInput): Promise<StoredParts> {
  return {
    site: siteInput(site),
    shell: await readShell(tx, site.id),
    components: await readComponents(tx, site.id),
    redirects: await readRedirects(tx, site.id),
    scripts: await readScripts(tx, site.id),
  };
}

/** Reads the stored state, which a publish makes live and a preview shows. `isClaim`: see `readPublished`. */
export async function readStored(tx: Db, site: SiteInput, items: ItemReader, isClaim = false): Promise<BuildInputs> {
  return {
    ...(await readStoredParts(tx, site)),
    items: await items.readPublished(tx, site.id, isClaim),
    media: await readMedia(tx, site.id),
  };
}

/**
 * Reads everything as last published, except that media includes variants made since. With `newShell`, uses the current
 * shell (contract: Store and publish, `shell_autopublish`). A site never published has only its shell. Slug and domain
 * are the current ones, because the edge serves the site there.
 */
export async function readPinned(
  tx: Db,
  site: SiteInput,
  items: ItemReader,
  live: StoredInputs | null,
  newShell: boolean,
): Promise<BuildInputs> {
  const shell = (newShell ? null : live?.shell) ?? (await readShell(tx, site.id));
  if (!live) return { site: siteInput(site), items: [], shell, components: [], redirects: [], scripts: [], media: [] };
  const { components, redirects, scripts, media } = live;
  return {
    site: { ...live.site, slug: site.slug, domain: site.domain },
    items: await items.readPinned(tx, site.id, live.items),
    shell,
    components,
    redirects,
    scripts,
    media: await refreshMedia(tx, media),
  };
}

/** What the release lacks of `stored`, after what it has. */
function withMissing<T>(released: readonly T[], stored: readonly T[], nameOf: (one: T) => string): T[] {
  const names = new Set(released.map(nameOf));
  return [...released, ...stored.filter((one) => !names.has(nameOf(one)))];
}

/**
 * Everything as last published, with one item as given, in place of an earlier version of it and of another item under its path. The item
 * may show components and media that no page has shown yet, as they are stored.
 */
export async function readPinnedWith(
  tx: Db,
  site: SiteInput,
  items: ItemReader,
  live: StoredInputs | null,
  item: ItemInput,
): Promise<BuildInputs> {
  const pinned = await readPinned(tx, site, items, live, false);
  const isKnown = pinned.site.locales.some(({ locale }) => locale === item.locale);
  const as = isKnown ? pinned.site : { ...pinned.site, locales: site.locales };
  const path = itemPath(item, as);
  const others = pinned.items.filter((other) => other.id !== item.id && itemPath(other, as) !== path);
  return {
    ...pinned,
    site: as,
    items: [...others, item],
    components: withMissing(pinned.components, await readComponents(tx, site.id), ({ handle }) => handle),
    media: withMissing(pinned.media, await readMedia(tx, site.id), ({ id }) => id),
  };
}
