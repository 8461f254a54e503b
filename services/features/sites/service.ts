import type { Config } from '../../core/config.ts';
import type { Db } from '../../core/db.ts';
import { invalid, notFound, problem } from '../../core/errors.ts';
import type { Site } from '../../core/http.ts';
import { localeName } from '../../core/locale.ts';
import { mergePatch } from '../../core/merge.ts';
import { deriveSlug } from '../../core/slug.ts';
import { isUniqueViolation } from '../../engines/sql/errors.ts';
import { claimHosts, hostInUse, hostsOf, requireAllowedHosts, requireFreeHosts } from './hosts.ts';
import { type CreateSite, fitsSettings, settingsTooLarge, type UpdateSite } from './schema.ts';
import { insertSite, selectSiteForUpdate, updateSiteRow } from './sql.ts';

/**
 * Translates the unique violation when two concurrent requests claim one domain: the loser gets the same error as if it
 * had come later.
 */
async function translateDomainConflict<T>(domain: string | null | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (domain && isUniqueViolation(error, 'sites_domain_key')) throw hostInUse(domain);
    throw error;
  }
}

/** Returns the slug of a create request: given, or derived from the name. */
export function slugOf(request: CreateSite): string {
  return request.slug ?? deriveSlug(request.name);
}

type Origins = Pick<Config, 'url' | 'edgeUrl'>;

/**
 * Creates a site without a shell, in the caller's transaction. Throws `slug_taken`, `domain_taken`,
 * `validation_failed`.
 */
export async function createSite({ db, config }: { db: Db; config: Origins }, request: CreateSite): Promise<Site> {
  const { name, domain = null, aliases, default_locale, settings } = request;
  const slug = slugOf(request);
  const hosts = hostsOf({ domain, aliases });
  requireAllowedHosts({ domain, aliases }, config);
  await requireFreeHosts(db, null, hosts);
  const locales = [{ locale: default_locale, name: localeName(default_locale) }];
  const site = await translateDomainConflict(domain, () =>
    insertSite(db, { slug, name, domain, aliases, default_locale, locales, settings }),
  );
  if (!site) throw problem('slug_taken', `There is already a site with the slug ${slug}.`);
  await claimHosts(db, site.id, hosts);
  return site;
}

/** Assigns the hosts that the site has after the request, exclusively. */
async function changeHosts(
  { db, config }: { db: Db; config: Origins },
  site: Site,
  request: Pick<UpdateSite, 'domain' | 'aliases'>,
): Promise<Pick<Site, 'domain' | 'aliases'>> {
  const { domain = site.domain, aliases = site.aliases } = request;
  if (request.domain === undefined && request.aliases === undefined) return { domain, aliases };
  const hosts = hostsOf({ domain, aliases });
  requireAllowedHosts({ domain, aliases }, config);
  await requireFreeHosts(db, site.id, hosts);
  await claimHosts(db, site.id, hosts);
  return { domain, aliases };
}

/** Changes the members in the request; `settings` merge by RFC 7396. Throws `domain_taken`, `validation_failed`. */
export async function updateSite(
  { db, config }: { db: Db; config: Origins },
  id: string,
  request: UpdateSite,
): Promise<Site> {
  const site = await selectSiteForUpdate(db, id);
  if (!site) throw notFound('site');
  const { name = site.name, default_locale = site.default_locale } = request;
  if (!site.locales.some(({ locale }) => locale === default_locale)) {
    throw invalid([{ path: 'default_locale', message: `the site has no locale ${default_locale}; add it first` }]);
  }
  const { domain, aliases } = await changeHosts({ db, config }, site, request);
  const settings = request.settings ? mergePatch(site.settings, request.settings) : site.settings;
  if (request.settings && !fitsSettings(settings)) throw invalid([{ path: 'settings', message: settingsTooLarge }]);
  return translateDomainConflict(domain, () =>
    updateSiteRow(db, { ...site, name, domain, aliases, default_locale, settings }),
  );
}

type Locales = Site['locales'];

/** Replaces the site's locales by the result of `change`, which may throw; concurrent changes are serialized. */
export async function changeLocales(
  db: Db,
  id: string,
  change: (locales: Locales, defaultLocale: string) => Locales,
): Promise<Site> {
  const site = await selectSiteForUpdate(db, id);
  if (!site) throw notFound('site');
  return updateSiteRow(db, { ...site, locales: change(site.locales, site.default_locale) });
}
