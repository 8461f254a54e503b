import type { Db } from '../../core/db.ts';
import type { Site } from '../../core/http.ts';
import type { App } from '../app.ts';
import { type ContentScope, movePageAway } from '../content/index.ts';
import { selectIntegrationIds } from '../integrations/index.ts';
import { requestAsPublished } from '../publishing/index.ts';
import { requireNoLoopOnDomain } from '../redirects/index.ts';
import { insertStarterShell, type StoredStarterFile } from '../shell/index.ts';
import { type CreateSite, createSite, deleteSiteRow, type UpdateSite, updateSite } from '../sites/index.ts';

interface LifecycleScope {
  app: Pick<App, 'config' | 'objects'>;
  /** The caller's transaction. */
  db: Db;
}

/**
 * Creates a site with the starter shell, whose files are in the object store already. Throws `slug_taken`,
 * `domain_taken`, `validation_failed`.
 */
export async function createSiteWithShell(
  { app: { config, objects }, db }: LifecycleScope,
  request: CreateSite,
  starter: readonly StoredStarterFile[],
): Promise<Site> {
  const site = await createSite({ db, config }, request);
  await insertStarterShell(db, objects, site.id, starter);
  return site;
}

/**
 * Changes a site and what depends on it: pages whose paths collide with a locale's are moved, and a live site with a
 * new domain gets a job to build it. Returns whether to wake the site's actor after the commit. Throws `domain_taken`,
 * `validation_failed`.
 */
export async function changeSite(
  { app, db }: LifecycleScope,
  site: Site,
  request: UpdateSite,
  by: Pick<ContentScope, 'changedBy' | 'writer'>,
): Promise<{ updated: Site; hasJob: boolean }> {
  const { config } = app;
  const updated = await updateSite({ db, config }, site.id, request);
  if (request.domain || request.aliases) await requireNoLoopOnDomain({ db, site: updated, config });
  if (updated.default_locale !== site.default_locale) {
    // pages of the new default locale get paths that may collide with those of the other locales
    const scope = { app, db, site: updated, ...by };
    for (const { locale } of updated.locales) await movePageAway(scope, locale.toLowerCase());
  }
  // the edge serves the new domain from now on: its pages must contain it (contract: Public paths)
  const hasJob = updated.domain !== site.domain && updated.live_release !== null;
  if (hasJob) await requestAsPublished(db, site.id);
  return { updated, hasJob };
}

/**
 * Deletes a site with everything in it. Returns its integrations: wake their actors after the commit, so that they end.
 */
export async function deleteSiteWithContent(db: Db, siteId: string): Promise<string[]> {
  const integrations = await selectIntegrationIds(db, siteId);
  await deleteSiteRow(db, siteId);
  return integrations;
}
