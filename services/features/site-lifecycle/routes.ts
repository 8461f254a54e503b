import { integrationActor } from '../../../workflows/contracts/integration-actor.ts';
import { notFound, problem } from '../../core/errors.ts';
import { created, ok, tagOf } from '../../core/reply.ts';
import { deletedRecord } from '../../core/schema.ts';
import { allowsSite } from '../../core/scopes.ts';
import { requireOnSite } from '../access/index.ts';
import { changedByOf } from '../content/index.ts';
import { type AppRoute, type Input, route } from '../route.ts';
import { storeStarterShell } from '../shell/index.ts';
import {
  createSiteBody,
  presentWithProof,
  readOnlySiteMembers,
  selectSiteForUpdate,
  siteRecord,
  slugOf,
  updateSiteBody,
} from '../sites/index.ts';
import { changeSite, createSiteWithShell, deleteSiteWithContent } from './service.ts';

const tag = 'Sites';

async function readTag({ app, db, site }: Input): Promise<string> {
  const current = await selectSiteForUpdate(db, site.id);
  if (!current) throw notFound('site'); // another request has just deleted it
  return tagOf(await presentWithProof({ config: app.config, db }, current));
}

export const siteLifecycleRoutes: AppRoute[] = [
  route({
    method: 'POST',
    path: '/sites',
    operationId: 'createSite',
    scope: 'admin',
    operationKind: 'sites.create',
    tag,
    summary: 'Create a site, with a complete starter shell',
    description:
      'Nothing is live before the first publish. A key with a list of sites may create only sites in the list.',
    body: { kind: 'json', schema: createSiteBody, readOnly: readOnlySiteMembers },
    reply: { status: 201, schema: siteRecord },
    errors: ['site_not_allowed', 'slug_taken', 'domain_taken'],
    async prepare({ app, caller, body }) {
      const slug = slugOf(body);
      if (!allowsSite(caller.sites, slug)) {
        throw problem('site_not_allowed', 'This key is pinned to a list of sites, and the new slug is not in it.');
      }
      requireOnSite(caller.roles, 'sites.create', slug);
      return storeStarterShell(app.objects);
    },
    async handler({ app, db, body, prepared }) {
      const site = await createSiteWithShell({ app, db }, body, prepared);
      return created(await presentWithProof({ config: app.config, db }, site));
    },
  }),
  route({
    method: 'PATCH',
    path: '/sites/:site',
    operationId: 'updateSite',
    scope: 'sites:write',
    operationKind: 'settings.write',
    tag,
    summary: 'Change a site; `settings` merge, and null removes a setting',
    description: 'The slug of a site cannot be changed: a `slug` in the body is ignored.',
    body: { kind: 'json', schema: updateSiteBody, readOnly: ['slug', ...readOnlySiteMembers] },
    reply: { status: 200, schema: siteRecord },
    errors: ['domain_taken'],
    etag: readTag,
    async handler({ app, db, site, caller, writer, body, afterCommit }) {
      const { updated, hasJob } = await changeSite({ app, db }, site, body, { changedBy: changedByOf(caller), writer });
      if (hasJob) afterCommit(() => app.actors.wakeSite(site.id));
      return ok(await presentWithProof({ config: app.config, db }, updated));
    },
  }),
  route({
    method: 'DELETE',
    path: '/sites/:site',
    operationId: 'deleteSite',
    scope: 'admin',
    operationKind: 'sites.delete',
    tag,
    summary: 'Delete a site with everything in it; irreversible',
    body: { kind: 'ignored' },
    reply: { status: 200, schema: deletedRecord },
    etag: readTag,
    async handler({ app, db, site, afterCommit }) {
      const integrations = await deleteSiteWithContent(db, site.id);
      afterCommit(() => {
        // their actors would sleep indefinitely: once woken, they end
        app.actors.wakeSite(site.id);
        for (const id of integrations) app.actors.wakeActor(integrationActor(id));
      });
      return ok({ id: site.id, deleted: true });
    },
  }),
];
