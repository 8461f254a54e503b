import { integrationActor } from '../../../workflows/contracts/integration-actor.ts';
import type { Db } from '../../core/db.ts';
import { problem } from '../../core/errors.ts';
import { created, largeList, ok, type PageQuery, type Site } from '../../core/http.ts';
import { deletedRecord, pageQuery } from '../../core/schema.ts';
import { allowsSite } from '../../core/scopes.ts';
import type { App } from '../app.ts';
import { movePageAway } from '../content/service.ts';
import { requestAsPublished } from '../publishing/service.ts';
import { requireNoLoopOnDomain } from '../redirects/service.ts';
import { type AppRoute, route } from '../route.ts';
import { storeStarterShell } from '../shell/starter-files.ts';
import { selectIntegrationIds } from '../webhooks/service.ts';
import { readDomainProofs } from './domain-proof.ts';
import { presentSite } from './present.ts';
import { createSiteBody, readOnlySiteMembers, siteRecord, updateSiteBody } from './schema.ts';
import { createSite, deleteSite, slugOf, updateSite } from './service.ts';
import { selectSites } from './sql.ts';

const tag = 'Sites';

async function presentWithProof({ app, db }: { app: App; db: Db }, site: Site) {
  const proofOf = await readDomainProofs(db, app.config, [site]);
  return presentSite(site, app.config, proofOf(site));
}

export const siteRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/sites',
    scope: 'sites:read',
    tag,
    summary: "List the key's sites",
    query: pageQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: siteRecord, list: true },
    async handler({ app, db, key, query }) {
      const page: PageQuery = query;
      const sites = await selectSites(db, key.sites.includes('*') ? null : key.sites, page);
      return largeList(sites, page, async (rows) => {
        const proofOf = await readDomainProofs(app.db, app.config, rows);
        return rows.map((site) => presentSite(site, app.config, proofOf(site)));
      });
    },
  }),
  route({
    method: 'POST',
    path: '/sites',
    scope: 'admin',
    tag,
    summary: 'Create a site, with a complete starter shell',
    body: { kind: 'json', schema: createSiteBody, readOnly: readOnlySiteMembers },
    reply: { status: 201, schema: siteRecord },
    errors: ['site_not_allowed', 'slug_taken', 'domain_taken'],
    atomic: true,
    async prepare({ app, key, body }) {
      if (!allowsSite(key.sites, slugOf(body))) {
        throw problem('site_not_allowed', 'This key is pinned to a list of sites, and the new slug is not in it.');
      }
      return storeStarterShell(app.objects);
    },
    async handler({ app, db, body, prepared }) {
      const site = await createSite({ db, objects: app.objects, config: app.config }, body, prepared);
      return created(await presentWithProof({ app, db }, site));
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site',
    scope: 'sites:read',
    tag,
    summary: 'Read a site',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: siteRecord },
    handler: async ({ app, db, site }) => ok(await presentWithProof({ app, db }, site)),
  }),
  route({
    method: 'PATCH',
    path: '/sites/:site',
    scope: 'sites:write',
    tag,
    summary: 'Change a site; `settings` merge, and null removes a setting',
    body: { kind: 'json', schema: updateSiteBody, readOnly: ['slug', ...readOnlySiteMembers] },
    reply: { status: 200, schema: siteRecord },
    errors: ['domain_taken'],
    atomic: true,
    async handler({ app, db, site, key, body, afterCommit }) {
      const updated = await updateSite({ db, config: app.config }, site.id, body);
      if (body.domain || body.aliases) await requireNoLoopOnDomain({ db, site: updated, config: app.config });
      if (updated.default_locale !== site.default_locale) {
        // pages of the new default locale come to stand where those of the others are
        const scope = { app, db, site: updated, changedBy: `key:${key.id}` };
        for (const { locale } of updated.locales) await movePageAway(scope, locale.toLowerCase());
      }
      if (updated.domain !== site.domain && updated.live_release) {
        // the edge serves the new address from now on: its pages must name it (contract: Public paths)
        await requestAsPublished(db, site.id);
        afterCommit(() => app.actors.wakeSite(site.id));
      }
      return ok(await presentWithProof({ app, db }, updated));
    },
  }),
  route({
    method: 'DELETE',
    path: '/sites/:site',
    scope: 'admin',
    tag,
    summary: 'Delete a site with everything in it; irreversible',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deletedRecord },
    async handler({ app, db, site, afterCommit }) {
      const integrations = await selectIntegrationIds(db, site.id);
      await deleteSite(db, site.id);
      afterCommit(() => {
        // their actors would sleep for ever: awake, they end
        app.actors.wakeSite(site.id);
        for (const id of integrations) app.actors.wakeActor(integrationActor(id));
      });
      return ok({ id: site.id, deleted: true });
    },
  }),
];
