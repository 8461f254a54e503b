import { largeList, ok, type PageQuery } from '../../core/reply.ts';
import { sitesWithRole } from '../../core/roles.ts';
import { pageQuery } from '../../core/schema.ts';
import { type AppRoute, route } from '../route.ts';
import { readDomainProofs } from './domain-proof.ts';
import { presentSite, presentWithProof } from './present.ts';
import { siteRecord } from './schema.ts';
import { selectSites } from './sql.ts';

const tag = 'Sites';

export const siteRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/sites',
    operationId: 'listSites',
    scope: 'sites:read',
    tag,
    summary: "List the key's sites",
    query: pageQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: siteRecord, list: true },
    async handler({ app, db, caller, query }) {
      const page: PageQuery = query;
      const sites = await selectSites(db, sitesWithRole(caller.roles, caller.sites), page);
      return largeList(sites, page, async (rows) => {
        const proofOf = await readDomainProofs(app.db, app.config, rows);
        return rows.map((site) => presentSite(site, app.config, proofOf(site)));
      });
    },
  }),
  route({
    method: 'GET',
    path: '/sites/:site',
    operationId: 'getSite',
    scope: 'sites:read',
    tag,
    summary: 'Read a site',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: siteRecord },
    handler: async ({ app, db, site }) => ok(await presentWithProof({ config: app.config, db }, site)),
  }),
];
