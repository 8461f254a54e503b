import { problem } from '../../core/errors.ts';
import { list } from '../../core/reply.ts';
import { everySite } from '../../core/roles.ts';
import { requireAdministrator } from '../access/index.ts';
import { type AppRoute, route } from '../route.ts';
import { presentChange } from './present.ts';
import { auditQuery, auditRecord, siteAuditQuery } from './schema.ts';
import { selectOfAll, selectOfSite } from './sql.ts';

const tag = 'Audit';

export const auditRoutes: AppRoute[] = [
  route({
    method: 'GET',
    path: '/sites/:site/audit',
    operationId: 'listSiteAudit',
    scope: 'sites:write',
    operationKind: 'audit.read',
    tag,
    summary: 'List the changes of a site, by whom and through what, newest first',
    query: siteAuditQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: auditRecord, list: true },
    async handler({ db, site, query }) {
      const { rows, total } = await selectOfSite(db, site.id, query);
      return list(rows.map(presentChange), total, query);
    },
  }),
  route({
    method: 'GET',
    path: '/audit',
    operationId: 'listAudit',
    scope: 'admin',
    operationKind: 'audit.read',
    tag,
    summary: 'List the changes of the installation, those of deleted sites too, newest first',
    description: 'For administrators of the installation, with a key for every site.',
    query: auditQuery,
    body: { kind: 'ignored' },
    reply: { status: 200, schema: auditRecord, list: true },
    errors: ['site_not_allowed'],
    async handler({ db, caller, query }) {
      requireAdministrator(caller.roles);
      if (!caller.sites.includes(everySite)) throw problem('site_not_allowed', 'This needs a key for every site.');
      const { rows, total } = await selectOfAll(db, query.site ?? null, query);
      return list(rows.map(presentChange), total, query);
    },
  }),
];
