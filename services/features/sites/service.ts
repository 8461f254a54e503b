import type { Db } from '../../core/db.ts';
import { invalid, notFound, problem } from '../../core/errors.ts';
import type { Site } from '../../core/http.ts';
import { localeName } from '../../core/locale.ts';
import { mergePatch } from '../../core/merge.ts';
import { deriveSlug } from '../../core/slug.ts';
import type { ObjectStore } from '../../engines/objects/store.ts';
import { isUniqueViolation } from '../../engines/sql/errors.ts';
import { insertStarterShell, type StoredStarterFile } from '../shell/starter-files.ts';
import { type CreateSite, fitsSettings, settingsTooLarge, type UpdateSite } from './schema.ts';
import { domainHolder, insertSite, selectSiteForUpdate, updateSiteRow } from './sql.ts';

export {
  deleteSiteRow as deleteSite,
  selectSiteById as findSiteById,
  selectSiteBySlug as findSiteBySlug,
} from './sql.ts';

const domainTaken = (domain: string) => problem('domain_taken', `The domain ${domain} belongs to another site.`);

async function requireFreeDomain(db: Db, domain: string | null | undefined, ownId?: string): Promise<void> {
  if (!domain) return;
  const holder = await domainHolder(db, domain);
  if (holder && holder !== ownId) throw domainTaken(domain);
}

/** Two requests may take one domain at once: the index decides, and the loser hears the same as if it had come later. */
async function translateDomainConflict<T>(domain: string | null | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (domain && isUniqueViolation(error, 'sites_domain_key')) throw domainTaken(domain);
    throw error;
  }
}

/** The slug that a create request asks for: given, or derived from the name. */
export function slugOf(request: CreateSite): string {
  return request.slug ?? deriveSlug(request.name);
}

/** A site with the starter shell, in the caller's transaction. Throws `slug_taken`, `domain_taken`. */
export async function createSite(
  { db, objects }: { db: Db; objects: ObjectStore },
  request: CreateSite,
  starter: readonly StoredStarterFile[],
): Promise<Site> {
  const { name, domain = null, default_locale, settings } = request;
  const slug = slugOf(request);
  await requireFreeDomain(db, domain);
  const locales = [{ locale: default_locale, name: localeName(default_locale) }];
  const site = await translateDomainConflict(domain, () =>
    insertSite(db, { slug, name, domain, default_locale, locales, settings }),
  );
  if (!site) throw problem('slug_taken', `There is already a site with the slug ${slug}.`);
  await insertStarterShell(db, objects, site.id, starter);
  return site;
}

/** Changes what the request names; `settings` merge by RFC 7396. Throws `domain_taken`, `validation_failed`. */
export async function updateSite(db: Db, id: string, request: UpdateSite): Promise<Site> {
  const site = await selectSiteForUpdate(db, id);
  if (!site) throw notFound('site');
  const { name = site.name, domain = site.domain, default_locale = site.default_locale } = request;
  if (!site.locales.some(({ locale }) => locale === default_locale)) {
    throw invalid([{ path: 'default_locale', message: `the site has no locale ${default_locale}; add it first` }]);
  }
  await requireFreeDomain(db, request.domain, id);
  const settings = request.settings ? mergePatch(site.settings, request.settings) : site.settings;
  if (request.settings && !fitsSettings(settings)) throw invalid([{ path: 'settings', message: settingsTooLarge }]);
  return translateDomainConflict(domain, () => updateSiteRow(db, { ...site, name, domain, default_locale, settings }));
}

type Locales = Site['locales'];

/** Replaces the site's locales by what `change` makes of them, one change after the other; `change` may throw. */
export async function changeLocales(
  db: Db,
  id: string,
  change: (locales: Locales, defaultLocale: string) => Locales,
): Promise<Site> {
  const site = await selectSiteForUpdate(db, id);
  if (!site) throw notFound('site');
  return updateSiteRow(db, { ...site, locales: change(site.locales, site.default_locale) });
}
